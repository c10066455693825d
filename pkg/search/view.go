package search

import (
	"errors"
	"runtime/debug"

	"github.com/helve-dev/helve/pkg/search/walk"
)

// content is a text that is read piece by piece, and need not fit into memory.
type content interface {
	// ReadAt reads from an offset until p is full or the text ends, which is no error.
	ReadAt(p []byte, off int64) (n int, err error)
}

// view reads a text, best at increasing offsets.
type view interface {
	// at returns size bytes at offset base, or fewer if the text ends; last says
	// that it does. The bytes are valid until the next call.
	at(base int64, size int) (data []byte, last bool, err error)
	reader() content
}

// memory is a text that is in memory.
type memory []byte

func (m memory) ReadAt(p []byte, off int64) (int, error) {
	return copy(p, m[min(off, int64(len(m))):]), nil
}

func (m memory) at(base int64, _ int) (data []byte, last bool, err error) { return m[base:], true, nil }

func (m memory) reader() content { return m }

// from is the part of a text that starts at an offset.
type from struct {
	content
	start int64
}

func (f from) ReadAt(p []byte, off int64) (int, error) { return f.content.ReadAt(p, f.start+off) }

// reading is a view that reads a text into a buffer.
type reading struct {
	content
	searcher *searcher
	buffer   []byte
	base     int64 // the offset of the buffer in the text
	kept     int   // how many bytes of the buffer are valid
}

func (s *searcher) read(c content) *reading {
	return &reading{content: c, searcher: s, buffer: s.buffer}
}

func (v *reading) reader() content { return v.content }

func (v *reading) at(base int64, size int) (data []byte, last bool, err error) {
	var kept []byte
	if skip := base - v.base; skip >= 0 && skip < int64(v.kept) {
		kept = v.buffer[skip:v.kept]
	}
	if size > len(v.searcher.buffer) {
		if v.searcher.stretched == nil {
			v.searcher.stretched = v.searcher.borrowLong()
		}
		v.buffer = v.searcher.stretched
	} else {
		v.buffer = v.searcher.buffer
	}
	n := copy(v.buffer, kept)
	if n < size {
		more, err := v.ReadAt(v.buffer[n:size], base+int64(n))
		if err != nil {
			return nil, false, err
		}
		n += more
	}
	v.base, v.kept = base, n
	return v.buffer[:n], n < size, nil
}

const (
	// mappedLeast and mappedMost bound the size of a window, in bytes. A larger
	// window costs memory; a smaller one costs calls, which matters only for very
	// large files.
	mappedLeast = 256 << 10
	mappedMost  = 4 << 20
	// mappedTimes is into how many windows a file of medium size is divided.
	mappedTimes = 128
)

// mapping is a view that maps windows of the file into memory, without a copy.
type mapping struct {
	walk.Reader
	size  int64 // of the file
	data  []byte
	base  int64 // the offset of data in the file
	unmap func()
}

func (v *mapping) reader() content { return v.Reader }

func (v *mapping) at(base int64, size int) (data []byte, last bool, err error) {
	if base >= v.size {
		return nil, true, nil
	}
	need := min(int64(size), v.size-base)
	if base < v.base || base+need > v.base+int64(len(v.data)) {
		v.close()
		window := min(max(v.size/mappedTimes, mappedLeast), mappedMost)
		n := min(max(need, window), v.size-base)
		m, unmap, ok := v.Map(base, int(n))
		if !ok {
			return nil, false, errNoMap
		}
		v.data, v.base, v.unmap = m, base, unmap
	}
	return v.data[base-v.base:][:need], base+need == v.size, nil
}

func (v *mapping) close() {
	if v.unmap != nil {
		v.unmap()
	}
	v.data, v.unmap = nil, nil
}

// mapped searches a part of a file without copying it. It reports false if the
// file cannot be mapped, or if it became shorter in the meantime.
func (s *searcher) mapped(r walk.Reader, p *part, size, origin, from, to int64, t task) (ok bool) {
	v := &mapping{Reader: r, size: size}
	defer v.close()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if why := recover(); why != nil {
			if _, fault := why.(interface{ Addr() uintptr }); !fault {
				panic(why)
			}
			ok = false
		}
	}()
	s.part(v, p, origin, from, to, t)
	return !errors.Is(p.err, errNoMap)
}

// errNoMap says that a file cannot be mapped into memory.
var errNoMap = errors.New("cannot be mapped")
