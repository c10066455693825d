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
	log        *Log
	generation int
	before     fs.FileInfo // of the file of the generation before; nil if there was none
	current    fs.FileInfo // of the file that was read last; nil before the first
	at         int64       // bytes of it that were read
	place      Place
}

// Place locates a record, for the [Follower] that yielded it.
type Place struct {
	Generation int32 // of the log, from 1 on
	Bytes      int32
	At         int64
}

// Place returns where the record is that was yielded last.
func (f *Follower) Place() Place { return f.place }

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
		f.at, f.before = 0, f.current
		f.generation++
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
		f.place = Place{int32(f.generation), int32(len(line)), f.at - int64(len(line)) - 1}
		if !yield(line, err) {
			return false
		}
	}
	return true
}

// Again reads records that a [Follower] has yielded, by their places. It is for one
// goroutine.
type Again struct {
	files map[int32]*os.File
	block []byte
	of    Place // of the block
}

// Again returns a reader of the records that were yielded, as far as the log has them.
func (f *Follower) Again() (*Again, error) {
	p, err := f.log.dir.use()
	if err != nil {
		return nil, err
	}
	a := &Again{files: map[int32]*os.File{}}
	// The newer file first: see Records.
	for _, name := range []string{f.log.file(), f.log.older()} {
		file, err := openLog(p, name)
		if err != nil {
			return nil, errors.Join(err, a.Close())
		}
		if file == nil {
			continue
		}
		info, err := file.Stat()
		if err != nil {
			return nil, errors.Join(fault.System(err, p.shown(name)), file.Close(), a.Close())
		}
		generation := int32(f.generation)
		switch {
		case f.current != nil && os.SameFile(info, f.current):
		case f.before != nil && name == f.log.older() && os.SameFile(info, f.before): // a new file may have its number
			generation--
		default: // newer than what was yielded
			generation = 0
		}
		if generation == 0 || a.files[generation] != nil {
			if err := file.Close(); err != nil {
				return nil, errors.Join(fault.System(err, p.shown(name)), a.Close())
			}
			continue
		}
		a.files[generation] = file
	}
	return a, nil
}

// Record returns the record at a place; ok is false if the log has dropped it. It is valid
// until the next one.
func (a *Again) Record(at Place) (record []byte, ok bool, err error) {
	file := a.files[at.Generation]
	if file == nil {
		return nil, false, nil
	}
	from := at.At - a.of.At
	if at.Generation != a.of.Generation || from < 0 || from+int64(at.Bytes) > int64(len(a.block)) {
		if size := max(int(at.Bytes), backwardBlock); cap(a.block) < size {
			a.block = make([]byte, size)
		}
		a.of, from = at, 0
		n, err := file.ReadAt(a.block[:cap(a.block)], at.At)
		a.block = a.block[:n]
		if err != nil && err != io.EOF {
			return nil, false, fault.System(err, file.Name())
		}
		if n < int(at.Bytes) { // somebody has cut the file
			return nil, false, nil
		}
	}
	return a.block[from : from+int64(at.Bytes)], true, nil
}

// Close closes the files.
func (a *Again) Close() error {
	var err error
	for _, file := range a.files {
		err = errors.Join(err, file.Close())
	}
	return err
}

// openLog opens a generation of a log; nil if there is none.
func openLog(p *opened, name string) (*os.File, error) {
	f, err := p.dir.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, fault.System(err, p.shown(name))
}
