package run

import (
	"io/fs"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// mostFiles limits the files that a look at temporary files counts.
const mostFiles = 200_000

// space returns the size of the file system of a directory, in bytes, and how many a user
// may still write; zero if it does not say.
func space(dir string) (size, left int64) {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return 0, 0
	}
	return int64(fs.Blocks) * fs.Bsize, int64(fs.Bavail) * fs.Bsize
}

// counted reports whether the kernel tells of each process what it writes to the file system
// of a directory.
func counted(dir string) bool {
	const zfs = 0x2fc12fc1
	var fs unix.Statfs_t
	return unix.Statfs(dir, &fs) == nil && fs.Type != unix.TMPFS_MAGIC && fs.Type != unix.RAMFS_MAGIC && fs.Type != zfs
}

// taken returns how many bytes the files below a directory take on the disk, and of these
// how many the files that changed since a time.
func taken(dir string, since time.Time) (all, fresh int64) {
	since = since.Add(-10 * time.Millisecond) // the kernel's clock for files is a coarse one
	files := 0
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if files++; files > mostFiles {
			return fs.SkipAll
		}
		if err == nil { // else it is gone, or closed to this user
			bytes, changed := sizeOf(entry)
			if all += bytes; !changed.Before(since) {
				fresh += bytes
			}
		}
		return nil
	})
	return all, fresh
}

// sizeOf returns how many bytes a file takes on the disk, and when it changed.
func sizeOf(entry fs.DirEntry) (bytes int64, changed time.Time) {
	info, err := entry.Info()
	if err != nil {
		return 0, changed
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Blocks * 512, time.Unix(st.Ctim.Unix())
	}
	return 0, changed
}
