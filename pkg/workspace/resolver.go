package workspace

import (
	"os"
	"path/filepath"
)

// A Resolver resolves the symbolic links of many paths, and looks at each directory that
// leads to them once. So it is for paths that are looked at in one go.
type Resolver struct{ dirs map[string]resolved }

type resolved struct {
	path string
	err  error
}

// Resolve returns what [filepath.EvalSymlinks] returns.
func (r *Resolver) Resolve(path string) (string, error) {
	dir := filepath.Dir(path)
	if !filepath.IsAbs(path) || filepath.Clean(path) != path || filepath.Separator != '/' || dir == path {
		return filepath.EvalSymlinks(path)
	}
	above, known := r.dirs[dir]
	if !known {
		above.path, above.err = r.Resolve(dir)
		if r.dirs == nil {
			r.dirs = map[string]resolved{}
		}
		r.dirs[dir] = above
	}
	if above.err != nil {
		return "", above.err
	}
	path = filepath.Join(above.path, filepath.Base(path))
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		return filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", err
	}
	return path, nil
}
