package workspace

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// closeBeforeRename is where an open file cannot be renamed.
const closeBeforeRename = true

// tryLock locks one byte far behind any contents, as locks here keep others
// from reading and writing.
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

// ownedByUs leaves it to the access list, which is asked on removal.
func ownedByUs(fs.FileInfo) bool { return true }

func syncFile(f *os.File) error { return ignoreUnsupported(f.Sync()) }

// inherit has nothing to do: a new file gets the access list of its directory.
func (t *temporary) inherit(*directory, string, fs.FileInfo) {}
