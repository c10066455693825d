package search

import "bytes"

// overlong searches the line that starts at start, which is too long for memory.
// It returns where the next line starts; ok is false if there is none, or if an
// error or the end of the search ends the part here.
func (s *searcher) overlong(r content, p *part, start int64, t task) (next int64, ok bool) {
	near := start
	var matched bool
	if s.section == nil {
		s.section = make([]byte, bufferSize)
	}
	scan := &sections{searcher: s, reader: r, buffer: s.section, at: start, overlap: max(s.longest-1, 0)}
	if s.finder != nil {
		candidate := false
		for !candidate && scan.next(t) {
			if i := s.finder.Index(scan.data); i >= 0 {
				near, candidate = scan.base+int64(i), true
			}
		}
		matched = candidate && s.Exact
		if candidate && !matched && scan.err == nil && scan.foreign == nil {
			scan = &sections{searcher: s, reader: r, buffer: s.section, at: start}
			near, matched = s.feed(scan, t)
		}
	} else {
		near, matched = s.feed(scan, t)
	}
	for scan.next(t) { // skip to the end of the line
	}
	if p.foreign = scan.foreign; p.foreign != nil {
		return 0, false
	}
	if scan.err != nil {
		p.err = scan.err
		return 0, false
	}
	if t.stopped() {
		return 0, false
	}
	if matched {
		if p.count++; t.keeps(p.count) {
			p.hits = append(p.hits, hit{start: start, near: near, line: p.newlines})
		}
	} else if s.relaxes() {
		p.near = true
	}
	if !scan.broken {
		p.done.Store(true)
		return 0, false
	}
	p.newlines++
	return scan.at, true
}

// feed runs the automaton over a line. near is an offset near the match.
func (s *searcher) feed(line *sections, t task) (near int64, matched bool) {
	stream := s.dfa().Stream()
	for line.next(t) {
		if at, ok := stream.Feed(line.data); ok {
			return line.base + int64(at), true
		}
	}
	return line.at, line.err == nil && line.foreign == nil && !t.stopped() && stream.End()
}

// sections reads one line in pieces.
type sections struct {
	*searcher
	reader  content
	at      int64 // where the next piece starts
	overlap int   // how many bytes of the previous piece each piece repeats

	buffer []byte
	data   []byte // the piece, without the line break
	base   int64  // the offset of the piece in the file
	ended  bool
	broken bool // the line ends in a line break, and at is after it
	err    error

	foreign []byte // a piece that is not UTF-8, if the search ends there; see task.foreign
}

func (l *sections) next(t task) bool {
	if l.ended || l.err != nil || l.foreign != nil || t.stopped() {
		return false
	}
	kept := copy(l.buffer, l.data[max(0, len(l.data)-l.overlap):])
	n, err := l.reader.ReadAt(l.buffer[kept:], l.at)
	if err != nil {
		l.err = err
		return false
	}
	l.base = l.at - int64(kept)
	l.data = l.buffer[:kept+n]
	l.ended = kept+n < len(l.buffer)
	if t.foreign && l.isDamaged(l.data) {
		l.foreign = bytes.Clone(l.data)
		return false
	}
	if nl := bytes.IndexByte(l.data[kept:], '\n'); nl >= 0 {
		l.at += int64(nl) + 1
		if l.data = l.data[:kept+nl]; !l.CR {
			l.data = trimCR(l.data)
		}
		l.ended, l.broken = true, true
		return true
	}
	l.at += int64(n)
	return n > 0
}
