package workspace

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// Descriptor returns an open directory of the root, for an engine that walks trees.
// The engine must open everything below it and follow no link. The caller closes it.
func (r *Root) Descriptor() (fd int, err error) {
	r.handle.mu.RLock()
	defer r.handle.mu.RUnlock()
	if r.handle.fd < 0 {
		return -1, r.failure(fs.ErrClosed, pathAt("."))
	}
	fd, err = unix.FcntlInt(uintptr(r.handle.fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return -1, r.failure(err, pathAt("."))
	}
	return fd, nil
}
