package run

import (
	"os"

	"golang.org/x/sys/unix"
)

// widen makes a pipe hold pipeSize, so that the command waits less for this process.
// The kernel may refuse; then the pipe stays as it is.
func widen(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			_, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize)
		})
	}
}
