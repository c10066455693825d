//go:build !linux

package workspace

// syncAll syncs the directory, as the system has no call for a file system.
func (d *directory) syncAll() error { return d.sync() }
