package state

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/helve-dev/helve/pkg/fault"
)

// Follower reads a log that may start afresh while it grows: each record once, and no more
// of the files than is new. It is for one goroutine.
type Follower struct {
	log     *Log
	current fs.FileInfo // of the file that was read last; nil before the first
	at      int64       // bytes of it that were read
}

// Follow returns a reader of the log from its beginning.
func (l *Log) Follow() *Follower { return &Follower{log: l} }

// Records yields the records that were not yielded yet, as [Log.Records] does. Of a log
// that started afresh more than once in between, those of the last two generations are
// left.
func (f *Follower) Records() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		p, err := f.log.dir.use()
		if err != nil {
			yield(nil, err)
			return
		}
		// The newer file is opened first: if the log starts afresh in between, it is the
		// older one, and what comes after it is read the next time.
		newer, err := openLog(p, f.log.file())
		if err != nil {
			yield(nil, err)
			return
		}
		if newer != nil {
			defer newer.Close()
		}
		same, err := f.is(newer)
		if err != nil {
			yield(nil, fault.System(err, p.shown(f.log.file())))
			return
		}
		if !same && f.log.most > 0 {
			older, err := openLog(p, f.log.older())
			if err != nil {
				yield(nil, err)
				return
			}
			if older != nil {
				defer older.Close()
				if goOn := f.rest(p, older, newer, yield); !goOn {
					return
				}
			}
		}
		if newer != nil {
			f.read(p, newer, yield)
		}
	}
}

// rest yields what is left of the older generation, unless it is the newer one.
func (f *Follower) rest(p *opened, older, newer *os.File, yield func([]byte, error) bool) bool {
	if newer != nil {
		a, err := older.Stat()
		b, err2 := newer.Stat()
		if err := errors.Join(err, err2); err != nil || os.SameFile(a, b) {
			return err == nil || yield(nil, fault.System(err, p.shown(f.log.older())))
		}
	}
	return f.read(p, older, yield)
}

// is reports whether a file is the one that was read last.
func (f *Follower) is(file *os.File) (bool, error) {
	if file == nil || f.current == nil {
		return false, nil
	}
	info, err := file.Stat()
	return err == nil && os.SameFile(info, f.current) && info.Size() >= f.at, err
}

// read yields what is new in a file, and reports whether to go on.
func (f *Follower) read(p *opened, file *os.File, yield func([]byte, error) bool) bool {
	same, err := f.is(file)
	if err == nil && !same {
		f.at = 0
		f.current, err = file.Stat()
	}
	if err == nil {
		_, err = file.Seek(f.at, io.SeekStart)
	}
	if err != nil {
		return yield(nil, fault.System(err, p.shown(f.log.file())))
	}
	for line, err := range Lines(file, &f.at) {
		if err != nil {
			err = fault.System(err, p.shown(f.log.file()))
		}
		if !yield(line, err) {
			return false
		}
	}
	return true
}

// openLog opens a generation of a log; nil if there is none.
func openLog(p *opened, name string) (*os.File, error) {
	f, err := p.dir.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, fault.System(err, p.shown(name))
}
