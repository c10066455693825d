//go:build linux && (amd64 || arm64)

package linux

import (
	"path/filepath"
	"slices"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// movable reports whether a path may be moved or removed with a directory above it, or
// be replaced by git.
func movable(p sandbox.Profile, path string) bool {
	return p.ChangesIn(path) || slices.Contains(p.Settings, path) || slices.ContainsFunc(p.Movable, func(dir string) bool { return dir != path && workspace.WithinOS(path, dir) })
}

// holder returns the directory that a path is protected in: if that is gone or was
// moved, so may what was in it.
func holder(p sandbox.Profile, path string) string {
	if dirs := marked(p, path); len(dirs) > 0 {
		path = dirs[0]
	}
	return filepath.Dir(path)
}

// marked returns those of the parents of a path that exist for what is in them, the
// outermost first: git's directories and those whose names begin with a dot. Others
// may be moved with everything in them.
func marked(p sandbox.Profile, path string) []string {
	dirs := p.Parents(path)
	i := slices.IndexFunc(dirs, func(dir string) bool {
		return filepath.Base(dir)[0] == '.' || gitdir.Is(dir)
	})
	if i < 0 {
		return nil
	}
	return dirs[i:]
}
