//go:build unix

package workspace

import (
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// descend opens the directory rel below fd one name at a time. It follows no link
// and rel has no "..", so it cannot leave. With create it makes missing
// directories, each durable before the next.
func descend(fd int, rel string, flags int, create bool) (_ int, made []string, err error) {
	names := pathNames(rel)
	const through = pathOnly | unix.O_DIRECTORY | unix.O_NOFOLLOW
	step := func(at int, name string, last bool) (next int, err error) {
		if last || create {
			next, err = openat(at, name, flags|unix.O_NOFOLLOW, 0)
		}
		if !last && (!create || errors.Is(err, unix.EACCES)) {
			next, err = openat(at, name, through, 0)
		}
		if errors.Is(err, unix.ENOTDIR) { // the error for a link, too
			if i, lstatErr := lstatat(at, name); lstatErr == nil && i.st.Mode&unix.S_IFMT == unix.S_IFLNK {
				err = unix.ELOOP
			}
		}
		return next, err
	}
	at, err := step(fd, ".", len(names) == 0)
	for i, name := range names {
		if err != nil {
			break
		}
		name = Unescape(name)
		last := i == len(names)-1
		var next int
		next, err = step(at, name, last)
		if errors.Is(err, unix.ENOENT) && create {
			if err = retry(func() error { return unix.Mkdirat(at, name, 0o777) }); err == nil {
				made = append(made, strings.Join(names[:i+1], "/"))
				if err = ignoreUnsupported(unix.Fsync(at)); errors.Is(err, unix.EBADF) { // opened with pathOnly
					err = nil
				}
			}
			if err == nil || errors.Is(err, unix.EEXIST) { // or another process was faster
				next, err = step(at, name, last)
			}
		}
		unix.Close(at)
		at = next
	}
	return at, made, err
}

func openat(dir int, name string, flags int, mode uint32) (fd int, err error) {
	err = retry(func() error {
		fd, err = unix.Openat(dir, name, flags|unix.O_CLOEXEC, mode)
		return err
	})
	return fd, err
}

func dup(f *os.File) (fd int, err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return -1, err
	}
	ctlErr := conn.Control(func(old uintptr) { fd, err = unix.FcntlInt(old, unix.F_DUPFD_CLOEXEC, 0) })
	return fd, errors.Join(ctlErr, err)
}

// retry repeats a call that a signal interrupted.
func retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// ignoreUnsupported returns nil for the errors by which a file system reports that
// it does not know an operation.
func ignoreUnsupported(err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) && slices.Contains([]syscall.Errno{
		unix.EINVAL, unix.ENOSYS, unix.ENOTSUP, unix.EOPNOTSUPP, // the last two are one on Linux
	}, errno) {
		return nil
	}
	return err
}

func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// isSpecial reports whether an open failed because of the kind of the file.
func isSpecial(err error) bool {
	return errors.Is(err, unix.ENXIO) || errors.Is(err, unix.ENODEV) || errors.Is(err, unix.EOPNOTSUPP)
}
