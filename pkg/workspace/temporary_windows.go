package workspace

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// closeBeforeRename is true where an open file cannot be renamed.
const closeBeforeRename = true

// tryLock locks one byte far behind any contents, because locks on Windows keep
// others from reading and writing.
func tryLock(f *os.File) lockState {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	switch {
	case err == nil:
		return lockHeld
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return lockTaken
	}
	return lockUnknown
}

// ownedByUs returns true: the access control list decides when it is removed.
func ownedByUs(fs.FileInfo) bool { return true }

func syncFile(f *os.File) error { return ignoreUnsupported(f.Sync()) }

// inherit does nothing: a new file has the access control list of its directory.
func (t *temporary) inherit(*directory, string, fs.FileInfo) {}
