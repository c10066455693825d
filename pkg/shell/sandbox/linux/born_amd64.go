//go:build linux

package linux

import "golang.org/x/sys/unix"

// oldBirths are the [births] that only this architecture has.
var oldBirths = [...]uintptr{unix.SYS_CREAT, unix.SYS_MKDIR, unix.SYS_MKNOD, unix.SYS_SYMLINK, unix.SYS_LINK, unix.SYS_RENAME}

func (f *filter) oldOpens() { f.opens(unix.SYS_OPEN, dataArg1) }

// modern rewrites a call that only this architecture has as the one that all have.
func modern(number int32, a [6]uint64) (int32, [6]uint64) {
	const here = uint64(1<<64 + unix.AT_FDCWD)
	switch number {
	case unix.SYS_OPEN:
		return unix.SYS_OPENAT, [6]uint64{here, a[0], a[1], a[2]}
	case unix.SYS_CREAT:
		return unix.SYS_OPENAT, [6]uint64{here, a[0], unix.O_CREAT | unix.O_WRONLY | unix.O_TRUNC, a[1]}
	case unix.SYS_MKDIR:
		return unix.SYS_MKDIRAT, [6]uint64{here, a[0], a[1]}
	case unix.SYS_MKNOD:
		return unix.SYS_MKNODAT, [6]uint64{here, a[0], a[1], a[2]}
	case unix.SYS_SYMLINK:
		return unix.SYS_SYMLINKAT, [6]uint64{a[0], here, a[1]}
	case unix.SYS_LINK:
		return unix.SYS_LINKAT, [6]uint64{here, a[0], here, a[1]}
	case unix.SYS_RENAME:
		return unix.SYS_RENAMEAT, [6]uint64{here, a[0], here, a[1]}
	}
	return number, a
}
