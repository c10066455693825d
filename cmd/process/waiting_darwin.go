package process

import (
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// hangup is that the other side has closed.
const hangup = unix.POLLHUP

// peekPipe looks into a pipe whose writers have closed it. This system shows what is
// in a pipe only to who takes it, so nothing is read of one that may be written to.
// What has ended is read whole; nobody can be waiting for more of it.
func peekPipe(f *os.File, moment time.Duration) Waiting {
	if poll(int(f.Fd()), 0, moment)&hangup == 0 {
		return Waiting{}
	}
	text, err := io.ReadAll(io.LimitReader(f, mostWaiting+1))
	if err != nil {
		return Waiting{}
	}
	return Waiting{Text: text, All: len(text) <= mostWaiting, Ended: true}
}
