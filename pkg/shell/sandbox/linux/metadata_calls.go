//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// metadataCalls are the calls that all architectures have; see also
// oldMetadataCalls.
var metadataCalls = [...]uintptr{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
}

// metadataCall returns a call with its arguments; ok is false for any other call.
func metadataCall(n *notification) (call metadata, ok bool) {
	a := &n.args
	at := metadata{dir: int32(a[0]), path: a[1]}
	name := metadata{dir: unix.AT_FDCWD, path: a[0]}
	file := metadata{dir: int32(a[0]), byFD: true}
	with := func(m metadata, flags uint64, change func(*caller, *target) error) (metadata, bool) {
		m.noFollow, m.empty = flags&unix.AT_SYMLINK_NOFOLLOW != 0, flags&unix.AT_EMPTY_PATH != 0
		m.change = change
		return m, true
	}
	switch uintptr(n.number) {
	case unix.SYS_FCHMOD:
		return with(file, 0, chmod(a[1]))
	case unix.SYS_FCHMODAT:
		return with(at, 0, chmod(a[2]))
	case unix.SYS_FCHMODAT2:
		return with(at, a[3], chmod(a[2]))
	case unix.SYS_FCHOWN:
		return with(file, 0, chown(a[1], a[2]))
	case unix.SYS_FCHOWNAT:
		return with(at, a[4], chown(a[2], a[3]))
	case unix.SYS_UTIMENSAT:
		if a[1] == 0 {
			at = file
		}
		return with(at, a[3], setTimes(a[2]))
	case unix.SYS_SETXATTR:
		return with(name, 0, setAttribute(a[1], a[2], a[3], a[4]))
	case unix.SYS_LSETXATTR:
		return with(name, unix.AT_SYMLINK_NOFOLLOW, setAttribute(a[1], a[2], a[3], a[4]))
	case unix.SYS_FSETXATTR:
		return with(file, 0, setAttribute(a[1], a[2], a[3], a[4]))
	case unix.SYS_REMOVEXATTR:
		return with(name, 0, removeAttribute(a[1]))
	case unix.SYS_LREMOVEXATTR:
		return with(name, unix.AT_SYMLINK_NOFOLLOW, removeAttribute(a[1]))
	case unix.SYS_FREMOVEXATTR:
		return with(file, 0, removeAttribute(a[1]))
	}
	return oldMetadataCall(n.number, name, a)
}

// chmod returns what changes the mode.
func chmod(mode uint64) func(*caller, *target) error {
	return func(c *caller, f *target) error {
		switch {
		case !c.owns(f):
			return unix.EPERM
		case f.st.Mode&unix.S_IFMT == unix.S_IFLNK:
			return unix.EOPNOTSUPP
		case f.st.Mode&unix.S_IFMT != unix.S_IFDIR && mode&(unix.S_ISUID|unix.S_ISGID) != 0:
			return unix.EPERM // a command must not leave a setuid program behind
		}
		return unix.Chmod(f.name, uint32(mode)&0o7777)
	}
}

// chown returns what changes the group. The owner can only stay.
func chown(uid, gid uint64) func(*caller, *target) error {
	const same = ^uint32(0)
	return func(c *caller, f *target) error {
		u, g := uint32(uid), uint32(gid)
		switch {
		case (u == same || u == f.st.Uid) && (g == same || g == f.st.Gid) && (c.owns(f) || u == same && g == same):
			return nil
		case !c.owns(f) || u != same && u != f.st.Uid || !slices.Contains(c.groups, int(g)):
			return unix.EPERM
		}
		return unix.Fchownat(f.fd, "", -1, int(g), unix.AT_EMPTY_PATH)
	}
}

// setTimes returns what sets the times to the two struct timespec at an address, or
// to now if that is 0.
func setTimes(at uint64) func(*caller, *target) error {
	return func(c *caller, f *target) error {
		if at == 0 {
			return c.touch(f, nil)
		}
		raw, err := c.bytes(at, 2*uint64(unsafe.Sizeof(unix.Timespec{})))
		if err != nil {
			return err
		}
		times := [2]unix.Timespec{}
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&times)), unsafe.Sizeof(times)), raw)
		return c.touch(f, &times)
	}
}

// touch sets both times, without times to now.
func (c *caller) touch(f *target, times *[2]unix.Timespec) error {
	const now = 1<<30 - 1 // UTIME_NOW
	if times == nil {
		times = &[2]unix.Timespec{{Nsec: now}, {Nsec: now}}
	}
	both := times[0].Nsec == now && times[1].Nsec == now
	if !c.owns(f) && (!both || f.st.Mode&0o022 == 0) {
		return unix.EPERM
	}
	if f.st.Mode&unix.S_IFMT != unix.S_IFLNK {
		return unix.UtimesNanoAt(unix.AT_FDCWD, f.name, times[:], 0)
	}
	return unix.UtimesNanoAt(f.fd, "", times[:], unix.AT_EMPTY_PATH)
}

// attributeName reads the name of an attribute that the owner of a file may set.
func (c *caller) attributeName(f *target, at uint64) (string, error) {
	key, err := c.text(at, 255)
	switch {
	case err != nil:
		return "", err
	case f.st.Mode&unix.S_IFMT == unix.S_IFLNK, !c.owns(f):
		return "", unix.EPERM
	case strings.HasPrefix(key, "user."), strings.HasPrefix(key, "system.posix_acl_"):
		return key, nil
	}
	return "", unix.EPERM
}

// setAttribute returns what sets an extended attribute.
func setAttribute(name, value, size, flags uint64) func(*caller, *target) error {
	return func(c *caller, f *target) error {
		key, err := c.attributeName(f, name)
		if err != nil {
			return err
		}
		if size > 64<<10 { // XATTR_SIZE_MAX
			return unix.E2BIG
		}
		data, err := c.bytes(value, size)
		if err != nil {
			return err
		}
		err = unix.Setxattr(f.name, key, data, int(flags))
		if errors.Is(err, unix.EEXIST) {
			// The caller repeats a call that a signal interrupted.
			had := make([]byte, len(data)+1)
			if n, e := unix.Getxattr(f.name, key, had); e == nil && n == len(data) && string(had[:n]) == string(data) {
				return nil
			}
		}
		return err
	}
}

// removeAttribute returns what removes an extended attribute.
func removeAttribute(name uint64) func(*caller, *target) error {
	return func(c *caller, f *target) error {
		key, err := c.attributeName(f, name)
		if err != nil {
			return err
		}
		return unix.Removexattr(f.name, key)
	}
}
