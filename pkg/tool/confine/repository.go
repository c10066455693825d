package confine

import (
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace"
	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// Repository returns git's directories of the repository that the workspace is in, if
// they lie outside: git add and git commit write there. What git runs or obeys in them
// stays protected; see [workspace.Survey].
//
// A .git directory above the workspace is believed, unless it makes the person's home
// the work tree. A .git file may say anything, as it may lie in the workspace, so the
// directory that it names must name the work tree in turn: see git-worktree(1) for
// linked ones, and core.worktree in git-config(1) for submodules.
func (p *Sandboxed) Repository() []string {
	d, ok := gitdir.Above(p.Root.Dir())
	if !ok {
		return nil
	}
	own, err := filepath.EvalSymlinks(d.Path)
	if err != nil || workspace.WithinOS(own, p.Root.Dir()) || d.Top == p.Machine.Home {
		return nil
	}
	switch git := filepath.Join(d.Top, ".git"); {
	case own == git:
		if gitdir.Is(own) {
			return []string{own}
		}
	case filepath.Base(filepath.Dir(own)) == "worktrees":
		common := gitdir.Of(own, "").Common
		if back, err := filepath.EvalSymlinks(filepath.Join(gitdir.WorktreeTop(own), ".git")); err == nil && back == git && common == filepath.Dir(filepath.Dir(own)) {
			return []string{own, common}
		}
	case strings.Contains(filepath.ToSlash(own), "/modules/"):
		if top, err := filepath.EvalSymlinks(workTree(own)); err == nil && top == d.Top && gitdir.Is(own) {
			return []string{own}
		}
	}
	return nil
}

// workTree returns the work tree that the settings of a repository name, "" if they name
// none.
func workTree(dir string) (top string) {
	r := gitdir.Reader{}
	for _, one := range gitdir.Of(dir, "").Settings(r).All {
		if one.Is("core", "worktree") {
			top = r.Expand(one.Value, dir)
		}
	}
	return top
}
