//go:build !linux

package walk

import "github.com/helve-dev/helve/pkg/workspace"

// Open returns a workspace as a root, and what releases it.
func Open(root *workspace.Root) (_ Root, release func(), err error) {
	std, err := root.Std()
	if err != nil {
		return Root{}, nil, err
	}
	return Std(std), func() { _ = std.Close() }, nil // nothing was written through it
}
