//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// directory is an open directory of the workspace. Its methods take bare names in
// it, as [Escape] shows them, so that changes to its path have no effect on them, and
// follow no link.
type directory struct {
	fd     int
	listed bool // opened for reading, not only to go through
}

func (d *directory) close() { unix.Close(d.fd) }

func (d *directory) lstat(name string) (fs.FileInfo, error) { return lstatat(d.fd, Unescape(name)) }

func (d *directory) readlink(name string) (string, error) {
	for size := 256; ; size *= 2 {
		buf := make([]byte, size)
		n, err := unix.Readlinkat(d.fd, Unescape(name), buf)
		switch {
		case err == unix.EINTR:
			size /= 2
		case err == unix.EINVAL:
			return "", swapped // it was a link a moment ago
		case err != nil:
			return "", err
		case n < size:
			return string(buf[:n]), nil
		}
	}
}

// names returns at most limit names in the directory's own order, or all if limit
// is negative.
func (d *directory) names(limit int) ([]string, error) {
	fd, err := openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	names, err := f.Readdirnames(limit)
	return escapeAll(names), err
}

// create makes a file that must not exist and opens it for writing.
func (d *directory) create(name string, mode fs.FileMode) (*os.File, error) {
	fd, err := openat(d.fd, Unescape(name), unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, uint32(mode.Perm()))
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// openFile opens an existing regular file, for writing or else for reading.
func (d *directory) openFile(name string, write bool) (*os.File, error) {
	flags := unix.O_RDONLY
	if write {
		flags = unix.O_WRONLY
	}
	fd, err := openat(d.fd, Unescape(name), flags|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	i, err := fstat(fd, name)
	if err == nil && !i.Mode().IsRegular() {
		err = special
	}
	if err == nil {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_SETFL, 0)
	}
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// mayWrite returns nil if this process could open the file for writing.
func (d *directory) mayWrite(name string, _ fs.FileInfo) error {
	return unix.Faccessat(d.fd, Unescape(name), unix.W_OK, unix.AT_EACCESS|unix.AT_SYMLINK_NOFOLLOW)
}

// links returns the number of hard links of the file.
func (d *directory) links(_ string, i fs.FileInfo) int {
	if st, ok := i.Sys().(*unix.Stat_t); ok {
		return int(st.Nlink)
	}
	return 1
}

func (d *directory) mkdir(name string) error {
	return retry(func() error { return unix.Mkdirat(d.fd, Unescape(name), 0o777) })
}

// remove removes a file, a link or an empty directory.
func (d *directory) remove(name string, dir bool) error {
	flags := 0
	if dir {
		flags = unix.AT_REMOVEDIR
	}
	return retry(func() error { return unix.Unlinkat(d.fd, Unescape(name), flags) })
}

// rename moves name into a directory, which may be this one, and replaces an entry
// there as rename(2) does.
func (d *directory) rename(name string, into *directory, to string) error {
	return retry(func() error { return unix.Renameat(d.fd, Unescape(name), into.fd, Unescape(to)) })
}

// replace is rename between directories of different workspaces.
func (d *directory) replace(name string, into *directory, to string) error {
	return d.rename(name, into, to)
}

// link gives a file a second name.
func (d *directory) link(name string, into *directory, to string) error {
	return retry(func() error { return unix.Linkat(d.fd, Unescape(name), into.fd, Unescape(to), 0) })
}

// toEnd makes every write to a file append to it.
func toEnd(f *os.File) (err error) {
	control(f, func(fd int) { _, err = unix.FcntlInt(uintptr(fd), unix.F_SETFL, unix.O_APPEND) })
	return err
}

// setTime sets when an open file of the directory was last changed.
func setTime(_ *os.File, d *directory, name string, at time.Time) error {
	ts, err := unix.TimeToTimespec(at)
	if err != nil {
		return err
	}
	times := []unix.Timespec{ts, ts}
	return retry(func() error { return unix.UtimesNanoAt(d.fd, Unescape(name), times, unix.AT_SYMLINK_NOFOLLOW) })
}

// renameNew is rename for a target that must not exist, even if another process
// makes it at the same time. If the file system cannot do that in one step, a file
// gets its new name before it loses the old one; if that fails, and for a
// directory, renameNew makes an empty entry first and replaces that.
func (d *directory) renameNew(name string, into *directory, to string, dir bool) error {
	err := retry(func() error { return renameExclusive(d.fd, Unescape(name), into.fd, Unescape(to)) })
	if err == nil || ignoreUnsupported(err) != nil {
		return err
	}
	if !dir {
		err = d.link(name, into, to)
		if err == nil {
			return d.remove(name, false)
		}
		if ignoreUnsupported(err) != nil && !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.EMLINK) {
			return err
		}
	}
	if err := into.reserve(to, dir); err != nil {
		return err
	}
	if err := d.rename(name, into, to); err != nil {
		return errors.Join(err, into.remove(to, dir))
	}
	return nil
}

// reserve makes an empty entry.
func (d *directory) reserve(name string, dir bool) error {
	if dir {
		return d.mkdir(name)
	}
	f, err := d.create(name, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// chmod sets all mode bits of a file or directory.
func (d *directory) chmod(name string, mode fs.FileMode) error {
	return retry(func() error { return chmodat(d.fd, Unescape(name), modeBits(mode)) })
}

func modeBits(mode fs.FileMode) uint32 {
	bits := uint32(mode.Perm())
	if mode&fs.ModeSetuid != 0 {
		bits |= unix.S_ISUID
	}
	if mode&fs.ModeSetgid != 0 {
		bits |= unix.S_ISGID
	}
	if mode&fs.ModeSticky != 0 {
		bits |= unix.S_ISVTX
	}
	return bits
}

// sync makes the names in the directory durable.
func (d *directory) sync() error {
	if !d.listed {
		return nil
	}
	return ignoreUnsupported(retry(func() error { return unix.Fsync(d.fd) }))
}

// symlink makes a link that must not exist.
func (d *directory) symlink(target, name string) error {
	return retry(func() error { return unix.Symlinkat(target, d.fd, Unescape(name)) })
}

// mayAdd reports whether this process may make an entry in the directory.
func (d *directory) mayAdd() bool {
	return unix.Faccessat(d.fd, ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS) == nil
}
