package search

import (
	"errors"
	"runtime/debug"

	"github.com/helve-dev/helve/pkg/search/walk"
)

// view is a way to look at a file from one place after the other.
type view interface {
	// at gives the bytes at base, size of them unless the file ends, which last
	// says. They are valid until the next call.
	at(base int64, size int) (data []byte, last bool, err error)
	reader() walk.Reader
}

// reading looks at a file by reading it into a buffer.
type reading struct {
	walk.Reader
	searcher *searcher
	buffer   []byte
	base     int64 // where what is in the buffer stands
	kept     int
}

func (s *searcher) read(r walk.Reader) *reading {
	return &reading{Reader: r, searcher: s, buffer: s.buffer}
}

func (v *reading) reader() walk.Reader { return v.Reader }

func (v *reading) at(base int64, size int) (data []byte, last bool, err error) {
	var kept []byte
	if skip := base - v.base; skip >= 0 && skip < int64(v.kept) {
		kept = v.buffer[skip:v.kept]
	}
	if size > len(v.searcher.buffer) {
		if v.searcher.stretched == nil {
			v.searcher.stretched = v.searcher.borrow()
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

// mappedLeast and mappedMost bound how much of a file is mapped at a time: more
// costs memory, less costs calls, which only tell in a very large file.
const (
	mappedLeast = 256 << 10
	mappedMost  = 4 << 20
	// mappedTimes is how often a file of middling size is mapped.
	mappedTimes = 128
)

// mapping looks at a file where it stands in the system's cache.
type mapping struct {
	walk.Reader
	size  int64 // of the file
	data  []byte
	base  int64 // where data stands
	unmap func()
}

func (v *mapping) reader() walk.Reader { return v.Reader }

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

// mapped searches a part of a file without copying it. It reports false if
// that is not to be had, or if the file became shorter meanwhile.
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

var errNoMap = errors.New("cannot be mapped")
