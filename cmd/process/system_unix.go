//go:build unix

package process

import "golang.org/x/sys/unix"

// Kernel returns the name and the release of the system's kernel, such as "Linux
// 6.12.9-amd64"; "" if it does not tell.
func Kernel() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:])
}

// DiskLeft returns how many bytes this user can still write on the disk of a path.
func DiskLeft(path string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}
