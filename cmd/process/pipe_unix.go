//go:build unix

package process

import (
	"os"

	"golang.org/x/sys/unix"
)

// Seal keeps a descriptor from the programs that this process starts.
func Seal(fd int) { unix.CloseOnExec(fd) }

// WithoutSIGPIPE returns standard output under another descriptor. When its
// reader is gone, a write is then an error and not a signal that ends the
// process.
func WithoutSIGPIPE(f *os.File) *os.File {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return f
	}
	return os.NewFile(uintptr(fd), f.Name())
}
