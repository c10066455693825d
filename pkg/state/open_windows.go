package state

import (
	"errors"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
	"golang.org/x/sys/windows"
)

// owner is empty where every user has a directory for temporary files.
func owner() string { return "user" }

// ours is left to the access control lists that a profile directory inherits.
func ours(fs.FileInfo) bool { return true }

// exposed is left to them too: the mode bits here are made up.
func exposed(fs.FileInfo) bool { return false }

// access cannot be asked for here; the first write will tell.
func access(string) error { return nil }

// syncDir has nothing to do: a directory cannot be flushed, and NTFS logs
// changes of names.
func syncDir(*os.Root, string) error { return nil }

// dropLock lets go of a lock file and then removes it: an open file cannot be
// removed, so a file that somebody else has opened meanwhile stays.
func dropLock(f *flock.Flock) error {
	err := f.Unlock()
	removing := os.Remove(f.Path())
	if err == nil && !errors.Is(removing, windows.ERROR_SHARING_VIOLATION) && !errors.Is(removing, fs.ErrNotExist) {
		err = removing
	}
	return err
}

// sweepsLocks says that unused lock files stay, since removing one could race
// with its next user.
const sweepsLocks = false
