package process

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// mostWaiting limits the bytes of a stream that [Peek] looks at: the capacity of a pipe.
const mostWaiting = 64 << 10

// Waiting is the content of a stream that [Peek] saw. It is still in the stream: another
// process may share the stream and read it.
type Waiting struct {
	Text  []byte
	All   bool // Text is all that was there
	Ended bool // nothing can follow what was there
	Open  bool // there was nothing yet, but somebody may write
	Blind bool // it is Open, and cannot be looked into

	take func() error
}

// Take takes Text off the stream. It fails if another process was quicker.
func (w Waiting) Take() error {
	if w.take == nil {
		return nil
	}
	return w.take()
}

var errTaken = errors.New("another process read it at the same time")

// Peek returns the present content of a stream, without taking it. If there is none, it
// waits for timeout: a parent starts a process first and writes to it then. It never
// waits for the end of a stream, and returns nothing for a terminal.
func Peek(stream any, timeout time.Duration) Waiting {
	f, isFile := stream.(*os.File)
	if !isFile {
		if s, ok := stream.(seeker); ok {
			return peekSeeker(s)
		}
		return Waiting{Open: true, Blind: true}
	}
	info, err := f.Stat()
	if err != nil {
		return Waiting{}
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return peekSeeker(f)
	case mode&fs.ModeNamedPipe != 0:
		return peekPipe(f, timeout)
	case mode&fs.ModeSocket != 0:
		return peekSocket(f, timeout)
	}
	return Waiting{}
}

// Piped reports whether a stream is a pipe or a file: somebody chose it, unlike the device
// that is empty for everybody.
func Piped(stream any) bool {
	f, isFile := stream.(*os.File)
	if !isFile {
		return false
	}
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&fs.ModeNamedPipe != 0)
}

// seeker is a stream that can be read at any place, such as a file.
type seeker interface {
	io.Seeker
	io.ReaderAt
}

func peekSeeker(s seeker) Waiting {
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return Waiting{}
	}
	text := make([]byte, mostWaiting+1)
	n, err := s.ReadAt(text, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return Waiting{}
	}
	return Waiting{Text: text[:n], All: n <= mostWaiting, Ended: n <= mostWaiting, take: func() error {
		_, err := s.Seek(at+int64(n), io.SeekStart)
		return err
	}}
}

// same is the error if what was taken is not what was seen.
func same(taken, seen []byte, err error) error {
	if err == nil && !bytes.Equal(taken, seen) {
		return errTaken
	}
	return err
}
