package workspace

import (
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/schema"
)

// guard refuses a use that changes a protected path, be it by the spelling rel
// or by the path real that it leads to.
func (r *Root) guard(name, rel, real string, use schema.PathUse) error {
	gitDir := foldPath(r.gitDir())
	names, realNames := foldPath(rel), foldPath(real)
	if r.isProtected(names, use, gitDir) || rel != real && r.isProtected(realNames, use, gitDir) {
		return protectedFault(name)
	}
	for _, reserved := range r.reserved() {
		for _, at := range [...][]string{names, realNames} {
			takesAway := use == schema.RemovePath || use == replaceEntry
			if startsWith(at, reserved) || takesAway && startsWith(reserved, at) {
				return protectedFault(name)
			}
		}
	}
	return nil
}

// reserved returns the paths of [Options.Reserved] that are in the workspace, as
// they are spelled and as they resolve, folded.
func (r *Root) reserved() [][]string {
	var all [][]string
	for _, abs := range r.opts.Reserved {
		rel, ok := r.within(filepath.Clean(abs))
		if !ok || rel == "." {
			continue
		}
		all = append(all, foldPath(rel))
		if real, err := r.canonical(rel, true); err == nil && real != rel {
			all = append(all, foldPath(real))
		}
	}
	return all
}

// isProtected judges by folded names alone. These are protected at every depth:
// .helve and everything below it; .git itself, so that nothing can replace it; in
// .git, what names a program to run or another file to read settings from; and
// [Options.Protected].
func (r *Root) isProtected(names []string, use schema.PathUse, gitDir []string) bool {
	for i, name := range names {
		if sameName(name, ".helve") {
			return true
		}
		if r.restores {
			continue
		}
		if !moves(use) && sameName(name, ".git") && (i == len(names)-1 || slices.ContainsFunc(names[i+1:], gitTrusts)) {
			return true
		}
		for _, seq := range r.protected {
			n := min(len(seq), len(names)-i)
			if !slices.EqualFunc(names[i:i+n], seq[:n], sameName) {
				continue
			}
			// The parent of a protected path must not be moved away, as the path
			// could then be made again, nor be replaced.
			if n == len(seq) || use == schema.RemovePath || use == replaceEntry || moves(use) {
				return true
			}
		}
	}
	// The same for a repository whose directory has another name.
	if !r.restores && !moves(use) && len(gitDir) > 0 && startsWith(names, gitDir) {
		rest := names[len(gitDir):]
		return len(rest) == 0 || slices.ContainsFunc(rest, gitTrusts)
	}
	return false
}

func startsWith(names, prefix []string) bool {
	return len(names) >= len(prefix) && slices.EqualFunc(names[:len(prefix)], prefix, sameName)
}

// gitTrusts reports whether git runs the entry with this folded name, or reads
// settings from it, in the directory of a repository, or of a submodule or worktree
// below it. See gitrepository-layout(5).
func gitTrusts(name string) bool {
	for _, trusted := range [...]string{"hooks", "config", "config.worktree", "commondir"} {
		if sameName(name, trusted) {
			return true
		}
	}
	return false
}

// inRepository reports whether rel is below a .git, or above the directory that
// replaces one. No directory may be moved there or away: it may contain hooks under
// names that were not checked.
func (r *Root) inRepository(rel string) bool {
	if r.restores {
		return false
	}
	names, gitDir := foldPath(rel), foldPath(r.gitDir())
	return slices.ContainsFunc(names, func(name string) bool { return sameName(name, ".git") }) ||
		len(gitDir) > 0 && (startsWith(names, gitDir) || startsWith(gitDir, names))
}

// gitPointer is how many bytes of a .git file are read; it contains one path.
const gitPointer = 4 << 10

// gitDir returns the directory in the workspace that the root's .git leads to, by a
// link or a "gitdir:" file. It returns "" if .git is that directory itself, does
// not exist or leads out.
func (r *Root) gitDir() string {
	lenient := *r
	lenient.opts.Symlinks = Follow // as git does
	r = &lenient
	real, err := r.canonical(".git", true)
	if err != nil {
		return ""
	}
	info, err := r.lstat(real)
	switch {
	case err != nil:
		return ""
	case info.IsDir() && real == ".git":
		return ""
	case info.IsDir():
		return real
	case !info.Mode().IsRegular():
		return ""
	}
	f, err := r.handle.open(real, false)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, gitPointer))
	if err != nil {
		return ""
	}
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	if !ok {
		return ""
	}
	target = filepath.FromSlash(strings.TrimSpace(target))
	if !filepath.IsAbs(target) {
		target = filepath.Join(r.dir, filepath.FromSlash(path.Dir(real)), target)
	}
	rel, ok := r.within(filepath.Clean(target))
	if !ok {
		return ""
	}
	if real, err = r.canonical(rel, true); err != nil || real == "." {
		return ""
	}
	return real
}

// isProtectedFile reports whether info is one of the root's protected files under
// another name, a hard link. Writing in place would change the protected file.
func (r *Root) isProtectedFile(info fs.FileInfo) bool {
	if r.restores {
		return false
	}
	gitDir := r.gitDir()
	if gitDir == "" {
		gitDir = ".git"
	}
	for _, dir := range [...]string{".helve", gitDir, path.Join(gitDir, "hooks")} {
		entries, err := r.list(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.Info != nil && sameFile(e.Info, info) {
				return dir != gitDir || gitTrusts(foldName(e.Name))
			}
		}
	}
	return false
}
