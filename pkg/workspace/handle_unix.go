//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"sync"

	"golang.org/x/sys/unix"
)

// handle is the open root. If the kernel can confine a path, it does so in one call.
// Else os.Root confines paths whose links are followed, and [descend] those whose
// links are not.
type handle struct {
	mu  sync.RWMutex // held for reading during a call on fd
	fd  int          // -1 once closed
	std *os.Root     // nil if the kernel confines
	dev uint64       // the root's file system
}

func openHandle(dir string) (*handle, error) {
	fd, err := kernelOpen(unix.AT_FDCWD, dir, pathOnly|unix.O_DIRECTORY, anywhere)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) { // an older kernel; a container's seccomp filter
		return openHandleStd(dir)
	}
	if err != nil {
		return nil, err
	}
	return newHandle(fd, nil)
}

func openHandleStd(dir string) (*handle, error) {
	fd, err := openat(unix.AT_FDCWD, dir, pathOnly|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	std, err := os.OpenRoot(dir)
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	return newHandle(fd, std)
}

func newHandle(fd int, std *os.Root) (*handle, error) {
	h := &handle{fd: fd, std: std}
	info, err := fstat(fd, ".")
	if err == nil && std != nil {
		// Both opens went by name and must have found the same directory.
		var other fs.FileInfo
		if other, err = std.Stat("."); err == nil && !sameFile(info, other) {
			err = swapped
		}
	}
	if err != nil {
		return nil, errors.Join(err, h.close())
	}
	h.dev = uint64(info.st.Dev)
	return h, nil
}

func (h *handle) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.fd < 0 {
		return nil
	}
	err := unix.Close(h.fd)
	h.fd = -1
	if h.std != nil {
		err = errors.Join(err, h.std.Close())
	}
	return err
}

// stat describes the root itself.
func (h *handle) stat() (fs.FileInfo, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.fd < 0 {
		return nil, fs.ErrClosed
	}
	return fstat(h.fd, ".")
}

// sub opens the directory rel, without links, as a root of its own.
func (h *handle) sub(rel string) (*handle, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	fd, err := h.openDir(rel, pathOnly|unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	if h.std == nil {
		return newHandle(fd, nil)
	}
	std, err := h.std.OpenRoot(Unescape(rel))
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	return newHandle(fd, std)
}

// open opens the regular file or directory rel for reading. It never blocks and
// never leaves the root. If links is false, a link anywhere in rel is an error.
func (h *handle) open(rel string, links bool) (*os.File, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	const flags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY
	switch {
	case h.fd < 0:
		return nil, fs.ErrClosed
	case h.std == nil:
		how := uint64(inside)
		if !links {
			how = insideWithoutLinks
		}
		fd, err := kernelOpen(h.fd, Unescape(rel), flags, how)
		if err != nil {
			return nil, err
		}
		return h.regular(fd, rel)
	case links:
		f, err := h.std.OpenFile(Unescape(rel), flags, 0)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		fd, err := dup(f)
		if err != nil {
			return nil, err
		}
		return h.regular(fd, rel)
	}
	parent, err := h.openDir(path.Dir(rel), pathOnly|unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	defer unix.Close(parent)
	fd, err := openat(parent, Unescape(path.Base(rel)), flags|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	return h.regular(fd, rel)
}

// regular returns the file of a descriptor that was opened without blocking, if it
// is a regular file or a directory.
func (h *handle) regular(fd int, rel string) (*os.File, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		unix.Close(fd)
		return nil, err
	}
	if kind := st.Mode & unix.S_IFMT; kind != unix.S_IFREG && kind != unix.S_IFDIR {
		unix.Close(fd)
		return nil, special
	}
	if uint64(st.Dev) != h.dev && kernelFS(fd) {
		unix.Close(fd)
		return nil, kernelOwn
	}
	// Of the flags that F_SETFL can change, only O_NONBLOCK was set.
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, 0); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), rel), nil
}

// directory opens the directory rel, in which no name may be a link. With create
// it makes missing directories, and made lists them from the top.
func (h *handle) directory(rel string, create bool) (d *directory, made []string, err error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.fd < 0 {
		return nil, nil, fs.ErrClosed
	}
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NONBLOCK
	listed := true
	fd, err := h.openDir(rel, flags)
	if errors.Is(err, unix.EACCES) { // it may be entered but not listed
		listed = false
		fd, err = h.openDir(rel, pathOnly|unix.O_DIRECTORY)
	}
	if errors.Is(err, unix.ENOENT) && create {
		fd, made, err = descend(h.fd, rel, flags, true)
	}
	if err != nil {
		return nil, made, err
	}
	d = &directory{fd: fd, listed: listed}
	i, err := fstat(fd, rel)
	if err == nil && uint64(i.st.Dev) != h.dev && kernelFS(fd) {
		err = kernelOwn
	}
	if err != nil {
		d.close()
		return nil, made, err
	}
	return d, made, nil
}

// openDir opens the directory rel without following links.
func (h *handle) openDir(rel string, flags int) (int, error) {
	if h.fd < 0 {
		return -1, fs.ErrClosed
	}
	if h.std == nil {
		return kernelOpen(h.fd, Unescape(rel), flags, insideWithoutLinks)
	}
	fd, _, err := descend(h.fd, rel, flags, false)
	return fd, err
}
