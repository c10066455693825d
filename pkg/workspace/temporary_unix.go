//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// closeBeforeRename is true where an open file cannot be renamed.
const closeBeforeRename = false

func tryLock(f *os.File) lockState {
	var err error
	control(f, func(fd int) {
		err = retry(func() error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
	})
	switch {
	case err == nil:
		return lockHeld
	case errors.Is(err, unix.EWOULDBLOCK):
		return lockTaken
	}
	return lockUnknown
}

// ownedByUs reports whether the file belongs to this user, so that a privileged
// process leaves other users' files alone.
func ownedByUs(i fs.FileInfo) bool {
	st, ok := i.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

func syncFile(f *os.File) error { return ignoreUnsupported(f.Sync()) }

// inherit copies the owner and the extended attributes of the file that will be
// replaced, as far as this process may.
func (t *temporary) inherit(d *directory, name string, old fs.FileInfo) {
	st, ok := old.Sys().(*unix.Stat_t)
	if !ok {
		return
	}
	control(t.file, func(fd int) {
		own, err := fstat(fd, t.name)
		if err != nil || own.st.Uid == st.Uid && own.st.Gid == st.Gid {
			return
		}
		if unix.Fchown(fd, int(st.Uid), int(st.Gid)) != nil {
			_ = unix.Fchown(fd, -1, int(st.Gid)) // one's own groups are often allowed
		}
	})
	from, err := d.openFile(name, false)
	if err != nil {
		return // if the file cannot be read, its attributes cannot either
	}
	defer from.Close()
	control(from, func(src int) {
		control(t.file, func(dst int) { copyAttributes(src, dst) })
	})
}

// copyAttributes copies extended attributes, among them user.* and access control
// lists, but not those that sign the old contents or give a program privileges.
func copyAttributes(src, dst int) {
	size, err := unix.Flistxattr(src, nil)
	if err != nil || size == 0 {
		return
	}
	list := make([]byte, size)
	if size, err = unix.Flistxattr(src, list); err != nil {
		return
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(list[:size]), "\x00"), "\x00") {
		switch name {
		case "", "security.capability", "security.ima", "security.evm":
			continue
		}
		n, err := unix.Fgetxattr(src, name, nil)
		if err != nil {
			continue
		}
		value := make([]byte, n)
		if n, err = unix.Fgetxattr(src, name, value); err == nil {
			_ = unix.Fsetxattr(dst, name, value[:n], 0)
		}
	}
}

// control runs f on the descriptor of an open file.
func control(file *os.File, f func(fd int)) {
	if conn, err := file.SyscallConn(); err == nil {
		_ = conn.Control(func(fd uintptr) { f(int(fd)) })
	}
}
