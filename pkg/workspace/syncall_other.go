//go:build !linux

package workspace

// syncAll writes the directory through, as there is no call for all of its file
// system.
func (d *directory) syncAll() error { return d.sync() }
