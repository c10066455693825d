//go:build unix

package cmd

import (
	"os"

	"golang.org/x/sys/unix"
)

// withoutSignal is standard output under another number: when its reader is
// gone, writing to it is an error and not a signal that ends the process.
func withoutSignal(f *os.File) *os.File {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return f
	}
	return os.NewFile(uintptr(fd), f.Name())
}
