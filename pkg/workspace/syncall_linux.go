package workspace

import "golang.org/x/sys/unix"

// syncAll writes the whole file system through.
func (d *directory) syncAll() error { return retry(func() error { return unix.Syncfs(d.fd) }) }
