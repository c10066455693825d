package state

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strconv"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxRecord is the longest line, in bytes, that a log takes: what the journal says of some
// 70,000 files that one command changed.
const maxRecord = 32 << 20

// LogBytes is the usual size, in bytes, at which a log that rotates starts afresh.
const LogBytes = 8 << 20

// Log is a file that only grows, with one JSON document a line. A line is complete
// or not there at all, also after a crash.
type Log struct {
	dir  *Dir
	name string
	most int64
}

// Log returns the log with a name, which lacks the suffix of its file. At most
// bytes, such as [LogBytes], it starts a new file and keeps one older generation; 0
// lets it grow. The file is made for the first record.
func (d *Dir) Log(name string, most int64) (*Log, error) {
	if err := checkFile(name); err != nil {
		return nil, err
	}
	return &Log{dir: d, name: name, most: most}, nil
}

func (l *Log) file() string  { return l.name + logSuffix }
func (l *Log) older() string { return l.name + ".1" + logSuffix }

// dropped is the file with the number of records that were dropped, in decimal digits.
func (l *Log) dropped() string { return l.name + ".dropped" }

// Append adds one record, a line without its newline. With durable it is on the
// disk when Append returns.
func (l *Log) Append(record []byte, durable bool) error {
	switch {
	case len(record) == 0 || bytes.IndexByte(record, '\n') >= 0:
		return fault.New(fault.Internal, fault.T("a log record must be one line"))
	case len(record) > maxRecord:
		return tooLarge(l.file(), int64(len(record)), maxRecord)
	}
	p, err := l.dir.use()
	if err != nil {
		return err
	}
	f, err := l.add(p, record)
	if err != nil {
		return fault.System(err, p.shown(l.file()))
	}
	// Wait for the disk outside of the lock, so that others can go on.
	if durable {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return fault.System(err, p.shown(l.file()))
}

// add writes a record and returns its file. Only the start of a new generation
// takes a lock: an append is one write, and a record that goes to a file that has
// just become the older one is kept too.
func (l *Log) add(p *opened, record []byte) (f *os.File, err error) {
	if l.most > 0 {
		if err := l.rotate(p); err != nil {
			return nil, err
		}
	}
	if f, err = l.open(p); err != nil {
		return nil, err
	}
	if err := l.write(f, record); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// write appends one line.
func (l *Log) write(f *os.File, record []byte) error {
	torn, err := unfinished(f)
	if err != nil {
		return err
	}
	line := make([]byte, 0, len(record)+2)
	if torn {
		line = append(line, '\n')
	}
	_, err = f.Write(append(append(line, record...), '\n'))
	return err
}

func (l *Log) open(p *opened) (*os.File, error) {
	const flags = os.O_RDWR | os.O_APPEND
	f, err := p.dir.OpenFile(l.file(), flags, 0o600)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if parent := path.Dir(l.file()); parent != "." {
		if err := p.dir.MkdirAll(parent, 0o700); err != nil {
			return nil, err
		}
	}
	if f, err = p.dir.OpenFile(l.file(), flags|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	if err := syncDir(p.dir, path.Dir(l.file())); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// unfinished reports whether the last line has no newline. Either a crash cut it,
// or another process is writing it; then an empty line does no harm.
func unfinished(f *os.File) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil && err != io.EOF {
		return false, err
	}
	return last[0] != '\n', nil
}

// rotate starts a new generation if the log is full.
func (l *Log) rotate(p *opened) (err error) {
	if full, err := l.full(p); err != nil || !full {
		return err
	}
	unlock, err := l.dir.Lock(context.Background(), reserved+"log "+l.name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if full, err := l.full(p); err != nil || !full {
		return err // another process did it
	}
	if err := l.count(p); err != nil {
		return err
	}
	if err := p.dir.Rename(l.file(), l.older()); err != nil {
		return err
	}
	return syncDir(p.dir, path.Dir(l.file()))
}

// count adds the records of the older generation to those that were dropped, before it is.
func (l *Log) count(p *opened) error {
	n := 0
	failed := error(nil)
	l.lines(p, l.older(), func(_ []byte, err error) bool {
		if err == nil || fault.Is(err, fault.TooLarge) {
			n++
		} else {
			failed = err
		}
		return true
	})
	if failed != nil || n == 0 {
		return failed
	}
	before, err := l.Dropped()
	if err != nil {
		return err
	}
	return p.stream(l.dropped(), true, func(w io.Writer) error {
		_, err := io.WriteString(w, strconv.Itoa(before+n))
		return err
	})
}

// Dropped returns the number of the records that were dropped when the log started afresh.
// After a crash it may be too high by those of one generation.
func (l *Log) Dropped() (int, error) {
	p, err := l.dir.use()
	if err != nil {
		return 0, err
	}
	f, err := p.dir.Open(l.dropped())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fault.System(err, p.shown(l.dropped()))
	}
	defer f.Close()
	digits, err := io.ReadAll(io.LimitReader(f, 20))
	if err != nil {
		return 0, fault.System(err, p.shown(l.dropped()))
	}
	n, err := strconv.Atoi(string(digits))
	if err != nil {
		return 0, nil
	}
	return n, nil
}

func (l *Log) full(p *opened) (bool, error) {
	info, err := p.dir.Lstat(l.file())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.Size() >= l.most, err
}

// Sync makes durable what was appended, by any process.
func (l *Log) Sync() error {
	p, err := l.dir.use()
	if err != nil {
		return err
	}
	f, err := p.dir.OpenFile(l.file(), os.O_RDWR, 0)
	if err != nil {
		return fault.System(err, p.shown(l.file()))
	}
	err = f.Sync()
	if closing := f.Close(); err == nil {
		err = closing
	}
	return fault.System(err, p.shown(l.file()))
}

// Records yields the records of the log, the oldest first, without a line that a
// crash cut short. A line longer than maxRecord is yielded as an error, and the
// records after it follow; any other error is the last. A record is valid until
// the next one.
func (l *Log) Records() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		p, err := l.dir.use()
		if err != nil {
			yield(nil, err)
			return
		}
		if l.most > 0 && !l.lines(p, l.older(), yield) {
			return
		}
		l.lines(p, l.file(), yield)
	}
}

// lines yields the records of one generation and reports whether to go on.
func (l *Log) lines(p *opened, name string, yield func([]byte, error) bool) bool {
	f, err := p.dir.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		yield(nil, fault.System(err, p.shown(name)))
		return false
	}
	defer f.Close()
	var at int64
	for line, err := range Lines(f, &at) {
		if err != nil {
			err = fault.System(err, p.shown(name))
		}
		if !yield(line, err) {
			return false
		}
	}
	return true
}

// Open opens the present generation for reading at any place; nil if there is none. What is
// appended later is seen through it, a replacement of the log is not.
func (l *Log) Open() (*os.File, error) {
	p, err := l.dir.use()
	if err != nil {
		return nil, err
	}
	return openLog(p, l.file())
}

// Lines cuts a stream into its complete lines, as [Log.Records] yields them, and skips
// empty ones. It adds to at how many bytes the lines have that are behind it: one begins
// at *at less its length and its newline.
func Lines(r io.Reader, at *int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		var long []byte // what was read of a line that the buffer cannot hold
		var size int64  // of the line so far
		over := false
		for {
			part, err := in.ReadSlice('\n')
			size += int64(len(part))
			if errors.Is(err, bufio.ErrBufferFull) {
				if over = over || len(long)+len(part) > maxRecord; !over {
					long = append(long, part...)
				}
				continue
			}
			if err == io.EOF {
				return // a record that nobody finished
			}
			if err != nil {
				yield(nil, err)
				return
			}
			*at, size = *at+size, 0
			line := part[:len(part)-1]
			if len(long) > 0 {
				line = append(long, line...)
			}
			if over = over || len(line) > maxRecord; over {
				if !yield(nil, tooLarge("line", int64(len(line)), maxRecord)) {
					return
				}
			} else if len(line) > 0 && !yield(line, nil) {
				return
			}
			long, over = long[:0], false
		}
	}
}

// Tail reads a log that does not rotate while it grows.
type Tail struct {
	log *Log
	at  int64 // bytes that were read
}

// Tail returns a reader of the log from its beginning.
func (l *Log) Tail() *Tail { return &Tail{log: l} }

// Records yields the records that are complete and were not yielded yet, as
// [Log.Records] does. A log that does not exist has none.
func (t *Tail) Records() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		p, err := t.log.dir.use()
		if err != nil {
			yield(nil, err)
			return
		}
		name := t.log.file()
		f, err := p.dir.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err == nil {
			defer f.Close()
			_, err = f.Seek(t.at, io.SeekStart)
		}
		if err != nil {
			yield(nil, fault.System(err, p.shown(name)))
			return
		}
		for line, err := range Lines(f, &t.at) {
			if err != nil {
				err = fault.System(err, p.shown(name))
			}
			if !yield(line, err) {
				return
			}
		}
	}
}

// Exists reports whether the log has a file.
func (l *Log) Exists() (bool, error) {
	p, err := l.dir.use()
	if err != nil {
		return false, err
	}
	switch _, err = p.dir.Lstat(l.file()); {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fault.System(err, p.shown(l.file()))
	}
	return true, nil
}

// Replace replaces all records of a log atomically and durably. The caller must
// hold a lock that keeps others from appending: their records would be lost.
func (l *Log) Replace(records iter.Seq[[]byte]) error {
	p, err := l.dir.use()
	if err != nil {
		return err
	}
	err = p.stream(l.file(), true, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for record := range records {
			if _, err := out.Write(append(slices.Clip(record), '\n')); err != nil {
				return err
			}
		}
		return out.Flush()
	})
	return fault.System(err, p.shown(l.file()))
}

// Remove deletes the log with all its records.
func (l *Log) Remove() error {
	p, err := l.dir.use()
	if err != nil {
		return err
	}
	for _, name := range []string{l.older(), l.file(), l.dropped()} {
		if err := ignoreMissing(p.dir.Remove(name)); err != nil {
			return fault.System(err, p.shown(name))
		}
	}
	return nil
}
