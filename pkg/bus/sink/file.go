package sink

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// lookBack limits the bytes at the end of the file that are searched for a message
	// already written: thousands of messages.
	lookBack = 8 << 20
	// lockPoll is the time between two tries of a lock that another process holds.
	lockPoll = 10 * time.Millisecond
	// begin begins the line of a message.
	begin = `{"id":"`
)

// File appends messages to a file, a line of JSON each. A line is complete or not there
// at all, and on the disk when Deliver returns. Several processes may append to one
// file, and it may be renamed at any time, as logrotate does.
type File struct {
	Path string // absolute; its directory must exist
}

// Deliver appends a line, unless the message was tried before and the end of the file
// has it.
func (s *File) Deliver(ctx context.Context, m bus.Message) error {
	line, err := encode(m)
	if err != nil {
		return err
	}
	f, err := s.open(ctx)
	if err != nil {
		return s.failed(err)
	}
	err = add(f, line, m.Deliveries > 1)
	if closing := f.Close(); err == nil { // which unlocks it
		err = closing
	}
	return s.failed(err)
}

// failed returns the failure for an error; nil for none.
func (s *File) failed(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return again(fault.As(err))
	}
	return again(fault.As(fault.System(err, s.Path)))
}

// open opens the file under its name and locks it. The system ends the lock with the
// process.
func (s *File) open(ctx context.Context) (*os.File, error) {
	for {
		before, err := os.Stat(s.Path)
		if err == nil && !before.Mode().IsRegular() { // opening a pipe would wait for its reader
			return nil, fault.New(fault.NotAFile, fault.T("not a regular file: %s", s.Path)).
				WithHint(fault.T("name another file in messages.sinks"))
		}
		f, opening := os.OpenFile(s.Path, os.O_RDWR|os.O_CREATE, 0o600)
		if opening != nil {
			return nil, opening
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = syncDir(filepath.Dir(s.Path))
		}
		if err == nil {
			err = await(ctx, f)
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		mine, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if now, err := os.Stat(s.Path); err == nil && os.SameFile(mine, now) {
			return f, nil
		}
		if err := f.Close(); err != nil { // it was renamed while this waited
			return nil, err
		}
	}
}

// await locks a file.
func await(ctx context.Context, f *os.File) error {
	poll := time.NewTicker(lockPoll)
	defer poll.Stop()
	for {
		ok, err := tryLock(f)
		if ok || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-poll.C:
		}
	}
}

// add appends a line to a locked file: all of it, or nothing. With look, it does not
// if the end of the file has the line.
func add(f *os.File, line []byte, look bool) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	tail := make([]byte, min(size, lookBack))
	if !look {
		tail = tail[:min(len(tail), 1)]
	}
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return err
	}
	if look && hasLine(tail, line) {
		return f.Sync() // its writer may have died before this
	}
	text := append(line, '\n')
	end := size
	if len(tail) > 0 && tail[len(tail)-1] != '\n' {
		torn, err := tornLine(f, size)
		if err != nil {
			return err
		}
		if torn < 0 {
			text = append([]byte("\n"), text...)
		} else if err := f.Truncate(torn); err != nil {
			return err
		} else {
			end = torn
		}
	}
	if _, err := f.WriteAt(text, end); err != nil { // such as a full disk
		return errors.Join(err, f.Truncate(end))
	}
	return f.Sync()
}

// hasLine reports whether a text has a line that is complete.
func hasLine(text, line []byte) bool {
	for have := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(have, line); ok && string(rest) == "\n" {
			return true
		}
	}
	return false
}

// tornLine returns the offset of an unfinished last line if a killed process of ours can
// have left it; else -1: it is another's text.
func tornLine(f *os.File, size int64) (int64, error) {
	tail := make([]byte, min(size, lookBack))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return 0, err
	}
	last := tail[bytes.LastIndexByte(tail, '\n')+1:]
	if bytes.HasPrefix(last, []byte(begin)) || bytes.HasPrefix([]byte(begin), last) {
		return size - int64(len(last)), nil
	}
	return -1, nil
}
