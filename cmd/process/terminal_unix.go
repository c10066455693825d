//go:build unix

package process

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// OpenTerminal opens the terminal that the process was started from, by its own
// name: standard input and output belong to the call. What was typed before a
// question is shown does not answer it.
func OpenTerminal() (*os.File, error) {
	fd, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	if err := flushInput(fd); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "/dev/tty"), nil
}

// Columns returns the width of a terminal; 0 for any other stream.
func Columns(stream any) int {
	f, ok := stream.(*os.File)
	if !ok {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}

// Foreground reports whether the process may write to a terminal without disturbing what
// is at work there: it is not one that a shell runs in the background. Any other stream has
// nothing to disturb.
func Foreground(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return true
	}
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

// notifyResize signals changes of the terminal's size.
func notifyResize(to chan<- os.Signal) { signal.Notify(to, unix.SIGWINCH) }
