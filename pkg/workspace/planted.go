package workspace

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// RefusedMark is in the names of what was moved aside. Nothing obeys such a name.
const RefusedMark = ".refused-"

// Planted returns the absolute paths, in the tree and in the repository that it is in,
// that other programs now execute or obey and did not before: the survey now has them and
// s has not. A new repository is ordinary work, but not the files in it that git itself
// does not write, such as a hook or a setting that names a program. Paths for which known
// returns true are left out: they were there before, maybe under another name, and are
// unchanged. Once the returned paths are moved away, there may be more.
func (s Survey) Planted(now Survey, known func(abs string) bool) []string {
	root := s.Root
	p := planting{before: s, root: root, known: known}
	for _, rel := range now.Obeyed {
		if !slices.Contains(s.Obeyed, rel) {
			p.add(filepath.Join(root, filepath.FromSlash(rel)))
		}
	}
	for _, pointer := range now.Pointers {
		p.pointer(pointer)
	}
	for _, d := range now.Git {
		p.repository(d)
	}
	slices.Sort(p.found)
	return slices.Compact(p.found)
}

type planting struct {
	before Survey
	root   string
	known  func(string) bool
	found  []string
}

func (p *planting) add(abs string) {
	if p.judged(abs) && !p.known(abs) {
		p.found = append(p.found, abs)
	}
}

// pointer judges a .git that is no directory: it may lead to a repository that is
// judged itself.
func (p *planting) pointer(at Pointer) {
	if slices.Contains(p.before.Pointers, at) {
		return
	}
	if path.Base(at.Path) != ".git" || at.Leads == "" || !p.judged(at.Leads) {
		p.add(filepath.Join(p.root, filepath.FromSlash(at.Path)))
	}
}

// judged reports whether one of git's directories is in the tree, or in a repository
// that was there before.
func (p *planting) judged(dir string) bool {
	return WithinOS(dir, p.root) || slices.ContainsFunc(p.before.Git, func(d gitdir.Dir) bool { return WithinOS(dir, d.Common) })
}

// repository judges one of git's directories, new or not.
func (p *planting) repository(d gitdir.Dir) {
	if !WithinOS(d.Path, p.root) && slices.ContainsFunc(p.before.Git, func(b gitdir.Dir) bool { return b.Path == d.Path }) {
		return
	}
	if d.Common != d.Path && !p.judged(d.Common) {
		p.add(filepath.Join(d.Path, "commondir"))
	}
	for _, file := range [...]string{filepath.Join(d.Common, "config"), filepath.Join(d.Path, "config.worktree")} {
		if !harmless(file) {
			p.add(file)
		}
	}
	for _, name := range gitdir.Resumed {
		dir := filepath.Join(d.Path, name)
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			p.add(dir) // a link, to steps that may change at any time
		}
	}
	for _, line := range d.TodoRuns() {
		if !slices.Contains(p.before.TodoRuns, line) {
			p.add(filepath.Join(d.Path, filepath.FromSlash(gitdir.Todo)))
		}
	}
	hooks := filepath.Join(d.Common, "hooks")
	entries, err := os.ReadDir(hooks)
	if info, lerr := os.Lstat(hooks); lerr == nil && (!info.IsDir() || err != nil) {
		p.add(hooks) // a link, for example
		return
	}
	for _, e := range entries {
		if name := e.Name(); !strings.HasSuffix(name, ".sample") && !strings.Contains(name, RefusedMark) {
			p.add(filepath.Join(hooks, e.Name()))
		}
	}
}

// harmless reports whether a file of settings has none but those that git writes by
// itself; so has one that does not exist.
func harmless(file string) bool {
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return false
	}
	s := gitdir.Reader{}.Read(file)
	return !s.Unclear && !slices.ContainsFunc(s.All, func(one gitdir.Setting) bool { return !one.Harmless() })
}
