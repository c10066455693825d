package walk

import (
	"errors"
	"io"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Reader is an open file. The zero value is not.
type Reader struct {
	fd    int
	local bool
	std   *os.File
}

// Open opens a regular file of the directory for reading. It fails without
// waiting if the file has become a link, a pipe or a device in the meantime.
func (h *Handle) Open(e Entry) (Reader, error) {
	if h.std != nil {
		f, err := h.std.open(e.Name())
		return Reader{fd: -1, std: f}, err
	}
	name := unsafe.Pointer(unsafe.StringData(e.name))
	local := h.where() == isHere
	for {
		var fd uintptr
		var errno syscall.Errno
		if local {
			fd, _, errno = syscall.RawSyscall6(unix.SYS_OPENAT, uintptr(h.fd), uintptr(name), fileFlags|unix.O_LARGEFILE, 0, 0, 0)
		} else {
			fd, _, errno = syscall.Syscall6(unix.SYS_OPENAT, uintptr(h.fd), uintptr(name), fileFlags|unix.O_LARGEFILE, 0, 0, 0)
		}
		if errno == unix.EINTR {
			continue
		}
		if errno != 0 {
			return Reader{}, errno
		}
		r := Reader{fd: int(fd), local: local}
		if e.Type != File {
			if info, err := r.Stat(); err != nil || info.Type != File {
				r.Close()
				return Reader{}, errNotRegular
			}
		}
		return r, nil
	}
}

// Read continues where the last call ended, until p is full or the file ends.
// n < len(p) means the end; unlike an io.Reader it never returns io.EOF.
func (r Reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		m, err := r.some(p[n:])
		n += m
		if err != nil {
			return n, err
		}
		if m == 0 || r.local && n < len(p) {
			break
		}
	}
	return n, nil
}

func (r Reader) some(p []byte) (int, error) {
	if r.std != nil {
		n, err := r.std.Read(p)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return n, err
	}
	for {
		var n uintptr
		var errno syscall.Errno
		if r.local {
			n, _, errno = syscall.RawSyscall(unix.SYS_READ, uintptr(r.fd), uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
		} else {
			n, _, errno = syscall.Syscall(unix.SYS_READ, uintptr(r.fd), uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
		}
		if errno == unix.EINTR {
			continue
		}
		if errno != 0 {
			return 0, errno
		}
		return int(n), nil
	}
}

// ReadAt reads from an offset until p is full or the file ends, as Read does.
func (r Reader) ReadAt(p []byte, off int64) (n int, err error) {
	if r.std != nil {
		n, err := r.std.ReadAt(p, off)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return n, err
	}
	for n < len(p) {
		m, err := unix.Pread(r.fd, p[n:], off+int64(n))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return n, err
		}
		if m == 0 {
			break
		}
		n += m
	}
	return n, nil
}

// Map maps n bytes at an offset into memory, until unmap is called. If the file
// becomes shorter, reading the missing bytes is a memory fault (see
// debug.SetPanicOnFault). ok is false if the caller should read the file instead.
func (r Reader) Map(off int64, n int) (data []byte, unmap func(), ok bool) {
	if r.std != nil || !r.local {
		return nil, nil, false
	}
	lead := off & int64(os.Getpagesize()-1)
	m, err := unix.Mmap(r.fd, off-lead, int(lead)+n, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, false
	}
	return m[lead:], func() { unix.Munmap(m) }, true //nolint:errcheck // the range is ours
}

// Stat describes the open file.
func (r Reader) Stat() (Info, error) {
	if r.std != nil {
		return statPortable(r.std)
	}
	var st unix.Stat_t
	if err := unix.Fstat(r.fd, &st); err != nil {
		return Info{}, err
	}
	return infoOf(&st), nil
}

// Close releases the file.
func (r Reader) Close() {
	if r.std != nil {
		r.std.Close()
		return
	}
	closeFD(r.fd, r.local)
}
