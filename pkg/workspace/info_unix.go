//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// info describes a file, by its descriptor or by a name in an open directory, never
// by a path, whose meaning could have changed. Sys is the *unix.Stat_t.
type info struct {
	name string
	st   unix.Stat_t
}

func (i *info) Name() string       { return i.name }
func (i *info) Size() int64        { return i.st.Size }
func (i *info) IsDir() bool        { return i.Mode().IsDir() }
func (i *info) Sys() any           { return &i.st }
func (i *info) ModTime() time.Time { return time.Unix(i.st.Mtim.Unix()) }

func (i *info) Mode() fs.FileMode {
	mode := fs.FileMode(i.st.Mode & 0o777)
	switch i.st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFBLK:
		mode |= fs.ModeDevice
	case unix.S_IFREG:
	default:
		mode |= fs.ModeIrregular
	}
	if i.st.Mode&unix.S_ISUID != 0 {
		mode |= fs.ModeSetuid
	}
	if i.st.Mode&unix.S_ISGID != 0 {
		mode |= fs.ModeSetgid
	}
	if i.st.Mode&unix.S_ISVTX != 0 {
		mode |= fs.ModeSticky
	}
	return mode
}

func fstat(fd int, name string) (*info, error) {
	i := &info{name: path.Base(name)}
	if err := retry(func() error { return unix.Fstat(fd, &i.st) }); err != nil {
		return nil, err
	}
	return i, nil
}

func lstatat(dir int, name string) (*info, error) {
	i := &info{name: name}
	if err := retry(func() error { return unix.Fstatat(dir, name, &i.st, unix.AT_SYMLINK_NOFOLLOW) }); err != nil {
		return nil, err
	}
	return i, nil
}

// sameFile is os.SameFile for the descriptions of this package and of package os.
func sameFile(a, b fs.FileInfo) bool {
	devA, inoA, okA := identity(a)
	devB, inoB, okB := identity(b)
	return okA && okB && devA == devB && inoA == inoB
}

func identity(i fs.FileInfo) (dev, ino uint64, ok bool) {
	switch st := i.Sys().(type) {
	case *unix.Stat_t:
		return uint64(st.Dev), st.Ino, true
	case *syscall.Stat_t:
		return uint64(st.Dev), st.Ino, true
	}
	return 0, 0, false
}

// listEntries returns the entries of the open directory.
func listEntries(f *os.File) ([]Entry, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	names, listErr := f.Readdirnames(-1)
	entries := make([]Entry, 0, len(names))
	err = conn.Control(func(fd uintptr) {
		for _, name := range names {
			i, err := lstatat(int(fd), name)
			switch {
			case errors.Is(err, unix.ENOENT): // gone since
			case err != nil:
				entries = append(entries, Entry{Name: Escape(name), Err: err})
			default:
				entries = append(entries, Entry{Name: Escape(name), Info: i})
			}
		}
	})
	if listErr != nil {
		err = listErr
	}
	return entries, err
}
