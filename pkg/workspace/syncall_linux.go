package workspace

import "golang.org/x/sys/unix"

// syncAll syncs the file system.
func (d *directory) syncAll() error { return retry(func() error { return unix.Syncfs(d.fd) }) }
