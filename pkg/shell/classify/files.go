package classify

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
	"github.com/helve-dev/helve/pkg/workspace"
)

// files answers questions about the files of the machine, and about the directory in
// which the shell looks for them.
type files struct {
	*Options

	cwds []string // where the shell may be
	lost bool     // it is not known where the shell is
	left []string // of cwds, those that it reached by leaving the workspace with ".."
}

func (f *files) Home() string { return f.Options.Home }

func (f *files) OwnProcesses() bool { return f.Options.OwnProcesses }

func (f *files) OwnLoopback() bool { return f.Options.OwnLoopback }

// Resolve returns the absolute paths that a word may name. Of a word that is
// partly computed they are the directories that are certain. None means that
// nothing is.
func (f *files) Resolve(w word.Word) []string {
	p := strings.ReplaceAll(w.Prefix(), `\`, "/")
	if !w.Known() {
		// Only whole directories of the known part are certain, and none is if
		// the rest may climb out of them.
		rest := w.Text[len(w.Prefix()):]
		if strings.Contains(rest, "..") || w.Split && w.Prefix() == "" {
			return nil
		}
		p = p[:strings.LastIndexByte(p, '/')+1]
	}
	if strings.HasPrefix(p, "/") {
		return []string{f.follow(path.Clean(p))}
	}
	if drive, below, ok := strings.Cut(p, ":"); ok && len(drive) == 1 && len(f.Root) > 1 && f.Root[1] == ':' {
		// Where the root has a drive. A path without a slash depends on where that
		// drive is, and is nowhere here.
		if !strings.HasPrefix(below, "/") {
			below = "//" + below
		}
		return []string{f.follow(path.Clean(drive + ":" + below))}
	}
	if f.lost {
		return nil
	}
	all := make([]string, 0, len(f.cwds))
	for _, cwd := range f.cwds {
		all = append(all, f.follow(path.Join(cwd, p)))
	}
	return all
}

func (f *files) follow(abs string) string {
	if f.Options.Resolve != nil {
		return path.Clean(f.Options.Resolve(abs))
	}
	return abs
}

// Within reports whether an absolute path is in the workspace.
func (f *files) Within(abs string) bool { return workspace.Within(abs, f.Root) }

// outside reports whether an absolute path is neither in the workspace nor in a scratch
// directory.
func (f *files) outside(abs string) bool {
	return !f.Within(abs) && !slices.ContainsFunc(f.Scratch, func(dir string) bool { return workspace.Within(abs, dir) && !f.beside(abs, dir) })
}

// beside reports whether an absolute path is in a directory that a scratch directory has
// only because the workspace is below it: what lies there is not what the machine has.
func (f *files) beside(abs, scratch string) bool {
	below, ok := workspace.Rel(f.Root, scratch)
	top, _, deeper := strings.Cut(below, "/")
	return ok && deeper && workspace.Within(abs, path.Join(scratch, top))
}

// leaves reports whether a word leads out of the workspace by "..", to a path that may be
// in a scratch directory and means one of the machine.
func (f *files) leaves(w word.Word, abs string) bool {
	if f.Within(abs) || strings.HasPrefix(w.Text, "/") {
		return false
	}
	return strings.HasPrefix(path.Clean(w.Text), "..") || slices.ContainsFunc(f.left, func(dir string) bool { return workspace.Within(abs, dir) })
}

// Finds reports whether there is a file of the workspace by a relative path from a
// directory where the shell may be, or from one above it.
func (f *files) Finds(rel string) (found, known bool) {
	if f.Exists == nil || f.lost {
		return false, false
	}
	for _, dir := range f.cwds {
		for ; ; dir = path.Dir(dir) {
			if f.Exists(path.Join(dir, rel)) {
				return true, true
			}
			if !f.Within(dir) || dir == f.Root || dir == path.Dir(dir) {
				break
			}
		}
	}
	return false, true
}

// MayExist reports whether a word may name a file.
func (f *files) MayExist(w word.Word) bool {
	if f.Exists == nil || !w.Known() || w.Text == "." || strings.HasPrefix(w.Text, ":") {
		return true
	}
	paths := f.Resolve(w)
	return len(paths) == 0 || slices.ContainsFunc(paths, f.Exists)
}

// SurelyExists reports whether a word certainly names a file.
func (f *files) SurelyExists(w word.Word) bool {
	paths := f.Resolve(w)
	return f.Exists != nil && w.Known() && len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool { return !f.Exists(p) })
}

// entries returns the absolute paths of the entries that a word names, without
// following a link at their end; of a pattern, the directory that all of them are
// below. None means that nothing is certain.
func (f *files) entries(w word.Word) []string {
	if !w.Known() {
		if !w.Lit || strings.HasSuffix(w.Text, "/") || w.MayBeOption() {
			return nil // anything, or a directory behind a link
		}
		return f.Resolve(w)
	}
	dir, name := path.Split(strings.TrimRight(path.Clean(w.Text), "/"))
	if name == "" || name == "." || name == ".." {
		return nil
	}
	entries := f.Resolve(word.Literal(cmp.Or(dir, ".")))
	for i := range entries {
		entries[i] = path.Join(entries[i], name)
	}
	return entries
}

// vital reports whether abs is above the workspace, a home directory, or a
// directory that the system or a home cannot be without.
func (f *files) vital(abs string) bool {
	if f.Within(abs) && f.Root != "/" {
		return false
	}
	home := cmp.Or(f.Home(), word.UnnamedHome)
	if workspace.Within(f.Root, abs) || workspace.Within(home, abs) || abs == home {
		return true
	}
	dir, base := path.Split(abs)
	switch dir {
	case "/":
		return word.Listed("bin boot dev etc home lib lib32 lib64 opt proc root run sbin srv sys usr var Applications Library System Users private Windows", base)
	case "/home/", "/Users/", "/usr/", "/var/":
		return true
	}
	return false
}

// otherRepository reports whether git may work in another repository than those in
// which the command starts: whoever runs the command keeps the settings of these from
// naming programs.
func (f *files) otherRepository(dirs []word.Word) bool {
	if f.lost {
		return true
	}
	for _, at := range f.cwds {
		for _, dir := range dirs {
			if !dir.Known() {
				return true
			}
			if path.IsAbs(dir.Text) {
				at = path.Clean(dir.Text)
			} else {
				at = path.Join(at, dir.Text)
			}
		}
		if f.Exists == nil || at == f.Root || at == path.Clean(f.Cwd) {
			continue
		}
		if top := f.repository(at); top != f.repository(f.Root) && top != f.repository(path.Clean(f.Cwd)) {
			return true
		}
	}
	return false
}

// repository returns the directory of the repository that dir is in, "" if it is in
// none.
func (f *files) repository(dir string) string {
	for ; ; dir = path.Dir(dir) {
		if f.Exists(path.Join(dir, ".git")) {
			return dir
		}
		if dir == path.Dir(dir) {
			return ""
		}
	}
}

// discarded returns what git takes out of the working tree of the workspace when it
// discards the changes of some paths; false if that is not known.
func (f *files) discarded(paths []word.Word, d Discard) (Discard, bool) {
	if f.Exists == nil || f.lost {
		return d, false
	}
	for _, dir := range f.cwds {
		if !f.Within(dir) || f.repository(dir) != f.Root {
			return d, false
		}
	}
	for _, w := range paths {
		if !w.Known() || w.Text == "" || strings.ContainsAny(w.Text, "*?[\\") || w.Text[0] == ':' {
			return d, false // a pattern of git's
		}
		for _, p := range f.Resolve(w) {
			if !f.Within(p) {
				return d, false
			}
			d.Paths = append(d.Paths, p)
		}
	}
	if len(paths) == 0 && d.Untracked {
		d.Paths = slices.Clone(f.cwds)
	}
	return d, len(paths) == 0 || len(d.Paths) > 0
}
