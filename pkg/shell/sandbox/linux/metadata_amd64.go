//go:build linux

package linux

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// oldMetadataCalls are the [metadataCalls] that only this architecture has.
var oldMetadataCalls = [...]uintptr{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT}

// oldMetadataCall is [metadataCall] for oldMetadataCalls.
func oldMetadataCall(number int32, name metadata, a *[6]uint64) (metadata, bool) {
	switch number {
	case unix.SYS_CHMOD:
		name.change = chmod(a[1])
	case unix.SYS_CHOWN:
		name.change = chown(a[1], a[2])
	case unix.SYS_LCHOWN:
		name.change, name.noFollow = chown(a[1], a[2]), true
	case unix.SYS_UTIME:
		name.change = setOldTimes(a[1], 8, 0)
	case unix.SYS_UTIMES:
		name.change = setOldTimes(a[1], 16, 1000)
	case unix.SYS_FUTIMESAT:
		name.dir, name.path, name.byFD = int32(a[0]), a[1], a[1] == 0
		name.change = setOldTimes(a[2], 16, 1000)
	default:
		return metadata{}, false
	}
	return name, true
}

// setOldTimes returns what sets the times to the two times at an address, or to now
// if that is 0. A time has size bytes: seconds, and then units of unit nanoseconds.
func setOldTimes(at, size uint64, unit int64) func(*caller, *target) error {
	return func(c *caller, f *target) error {
		if at == 0 {
			return c.touch(f, nil)
		}
		raw, err := c.bytes(at, 2*size)
		if err != nil {
			return err
		}
		var times [2]unix.Timespec
		for i := range times {
			part := raw[uint64(i)*size:]
			times[i].Sec = int64(binary.NativeEndian.Uint64(part))
			if unit > 0 {
				times[i].Nsec = int64(binary.NativeEndian.Uint64(part[8:])) * unit
			}
			if times[i].Nsec < 0 || times[i].Nsec >= 1e9 {
				return unix.EINVAL
			}
		}
		return c.touch(f, &times)
	}
}
