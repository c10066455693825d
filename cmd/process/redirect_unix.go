//go:build unix && !linux

package process

import "golang.org/x/sys/unix"

// redirect makes a descriptor another name of a file.
func redirect(from, to int) error { return unix.Dup2(from, to) }
