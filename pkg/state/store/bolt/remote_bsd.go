//go:build darwin || freebsd

package bolt

import "golang.org/x/sys/unix"

// remote returns the name of a file system that is on another host; "" for one that is
// on this one.
func remote(dir string) (kind string, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return "", err
	}
	if s.Flags&unix.MNT_LOCAL != 0 {
		return "", nil
	}
	return unix.ByteSliceToString(s.Fstypename[:]), nil
}
