package gitdir

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Dir is a directory of git's: .git, or what stands for it.
type Dir struct {
	Path string // absolute, as git spells it
	// Common is the directory that worktrees share, with settings, hooks and objects. It
	// is Path for all others.
	Common string
	// Top is the directory with the .git that leads here; "" without one, as of a
	// bare repository.
	Top string
}

// At returns the directory that top/.git leads to: itself, the target of a link, or
// what a "gitdir:" file names. It need not exist, nor be one that git accepts.
func At(top string) (Dir, bool) {
	git := filepath.Join(top, ".git")
	info, err := os.Stat(git)
	if err != nil {
		return Dir{}, false
	}
	if !info.IsDir() {
		target, ok := Pointer(git)
		if !ok {
			return Dir{}, false
		}
		git = target
	}
	return Of(git, top), true
}

// Above is [At] for the first directory from dir upwards that has a .git.
func Above(dir string) (Dir, bool) {
	for {
		if d, ok := At(dir); ok {
			return d, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return Dir{}, false
		}
		dir = parent
	}
}

// Of returns a directory by its path, with the top of its work tree, "" if unknown.
func Of(path, top string) Dir {
	d := Dir{Path: path, Common: path, Top: top}
	if common := firstLine(filepath.Join(path, "commondir")); common != "" {
		d.Common = pathIn(path, common)
	}
	return d
}

// Pointer returns what a file "gitdir: PATH" names.
func Pointer(file string) (target string, ok bool) {
	line, ok := strings.CutPrefix(firstLine(file), "gitdir:")
	if line = strings.TrimSpace(line); !ok || line == "" {
		return "", false
	}
	return pathIn(filepath.Dir(file), line), true
}

func firstLine(name string) string {
	text, err := readFile(name)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimRight(line, "\r")
}

// Is reports whether git accepts a directory as one of its own, bare ones included. It only
// asks whether it may enter the parts, which may be sockets or programs.
func Is(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common := Of(dir, "").Common
	for _, name := range [...]string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || info.Mode().Perm()&0o111 == 0 {
			return false
		}
	}
	return true
}

// Settings returns the settings of the repository alone, not the person's.
func (d Dir) Settings(r Reader) Settings {
	return r.Read(filepath.Join(d.Common, "config"), filepath.Join(d.Path, "config.worktree"))
}

// Named are paths that the settings of a repository name.
type Named struct {
	Files    []string // of settings and attributes
	Hooks    []string // directories of hooks
	Programs []string // files of the work tree that settings run
}

// Named returns what settings name, as absolute paths.
func (d Dir) Named(r Reader, s Settings) (n Named) {
	own := []string{filepath.Join(d.Common, "config"), filepath.Join(d.Path, "config.worktree")}
	for _, file := range s.Files {
		if !slices.Contains(own, file) {
			n.Files = append(n.Files, file)
		}
	}
	base := d.Top
	if base == "" {
		base = d.Path
	}
	for _, one := range s.All {
		switch {
		case one.Is("core", "hookspath"):
			if path := r.Expand(one.Value, base); path != "" {
				n.Hooks = append(n.Hooks, path)
			}
		case one.Is("core", "attributesfile"):
			if path := r.Expand(one.Value, base); path != "" {
				n.Files = append(n.Files, path)
			}
		case one.Runs():
			n.Programs = append(n.Programs, programs(base, one.Value)...)
		}
	}
	return n
}

// programs returns the files that a command names, which git runs from the top of the
// work tree, and words of it that may name one that does not exist yet.
func programs(base, command string) (all []string) {
	for _, word := range strings.FieldsFunc(command, func(c rune) bool { return strings.ContainsRune(" \t\n\"'`;&|<>()$!", c) }) {
		path := pathIn(base, word)
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() || err != nil && strings.Contains(word, "/") && !strings.Contains(word, ":") {
			all = append(all, path)
		}
	}
	return all
}

// maxInner limits the directories below one that are examined.
const maxInner = 1000

// Inner returns the directories of submodules and worktrees that git keeps in this
// one; complete is false if there are too many.
func (d Dir) Inner() (all []Dir, complete bool) {
	budget := maxInner
	all = inner(d.Common, &budget)
	return all, budget > 0
}

func inner(common string, budget *int) (all []Dir) {
	var modules func(dir string)
	modules = func(dir string) {
		for _, path := range subdirectories(dir, budget) {
			if _, err := os.Lstat(filepath.Join(path, "HEAD")); err != nil {
				modules(path) // the name of a submodule may have slashes
				continue
			}
			all = append(append(all, Of(path, "")), inner(path, budget)...)
		}
	}
	for _, path := range subdirectories(filepath.Join(common, "worktrees"), budget) {
		all = append(all, Of(path, WorktreeTop(path)))
		modules(filepath.Join(path, "modules")) // a worktree has submodules of its own
	}
	modules(filepath.Join(common, "modules"))
	return all
}

// WorktreeTop returns the top of a worktree by git's directory for it, whose file
// gitdir names it; "" if it does not.
func WorktreeTop(path string) string {
	back := firstLine(filepath.Join(path, "gitdir"))
	if back == "" {
		return ""
	}
	return filepath.Dir(pathIn(path, back))
}

func subdirectories(dir string, budget *int) (all []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if *budget--; *budget <= 0 {
			return all
		}
		if e.IsDir() {
			all = append(all, filepath.Join(dir, e.Name()))
		}
	}
	return all
}
