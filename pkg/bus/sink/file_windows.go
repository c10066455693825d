package sink

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockAt is the upper half of the offset of the byte that is locked. It is far behind
// the end of any file, because others cannot read a locked byte.
const lockAt = 0x40000000

// tryLock locks a file until it is closed, unless another process has locked it.
func tryLock(f *os.File) (bool, error) {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{OffsetHigh: lockAt})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// syncDir does nothing: Windows has no such call.
func syncDir(string) error { return nil }
