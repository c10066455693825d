package process

import "golang.org/x/sys/unix"

// flushInput discards what was typed ahead.
func flushInput(fd int) error {
	const read = 1 // FREAD of sys/fcntl.h: the input queue
	return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, read)
}
