package run

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/limit"
)

// widen makes a pipe hold more, so that who writes waits less. A system that
// grants less is no fault.
func widen(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			_, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, limit.ExecPipe)
		})
	}
}
