//go:build unix

package cmd

import (
	"os"

	"golang.org/x/sys/unix"
)

// openTerminal opens the terminal that the process was started from. What was
// typed before a question is shown is no answer to it.
func openTerminal() (*os.File, error) {
	fd, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	if err := flushInput(fd); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "/dev/tty"), nil
}
