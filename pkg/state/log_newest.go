package state

import (
	"bytes"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
)

// Newest yields the records of the log as [Log.Records] does, but the newest first. What is
// not asked for is not read.
func (l *Log) Newest() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		p, err := l.dir.use()
		if err != nil {
			yield(nil, err)
			return
		}
		// The newer file is opened first: if the log starts afresh in between, the older one
		// is the same.
		newer, err := openLog(p, l.file())
		if err != nil {
			yield(nil, err)
			return
		}
		if newer != nil {
			defer newer.Close()
			if goOn, err := backward(newer, yield); err != nil || !goOn {
				end(err, p.shown(l.file()), yield)
				return
			}
		}
		if l.most == 0 {
			return
		}
		older, err := openLog(p, l.older())
		if err != nil || older == nil {
			end(err, p.shown(l.older()), yield)
			return
		}
		defer older.Close()
		if newer != nil && sameFile(newer, older) {
			return
		}
		_, err = backward(older, yield)
		end(err, p.shown(l.older()), yield)
	}
}

// end yields an error, if there is one.
func end(err error, file string, yield func([]byte, error) bool) {
	if err != nil {
		yield(nil, fault.System(err, file))
	}
}

func sameFile(a, b *os.File) bool {
	x, err := a.Stat()
	if err != nil {
		return false
	}
	y, err := b.Stat()
	return err == nil && os.SameFile(x, y)
}

// backwardBlock is the number of bytes that are read at a time.
const backwardBlock = 64 << 10

// backward yields the complete lines of a file from its end, without empty ones, and reports
// whether to go on.
func backward(f *os.File, yield func([]byte, error) bool) (goOn bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	line := reversedLine{open: true}
	for at := info.Size(); at > 0; {
		block := make([]byte, min(at, backwardBlock))
		at -= int64(len(block))
		if _, err := f.ReadAt(block, at); err != nil && err != io.EOF {
			return false, err
		}
		for i := bytes.LastIndexByte(block, '\n'); i >= 0; i = bytes.LastIndexByte(block, '\n') {
			line.before(block[i+1:])
			if !line.end(yield) {
				return false, nil
			}
			block = block[:i]
		}
		line.before(block)
	}
	return line.end(yield), nil
}

// reversedLine is a line that is read from its end.
type reversedLine struct {
	parts [][]byte // the last part first
	bytes int64
	open  bool // nobody finished it
}

// before takes what comes before the parts so far.
func (l *reversedLine) before(part []byte) {
	l.bytes += int64(len(part))
	if l.parts = append(l.parts, part); l.bytes > maxRecord || l.open {
		l.parts = nil
	}
}

// end yields the line and begins the one before it.
func (l *reversedLine) end(yield func([]byte, error) bool) (goOn bool) {
	was := *l
	*l = reversedLine{}
	switch {
	case was.open || was.bytes == 0:
		return true
	case was.bytes > maxRecord:
		return yield(nil, tooLarge("line", was.bytes, maxRecord))
	}
	slices.Reverse(was.parts)
	return yield(bytes.Join(was.parts, nil), nil)
}
