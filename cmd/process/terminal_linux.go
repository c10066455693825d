package process

import "golang.org/x/sys/unix"

// flushInput discards what was typed ahead.
func flushInput(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
