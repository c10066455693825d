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

// reserved is where in the workspace the paths of [Options.Reserved] lie, as
// they are spelled and where their links lead, folded.
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

// isProtected judges by folded names alone. Wherever they stand in the tree,
// these are protected: .helve and all below it; .git itself, so that nothing can
// be put in its place; in .git, whatever names a program to run or another place
// to read configuration from; and [Options.Protected].
func (r *Root) isProtected(names []string, use schema.PathUse, gitDir []string) bool {
	for i, name := range names {
		if sameName(name, ".helve") {
			return true
		}
		if !moves(use) && sameName(name, ".git") && (i == len(names)-1 || slices.ContainsFunc(names[i+1:], gitTrusts)) {
			return true
		}
		for _, seq := range r.protected {
			n := min(len(seq), len(names)-i)
			if !slices.EqualFunc(names[i:i+n], seq[:n], sameName) {
				continue
			}
			// The parent of a protected path must neither be moved away, which
			// would leave the path to be made anew, nor be replaced.
			if n == len(seq) || use == schema.RemovePath || use == replaceEntry || moves(use) {
				return true
			}
		}
	}
	// The same for a repository whose directory has another name.
	if !moves(use) && len(gitDir) > 0 && startsWith(names, gitDir) {
		rest := names[len(gitDir):]
		return len(rest) == 0 || slices.ContainsFunc(rest, gitTrusts)
	}
	return false
}

func startsWith(names, prefix []string) bool {
	return len(names) >= len(prefix) && slices.EqualFunc(names[:len(prefix)], prefix, sameName)
}

// gitTrusts reports whether git runs, or takes its configuration from, what
// has this (folded) name in a repository's directory or in that of a submodule
// or worktree below it. See gitrepository-layout(5).
func gitTrusts(name string) bool {
	for _, trusted := range [...]string{"hooks", "config", "config.worktree", "commondir"} {
		if sameName(name, trusted) {
			return true
		}
	}
	return false
}

// inRepository reports whether rel is below a .git, or above the directory that
// stands for one. A whole directory must neither come there nor go: it may bring
// hooks under names that were not looked at.
func (r *Root) inRepository(rel string) bool {
	names, gitDir := foldPath(rel), foldPath(r.gitDir())
	return slices.ContainsFunc(names, func(name string) bool { return sameName(name, ".git") }) ||
		len(gitDir) > 0 && (startsWith(names, gitDir) || startsWith(gitDir, names))
}

// gitPointer is the most that a .git file is read of; it holds one path.
const gitPointer = 4 << 10

// gitDir is the directory inside the workspace that the root's .git leads to,
// by a link or a "gitdir:" file; "" if .git is that directory itself, is absent
// or leads out.
func (r *Root) gitDir() string {
	lenient := *r
	lenient.opts.Symlinks = Follow // git does, whatever we do
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

// isProtectedFile reports whether info is one of the root's protected files
// under another name: a hard link to it. Writing in place would go through.
func (r *Root) isProtectedFile(info fs.FileInfo) bool {
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
