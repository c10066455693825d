//go:build unix

package process

import (
	"os"
	"os/signal"

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

// Claim returns standard output under a descriptor that nobody else has. Whatever else
// this process and those that it starts write to standard output goes to standard error
// from now on, and no write of this process to a pipe without a reader ends it.
func Claim(f *os.File) (*os.File, error) {
	signal.Notify(make(chan os.Signal, 1), unix.SIGPIPE) // a write fails instead
	own, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	if err := redirect(int(os.Stderr.Fd()), int(f.Fd())); err != nil {
		_ = unix.Close(own) // the error above says more
		return nil, err
	}
	return os.NewFile(uintptr(own), f.Name()), nil
}

// Abandoned calls gone, and returns, when a pipe or a socket has lost its last reader, or
// a terminal is gone. It cannot be canceled.
func Abandoned(f *os.File, gone func()) {
	const look = 1000 // ms: some systems tell only who asks
	for {
		fds := []unix.PollFd{{Fd: int32(f.Fd())}}
		n, err := unix.Poll(fds, look)
		if err == nil && n == 0 {
			fds[0].Events = unix.POLLOUT
			n, err = unix.Poll(fds, 0)
		}
		if err != nil && err != unix.EINTR {
			return // unknown; a write will fail
		}
		if err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0 {
			gone()
			return
		}
	}
}
