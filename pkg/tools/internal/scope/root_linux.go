package scope

import (
	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace"
)

func descriptor(root *workspace.Root) (search.Root, func(), error) {
	fd, err := root.Descriptor()
	if err != nil {
		return search.Root{}, nil, err
	}
	return walk.FD(fd), func() { _ = unix.Close(fd) }, nil // nothing was written through it
}
