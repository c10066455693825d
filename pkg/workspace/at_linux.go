package workspace

import (
	"strconv"

	"golang.org/x/sys/unix"
)

func renameExclusive(from int, name string, into int, to string) error {
	return unix.Renameat2(from, name, into, to, unix.RENAME_NOREPLACE)
}

// chmodat follows no link. Linux before 6.6 has no call for that, and a seccomp
// filter may not know it; then a descriptor names the file.
func chmodat(dir int, name string, mode uint32) error {
	err := unix.Fchmodat(dir, name, mode, unix.AT_SYMLINK_NOFOLLOW)
	if err != unix.EOPNOTSUPP && err != unix.EPERM {
		return err
	}
	fd, openErr := openat(dir, name, unix.O_PATH|unix.O_NOFOLLOW, 0)
	if openErr != nil {
		return openErr
	}
	defer unix.Close(fd)
	i, statErr := fstat(fd, name)
	if statErr != nil {
		return statErr
	}
	if i.st.Mode&unix.S_IFMT == unix.S_IFLNK {
		return unix.ELOOP
	}
	return unix.Chmod("/proc/self/fd/"+strconv.Itoa(fd), mode)
}
