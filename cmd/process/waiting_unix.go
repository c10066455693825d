//go:build unix

package process

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// peekSocket looks into a socket. Node connects its children by sockets.
func peekSocket(f *os.File, timeout time.Duration) Waiting {
	fd := int(f.Fd())
	ended := poll(fd, unix.POLLIN, timeout)&hangup != 0
	text := make([]byte, mostWaiting+1)
	n, _, err := unix.Recvfrom(fd, text, unix.MSG_PEEK|unix.MSG_DONTWAIT)
	if err != nil || n < 0 {
		return Waiting{Open: errors.Is(err, unix.EAGAIN)}
	}
	text = text[:n]
	return Waiting{Text: text, All: n <= mostWaiting, Ended: (ended || n == 0) && n <= mostWaiting, take: func() error {
		taken := make([]byte, n)
		n, _, err := unix.Recvfrom(fd, taken, unix.MSG_DONTWAIT)
		return same(taken[:max(n, 0)], text, err)
	}}
}

// poll waits until one of the events, or an end, is on a descriptor, and returns what
// is; 0 if nothing came in time.
func poll(fd int, events int16, timeout time.Duration) int16 {
	fds := []unix.PollFd{{Fd: int32(fd), Events: events | hangup}}
	for end := time.Now().Add(timeout); ; {
		left := max(0, time.Until(end)+time.Millisecond-1) / time.Millisecond
		n, err := unix.Poll(fds, int(left))
		switch {
		case errors.Is(err, unix.EINTR) && left > 0:
		case err != nil || n == 0:
			return 0
		default:
			return fds[0].Revents
		}
	}
}
