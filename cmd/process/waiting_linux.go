package process

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// hangup reports that the other side has closed, or will write no more: POLLRDHUP has the
// value of EPOLLRDHUP, see poll(2).
const hangup = unix.POLLHUP | unix.EPOLLRDHUP

// peekPipe looks into a pipe: tee(2) copies its content into another one.
func peekPipe(f *os.File, timeout time.Duration) Waiting {
	fd := int(f.Fd())
	ended := poll(fd, unix.POLLIN, timeout)&unix.POLLHUP != 0
	text, err := through(func(w int) (int64, error) {
		return unix.Tee(fd, w, mostWaiting, unix.SPLICE_F_NONBLOCK)
	})
	if err != nil {
		return Waiting{Open: errors.Is(err, unix.EAGAIN)}
	}
	there, err := unix.IoctlGetInt(fd, unix.TIOCINQ)
	all := err == nil && there == len(text)
	return Waiting{Text: text, All: all, Ended: all && ended, take: func() error {
		taken, err := through(func(w int) (int64, error) {
			return unix.Splice(fd, nil, w, nil, len(text), unix.SPLICE_F_NONBLOCK)
		})
		return same(taken, text, err)
	}}
}

// through returns what pass puts into a pipe of its own. Unlike a read, neither tee
// nor splice waits when told so, whatever the mode that all who share the pipe set.
func through(pass func(w int) (int64, error)) ([]byte, error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
		return nil, err
	}
	defer unix.Close(p[0])
	defer unix.Close(p[1])
	n, err := pass(p[1])
	if err != nil || n <= 0 {
		return nil, err
	}
	text := make([]byte, n)
	got, err := unix.Read(p[0], text)
	return text[:max(got, 0)], err
}
