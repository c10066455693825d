//go:build linux && (amd64 || arm64)

package linux

import (
	"os"

	"golang.org/x/sys/unix"
)

// openRegular opens a regular file. It follows no symbolic link and does not wait for
// a pipe.
func openRegular(name string) (*os.File, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	var st unix.Stat_t
	if err = unix.Fstat(fd, &st); err == nil && st.Mode&unix.S_IFMT != unix.S_IFREG {
		err = unix.EINVAL
	}
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// readAll reads at most that many bytes of a file, which may be one of the kernel's.
func readAll(name string, most int) ([]byte, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var data []byte
	buf := make([]byte, min(most, 4<<10)) // most of these files are short
	for len(data) < most {
		n, err := unix.Read(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return data, err
		}
		if n <= 0 {
			break
		}
		data = append(data, buf[:n]...)
	}
	return data[:min(len(data), most)], nil
}

// namesIn lists the names in a directory.
func namesIn(dir string) ([]string, error) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	return namesOf(fd)
}

// dirBuffer is the size of what a directory is read into, in bytes: few are larger, and fresh
// memory takes longer than another call.
const dirBuffer = 8 << 10

// namesOf lists the names in an open directory.
func namesOf(fd int) ([]string, error) {
	var names []string
	buf := make([]byte, dirBuffer)
	for {
		n, err := unix.ReadDirent(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return names, err
		}
		_, _, names = unix.ParseDirent(buf[:n], -1, names)
	}
}
