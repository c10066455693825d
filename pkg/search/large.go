package search

import (
	"bytes"
	"math"
	"sync"
	"sync/atomic"

	"github.com/helve-dev/helve/pkg/search/walk"
)

// parallelFrom is the size, in bytes, from which several workers search one file.
const parallelFrom = 4 << 20

// longestLine is the longest line, in bytes, that is read into memory at once. A
// longer one is searched in windows.
const longestLine = 1 << 20

// part is the result of searching one part of a large file.
type part struct {
	hits     []hit // their lines are counted from 0 at the first line of the part
	count    int
	newlines int
	binary   bool
	near     bool   // a line may match if case is ignored
	foreign  []byte // bytes that are not UTF-8, if the search ended there; see task.foreign
	err      error
	done     atomic.Bool
}

// large searches a file that does not fit into the buffer; head is its beginning if the
// buffer holds it. It searches several parts at once if the file is very large. If it
// ends at bytes that are not UTF-8 (see task.foreign), it returns a sample of them.
func (s *searcher) large(r walk.Reader, head []byte, t task) (f found, sample []byte, err error) {
	info, err := r.Stat()
	if err != nil {
		return found{}, nil, err
	}
	origin := int64(0)
	var mark [len(utf8BOM)]byte
	if n, err := r.ReadAt(mark[:], 0); err != nil {
		return found{}, nil, err
	} else if string(mark[:n]) == utf8BOM {
		origin = int64(n)
	}
	f = found{exact: true, text: source{content: r}}
	var parts []*part
	switch {
	case s.Multiline:
		if origin > 0 {
			f.text.content, head = from{r, origin}, nil
		}
		parts = []*part{{}}
		v := s.read(f.text.content)
		v.kept = len(head)
		s.spanning(f.text.content, v, parts[0], t)
		if err := s.number(f.text.content, parts[0].hits, t); err != nil {
			return found{}, nil, err
		}
		for i := range parts[0].hits {
			parts[0].hits[i].line-- // like those of other parts
		}
	case info.Size < parallelFrom || t.skip > 0:
		// Skipping the first hits without keeping them needs counting in order.
		parts = []*part{{}}
		v := s.read(r)
		v.kept = len(head)
		s.part(v, parts[0], origin, origin, math.MaxInt64, t)
	default:
		parts = s.parallel(r, origin, info.Size, t)
	}
	line := 1
	for _, p := range parts {
		if p.err != nil {
			return found{}, nil, p.err
		}
		if p.binary && !t.explicit {
			return found{binary: true}, nil, nil
		}
		if p.foreign != nil {
			if f.count < t.enough {
				return found{}, p.foreign, nil
			}
			f.exact = false
			break
		}
		if !p.done.Load() {
			f.exact = false
		}
		f.count += p.count
		f.near = f.near || s.mayRelax(p)
		for _, h := range p.hits {
			if len(f.hits) < t.record-t.skip {
				h.line += line
				f.hits = append(f.hits, h)
			}
		}
		line += p.newlines
	}
	return f, nil, nil
}

// partBytes is the size of the parts, in bytes, in which a very large file is
// searched.
const partBytes = 4 << 20

// parallel searches the parts of a file at once. A part is the lines that start
// in it. The work ends when the first parts hold enough hits.
func (s *searcher) parallel(r walk.Reader, origin, size int64, t task) []*part {
	parts := make([]*part, (size-origin+partBytes-1)/partBytes)
	for i := range parts {
		parts[i] = &part{}
	}
	var next atomic.Int64
	var full atomic.Bool
	var mu sync.Mutex
	counted, sum := 0, 0
	check := func() { // do the parts before the first unfinished one hold enough?
		mu.Lock()
		defer mu.Unlock()
		for counted < len(parts) && parts[counted].done.Load() {
			sum += parts[counted].count
			counted++
		}
		if sum >= t.enough {
			full.Store(true)
		}
	}
	work := func(s *searcher) {
		for {
			i := next.Add(1) - 1
			if i >= int64(len(parts)) || full.Load() || t.stopped() {
				return
			}
			from, to := origin+i*partBytes, origin+(i+1)*partBytes
			if i == int64(len(parts))-1 {
				to = math.MaxInt64 // include what was appended in the meantime
			}
			if !s.mapped(r, parts[i], size, origin, from, to, t) {
				p := parts[i]
				p.hits, p.count, p.newlines, p.binary, p.foreign, p.err = nil, 0, 0, false, nil, nil
				s.part(s.read(r), parts[i], origin, from, to, t)
			}
			if parts[i].err != nil || parts[i].binary || parts[i].foreign != nil || parts[i].count >= t.enough {
				full.Store(true) // all earlier parts are done or being searched
			}
			check()
		}
	}
	var others walk.Group
	for range walk.Workers() - 1 {
		others.Go(func() {
			helper := s.helper()
			work(helper)
			s.done(helper)
		}, func() { full.Store(true) })
	}
	work(s)
	others.Wait()
	return parts
}

// part searches the lines that start at or after from and before to.
func (s *searcher) part(v view, p *part, origin, from, to int64, t task) {
	defer s.returnLong()
	base, size := from, bufferSize
	inLine := from > origin
	if inLine {
		base-- // the previous line may end exactly at from
	}
	for !t.stopped() {
		data, last, err := v.at(base, size)
		if err != nil {
			p.err = err
			return
		}
		if inLine {
			nl := bytes.IndexByte(data, '\n')
			if inLine = nl < 0; inLine {
				nl = len(data) - 1
			}
			if base += int64(nl) + 1; base >= to || inLine && last {
				p.done.Store(true)
				return
			}
			continue
		}
		end, finished := extent(data, base, to, last)
		switch {
		case end > 0 || finished:
			if s.chunk(data[:end], base, p, t); p.binary || p.foreign != nil {
				return
			}
			if finished {
				p.done.Store(true)
				return
			}
			if p.count >= t.enough {
				return
			}
			base += int64(end)
			size = bufferSize
			continue
		case size < longestLine:
			size = longestLine
			continue
		}
		next, ok := s.overlong(v.reader(), p, base, t)
		if !ok {
			return
		}
		if base, size = next, bufferSize; base >= to {
			p.done.Store(true)
			return
		}
	}
}

// extent returns where the complete lines in data that start before to end, and
// whether no further lines follow.
func extent(data []byte, base, to int64, last bool) (end int, finished bool) {
	if to-base <= int64(len(data)) {
		// The last line is the one with the byte before to.
		if nl := bytes.IndexByte(data[to-base-1:], '\n'); nl >= 0 {
			return int(to-base) + nl, true
		}
	}
	if last {
		return len(data), true
	}
	return bytes.LastIndexByte(data, '\n') + 1, false
}

// chunk searches complete lines, which start at offset base in the file.
func (s *searcher) chunk(data []byte, base int64, p *part, t task) {
	if t.foreign && (s.isDamaged(data) || shifts(data)) {
		p.foreign = bytes.Clone(data[:min(len(data), bufferSize)])
		return
	}
	offsets := s.lines(data, max(t.enough-p.count, 1))
	if len(offsets) == 0 && !p.near {
		p.near = s.alike(data)
	}
	if len(offsets) > 0 && !t.explicit && bytes.IndexByte(data, 0) >= 0 {
		p.binary = true
		return
	}
	at := 0
	for _, near := range offsets {
		if p.count++; !t.keeps(p.count) {
			continue
		}
		start := lineStart(data, at, near)
		if t.numbers {
			p.newlines += bytes.Count(data[at:start], []byte{'\n'})
			at = start
		}
		p.hits = append(p.hits, hit{start: base + int64(start), near: base + int64(near), line: p.newlines})
	}
	if t.numbers {
		p.newlines += bytes.Count(data[at:], []byte{'\n'})
	}
}
