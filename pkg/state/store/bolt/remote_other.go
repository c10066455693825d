//go:build !linux && !darwin && !freebsd && !windows

package bolt

// remote cannot tell where a file system is.
func remote(string) (kind string, err error) { return "", nil }
