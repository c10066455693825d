//go:build unix

package state

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"github.com/gofrs/flock"
	"golang.org/x/sys/unix"
)

// owner returns a name for the user in a directory that users share.
func owner() string { return strconv.Itoa(os.Geteuid()) }

// ours reports whether a file belongs to the user or to root, which can read
// everything anyway. Root itself trusts no other owner: what is here decides what
// it writes into a workspace.
func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (stat.Uid == 0 || int(stat.Uid) == os.Geteuid())
}

// exposed reports whether others can write to a directory.
func exposed(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

// readable reports whether others can read a file, or write to it.
func readable(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// access checks whether files can be made in a directory.
func access(path string) error {
	return unix.Access(path, unix.R_OK|unix.W_OK|unix.X_OK)
}

// syncDir makes the names in a directory durable.
func syncDir(dir *os.Root, name string) error {
	f, err := dir.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// dropLock removes a lock file and then unlocks it. In the other order, a second
// process could lock the old file and a third one a new file.
func dropLock(f *flock.Flock) error {
	err := os.Remove(f.Path())
	if unlocking := f.Unlock(); err == nil {
		err = unlocking
	}
	return err
}

// sweepsLocks is true where unused lock files can be removed while others may
// open them.
const sweepsLocks = true
