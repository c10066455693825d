package state

import (
	"os"

	"golang.org/x/sys/unix"
)

// sameMount reports whether a rename can lead from one directory to the other.
// Two mounts of one file system are different.
func sameMount(a, b string) bool {
	var x, y unix.Statx_t
	const want = unix.STATX_MNT_ID
	if unix.Statx(unix.AT_FDCWD, a, 0, want, &x) != nil || unix.Statx(unix.AT_FDCWD, b, 0, want, &y) != nil {
		return sameDevice(a, b)
	}
	if x.Mask&y.Mask&want != 0 && x.Mnt_id != y.Mnt_id {
		return false
	}
	return x.Dev_major == y.Dev_major && x.Dev_minor == y.Dev_minor
}

func sameDevice(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && deviceOf(x) == deviceOf(y)
}
