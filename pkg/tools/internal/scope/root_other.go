//go:build !linux

package scope

import (
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace"
)

func descriptor(root *workspace.Root) (search.Root, func(), error) {
	std, err := root.Std()
	if err != nil {
		return search.Root{}, nil, err
	}
	return walk.Std(std), func() { _ = std.Close() }, nil // nothing was written through it
}
