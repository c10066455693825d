package run

import "golang.org/x/sys/unix"

// space returns the size of the file system of a directory, in bytes, and how many a user
// may still write; zero if it does not say.
func space(dir string) (size, left int64) {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return 0, 0
	}
	return int64(fs.Blocks) * fs.Bsize, int64(fs.Bavail) * fs.Bsize
}
