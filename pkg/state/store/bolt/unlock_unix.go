//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package bolt

import (
	"os"

	"golang.org/x/sys/unix"
)

// unlock frees the lock of bbolt on a file that stays mapped: closing it is not enough,
// as the mapping keeps the open file, and with it the lock.
func unlock(f *os.File) {
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN) //nolint:gosec // a descriptor fits into an int; one that is closed is not locked either
}
