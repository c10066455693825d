package process

import (
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// hangup reports that the other side has closed.
const hangup = unix.POLLHUP

// peekPipe looks into a pipe whose writers have closed it. This system has no way to look
// into a pipe without reading, so a pipe that may still be written to is not read. A pipe
// without writers is read whole; nobody can be waiting for more of it.
func peekPipe(f *os.File, timeout time.Duration) Waiting {
	if poll(int(f.Fd()), 0, timeout)&hangup == 0 {
		return Waiting{Open: true, Blind: true}
	}
	text, err := io.ReadAll(io.LimitReader(f, mostWaiting+1))
	if err != nil {
		return Waiting{}
	}
	return Waiting{Text: text, All: len(text) <= mostWaiting, Ended: true}
}
