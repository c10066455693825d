package state

import (
	"errors"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
	"golang.org/x/sys/windows"
)

// owner returns a constant: every user has a directory for temporary files.
func owner() string { return "user" }

// ours leaves it to the access control lists that a profile directory inherits.
func ours(fs.FileInfo) bool { return true }

// exposed leaves it to them too: Go makes up the mode bits.
func exposed(fs.FileInfo) bool { return false }

// readable leaves it to them as well.
func readable(fs.FileInfo) bool { return false }

// access returns nil, as the system cannot be asked. The first write fails.
func access(string) error { return nil }

// syncDir does nothing: a directory cannot be flushed, and NTFS logs changes of
// names.
func syncDir(*os.Root, string) error { return nil }

// dropLock unlocks a lock file and then removes it. A file that another process
// has opened cannot be removed and stays.
func dropLock(f *flock.Flock) error {
	err := f.Unlock()
	removing := os.Remove(f.Path())
	if err == nil && !errors.Is(removing, windows.ERROR_SHARING_VIOLATION) && !errors.Is(removing, fs.ErrNotExist) {
		err = removing
	}
	return err
}

// sweepsLocks is false: removing an unused lock file could race with its next
// user.
const sweepsLocks = false
