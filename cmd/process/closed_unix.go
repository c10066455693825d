//go:build unix

package process

import (
	"os"

	"golang.org/x/sys/unix"
)

// Closed reports whether a stream may have been closed when the process began: Go opens the
// null device in its place, for reading and writing. A shell opens it for writing alone where
// output is to be thrown away; what Node and Python open to ignore a stream looks like Go's.
func Closed(stream any) bool {
	f, is := stream.(*os.File)
	if !is {
		return false
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	closed := false
	err = raw.Control(func(fd uintptr) {
		var null, st unix.Stat_t
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		if err != nil || unix.Fstat(int(fd), &st) != nil || unix.Stat(os.DevNull, &null) != nil {
			return
		}
		closed = st.Mode&unix.S_IFMT == unix.S_IFCHR && st.Rdev == null.Rdev && flags&unix.O_ACCMODE == unix.O_RDWR
	})
	return err == nil && closed
}
