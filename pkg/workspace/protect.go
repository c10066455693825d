package workspace

import (
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// guard refuses a use that changes a protected path, be it by its spelling or by the
// path real that it leads to.
func (r *Root) guard(p Path, real string, use schema.PathUse) error {
	names, realNames := foldPath(p.rel), foldPath(real)
	if r.isOwn(names, use) || p.rel != real && r.isOwn(realNames, use) {
		return protectedFault(p)
	}
	for _, reserved := range r.reserved() {
		for _, at := range [...][]string{names, realNames} {
			takesAway := use == schema.RemovePath || use == replaceEntry
			if startsWith(at, reserved) || takesAway && startsWith(reserved, at) {
				return protectedFault(p)
			}
		}
	}
	if moves(use) || r.restores {
		return nil
	}
	gitDir := foldPath(r.gitDir())
	if (isGits(names, gitDir) || p.rel != real && isGits(realNames, gitDir) || r.inRepositoryOfAnyName(real)) && !(r.permits(p.rel) && r.permits(real)) {
		return protectedFault(p)
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

// isOwn judges by folded names alone. These are protected at every depth: .helve and
// everything below it, and [Options.Protected].
func (r *Root) isOwn(names []string, use schema.PathUse) bool {
	for i, name := range names {
		if sameName(name, ".helve") {
			return true
		}
		if r.restores {
			continue
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
	return false
}

// isGits judges by folded names alone: .git and everything in it; the same for a
// repository whose directory has another name, gitDir.
func isGits(names, gitDir []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return sameName(name, ".git") }) ||
		len(gitDir) > 0 && startsWith(names, gitDir)
}

func startsWith(names, prefix []string) bool {
	return len(names) >= len(prefix) && slices.EqualFunc(names[:len(prefix)], prefix, sameName)
}

// gitTrusts reports whether git runs the entry with this folded name, or reads
// settings from it, in the directory of a repository, or of a submodule or worktree
// below it: a list of commits to rebase names commands as well. See
// gitrepository-layout(5).
func gitTrusts(name string) bool {
	for _, trusted := range [...]string{
		"hooks", "config", "config.worktree", "commondir", "gitdir", "attributes", "rebase-merge", "rebase-apply", "sequencer",
	} {
		if sameName(name, trusted) {
			return true
		}
	}
	return false
}

// inRepositoryOfAnyName reports whether rel, which has no links, makes a directory one
// that git takes for a repository, such as a bare one, or is in such a directory
// something that makes it one or that git trusts.
func (r *Root) inRepositoryOfAnyName(rel string) bool {
	names := pathNames(rel)
	for i, name := range foldPath(rel) {
		part := slices.ContainsFunc([]string{"head", "objects", "refs", "commondir"}, func(want string) bool { return sameName(name, want) })
		if !part && !gitTrusts(name) && !sameName(name, "info") {
			continue
		}
		dir := joinNames(names[:i])
		has := func(want string) bool {
			_, err := r.lstat(path.Join(dir, want))
			return err == nil || sameName(name, strings.ToLower(want))
		}
		if !has("HEAD") || !has("commondir") && (!has("objects") || !has("refs")) {
			continue
		}
		if part || slices.ContainsFunc(names[i:], func(name string) bool { return gitTrusts(foldName(name)) }) {
			return true
		}
	}
	return false
}

// Asks reports whether a person must be asked before a use of a path that changes it,
// because other programs obey what is there: by its names, as it is spelled and as it
// resolves, or because the settings of its repository name it. What is refused is not
// asked about.
func (r *Root) Asks(p Path, use schema.PathUse) bool {
	if use == schema.ReadPath {
		return false
	}
	all := []string{p.rel}
	if real, err := r.canonical(p.rel, follows(use)); err == nil && real != p.rel {
		all = append(all, real)
	}
	return slices.ContainsFunc(all, func(rel string) bool {
		class, _ := Obeyed(rel)
		return class == Asked || (use == schema.RemovePath || use == schema.CreatePath) && leadsToObeyed(rel)
	}) || r.named(all[len(all)-1], use)
}

// named reports whether the settings of the repository that rel is in name it, or a
// directory above it; or something below it, if a directory may be moved there or away.
func (r *Root) named(rel string, use schema.PathUse) bool {
	whole := use == schema.RemovePath || use == schema.CreatePath
	abs := r.Path(rel)
	d, ok := gitdir.Above(filepath.Dir(abs))
	if !ok {
		return false
	}
	reader := gitdir.Reader{Every: true}
	n := d.Named(reader, d.Settings(reader))
	return slices.ContainsFunc(slices.Concat(n.Files, n.Hooks, n.Programs), func(path string) bool {
		return WithinOS(abs, path) || whole && abs != r.dir && WithinOS(path, abs)
	})
}

// inRepository reports whether rel is below a .git, or above the directory that
// replaces one. No directory may be moved there or away: it may contain hooks under
// names that were not checked.
func (r *Root) inRepository(rel string) bool {
	if r.restores {
		return false
	}
	names, gitDir := foldPath(rel), foldPath(r.gitDir())
	return isGits(names, gitDir) || len(gitDir) > 0 && startsWith(gitDir, names)
}

// gitPointer limits the bytes read of a .git file, which contains one path.
const gitPointer = 4 << 10

// gitDir returns the directory in the workspace that the root's .git leads to, by a
// link or a "gitdir:" file. It returns "" if .git is that directory itself, does
// not exist or leads out.
func (r *Root) gitDir() string {
	// Links are followed, as git does.
	r = &Root{dir: r.dir, spelled: r.spelled, handle: r.handle, self: r.self}
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
		target = filepath.Join(r.Path(path.Dir(real)), target)
	}
	rel, ok := r.within(filepath.Clean(target))
	if !ok {
		return ""
	}
	if real, err = r.canonical(Escape(rel), true); err != nil || real == "." {
		return ""
	}
	return real
}

// isProtectedFile reports whether info is one of the root's protected files under
// another name, a hard link: writing in place would change the protected file.
func (r *Root) isProtectedFile(info fs.FileInfo) bool {
	if r.restores {
		return false
	}
	survey := SurveyOf(r.dir)
	all := append(escapeAll(slices.Clone(survey.Obeyed)), ".helve")
	for _, abs := range survey.Guarded() {
		if rel, ok := r.Rel(abs); ok {
			all = append(all, rel)
		}
	}
	return slices.ContainsFunc(all, func(rel string) bool { return r.holds(rel, info) })
}

// holds reports whether a file is at a path or below it.
func (r *Root) holds(rel string, file fs.FileInfo) bool {
	info, err := r.lstat(rel)
	if err != nil {
		return false
	}
	if !info.IsDir() {
		return sameFile(info, file)
	}
	entries, err := r.list(rel)
	return err == nil && slices.ContainsFunc(entries, func(e Entry) bool { return r.holds(path.Join(rel, e.Name), file) })
}
