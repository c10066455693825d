package workspace

import (
	"errors"
	"io/fs"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// createUnnamed makes a file in the directory that has no name yet, and opens it for
// writing. It goes with the process.
func (d *directory) createUnnamed(mode fs.FileMode) (*os.File, error) {
	fd, err := openat(d.fd, ".", unix.O_WRONLY|unix.O_TMPFILE, uint32(mode.Perm()))
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "."), nil
}

// giveName gives a file without one its name in a directory, which must be free. The
// error is errUnnamed where that cannot be done, such as without /proc.
func giveName(f *os.File, into *directory, name string) error {
	err := errUnnamed
	control(f, func(fd int) {
		// The other way, AT_EMPTY_PATH, needs a privilege in most kernels.
		err = retry(func() error {
			return unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(fd), into.fd, Unescape(name), unix.AT_SYMLINK_FOLLOW)
		})
	})
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, unix.EXDEV) {
		return err
	}
	return errors.Join(errUnnamed, err)
}

// aside opens the directory of [Options.Aside]; nil if there is none.
func (r *Root) aside() *directory {
	if r.opts.Aside == nil {
		return nil
	}
	dir, err := r.opts.Aside()
	if err != nil {
		return nil
	}
	fd, err := openat(unix.AT_FDCWD, dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil
	}
	return &directory{fd: fd}
}
