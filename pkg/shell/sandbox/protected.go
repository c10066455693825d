package sandbox

import (
	"path/filepath"
	"slices"

	"github.com/helve-dev/helve/pkg/workspace"
)

// protectReal adds to the protected paths where they lead: a link to a directory
// of hooks protects nothing by itself.
func (p *Profile) protectReal() {
	for _, path := range slices.Clone(p.Protected) {
		real := resolve(path)
		inside := slices.ContainsFunc(p.roots(), func(root string) bool { return workspace.WithinOS(real, root) && root != real })
		if inside && !slices.Contains(p.Protected, real) {
			p.Protected = append(slices.Clip(p.Protected), real)
		}
	}
}

// resolve follows the links of a path as far as it exists.
func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolve(dir), filepath.Base(path))
	}
	return path
}
