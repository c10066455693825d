package search

import (
	"bytes"
	"math"

	"github.com/helve-dev/helve/pkg/search/walk"
)

// hit is a line that matches.
type hit struct {
	start int64    // offset of the line in the text
	near  int64    // an offset in the line, near the match
	line  int      // line number, from 1
	spans []span64 // of the matches, if they may span lines; otherwise they are found again
}

// found is the result of searching one file.
type found struct {
	count  int
	exact  bool // the complete file was counted
	hits   []hit
	binary bool
	// document says that it is a document, of which only the bytes were searched.
	document bool
	// near says that nothing matches, but may do so if case is ignored.
	near bool
	// undecoded says that the file is not UTF-8 and that its encoding is not certain:
	// nothing matches, but characters beyond ASCII have other bytes.
	undecoded bool
	text      source
}

// source is the text of a file: data if it is in memory, otherwise content.
type source struct {
	data    []byte
	content content

	buffer []byte // what was read last
	kept   []byte // the part of buffer that is valid
	base   int64  // its offset in the text
}

// window returns the bytes from start to end, or fewer at the end of the text. They are
// valid until the next call, for which it reads ahead.
func (s *source) window(start, end int64) ([]byte, error) {
	start = max(start, 0)
	if s.data != nil {
		end = min(end, int64(len(s.data)))
		return s.data[min(start, end):end], nil
	}
	size := int(end - start)
	if start < s.base || end > s.base+int64(len(s.kept)) {
		if cap(s.buffer) < 2*size {
			s.buffer = make([]byte, 2*size)
		}
		n, err := s.content.ReadAt(s.buffer[:2*size], start)
		s.kept, s.base = s.buffer[:n], start
		if err != nil {
			return nil, err
		}
	}
	rest := s.kept[start-s.base:]
	return rest[:min(size, len(rest))], nil
}

// task is the search of one file.
type task struct {
	skip     int  // do not keep this many hits at the start
	record   int  // keep the hits after those, up to this number
	enough   int  // stop counting at this many hits; text in memory may be counted further
	numbers  bool // hits need line numbers
	explicit bool // the caller named the file: search it even if it is binary
	stopped  func() bool
	// foreign says to end the search at bytes that are not UTF-8: the characters of the
	// pattern may have other bytes there.
	foreign bool
}

// keeps reports whether to keep the hit with this number, counted from 1.
func (t *task) keeps(number int) bool { return t.skip < number && number <= t.record }

// file searches an open file of a name. The text of the hits is valid until the next call
// of the searcher.
func (s *searcher) file(r walk.Reader, name string, t task) (found, error) {
	n, err := r.Read(s.buffer)
	if err != nil {
		return found{}, err
	}
	head := s.buffer[:n]
	if f, done, err := s.converted(r, name, head, t); done || err != nil {
		return f, err
	}
	f, err := s.plain(r, head, t)
	f.document = (s.convert == nil || s.converts != nil) && f.count == 0 && isDocument(head, name)
	return f, err
}

// plain searches a file as it is, of which head was read.
func (s *searcher) plain(r walk.Reader, head []byte, t task) (found, error) {
	n := len(head)
	switch {
	case n < len(s.buffer):
		if wide(head) {
			head = transcode(head)
		}
		return s.small(head, t)
	case wide(head):
		mark, part := unwide(head)
		return s.stream(newDecoded(r, mark, part), t)
	case !t.explicit && bytes.IndexByte(head, 0) >= 0:
		return found{binary: true}, nil
	}
	t.foreign = s.Foreign && s.decode != nil
	f, sample, err := s.large(r, head, t)
	if sample == nil || err != nil {
		return f, err
	}
	part, known := s.decode(wholeLines(sample))
	if known && part != nil {
		text := newDecoded(r, 0, part)
		f, err = s.stream(text, t)
		f.undecoded = text.damaged && f.count == 0
		return f, err
	}
	t.foreign = false
	f, _, err = s.large(r, nil, t)
	f.undecoded = !known && f.count == 0
	return f, err
}

// wholeLines returns a sample without an incomplete line at its end, which may end in an
// incomplete character.
func wholeLines(sample []byte) []byte {
	if n := bytes.LastIndexByte(sample, '\n') + 1; n > 0 {
		return sample[:n]
	}
	return sample
}

// small searches a file that is in memory.
func (s *searcher) small(data []byte, t task) (found, error) {
	data = bytes.TrimPrefix(data, []byte(utf8BOM))
	f, err := s.whole(data, t)
	if err != nil {
		return found{}, err
	}
	if s.decode == nil || f.count == 0 && !s.Foreign || !s.foreign(data) || bytes.IndexByte(data, 0) >= 0 {
		return f, nil
	}
	part, known := s.decode(data)
	if !known || part == nil {
		f.undecoded = !known && f.count == 0
		return f, nil
	}
	text, _ := part(data, true)
	return s.whole(text, t)
}

// whole searches a text that is in memory.
func (s *searcher) whole(data []byte, t task) (found, error) {
	f := found{exact: true, text: source{data: data}}
	if data == nil {
		f.text.data = []byte{}
	}
	if s.Multiline {
		p := &part{}
		s.spanning(memory(data), memory(data), p, t)
		if p.err != nil {
			return found{}, p.err
		}
		f.count, f.hits, f.exact = p.count, p.hits, p.done.Load()
		f.near = f.count == 0 && s.alike(data)
	} else {
		most := math.MaxInt
		if t.enough == 1 {
			most = 1
			f.exact = false
		}
		offsets := s.lines(data, most)
		f.count = len(offsets)
		f.near = f.count == 0 && s.alike(data)
		for _, at := range offsets[min(len(offsets), t.skip):min(len(offsets), max(t.record, t.skip))] {
			f.hits = append(f.hits, hit{start: int64(lineStart(data, 0, at)), near: int64(at)})
		}
	}
	if f.count > 0 && !t.explicit && bytes.IndexByte(data, 0) >= 0 {
		return found{binary: true}, nil
	}
	if t.numbers {
		line, at := 1, 0
		for i := range f.hits {
			start := int(f.hits[i].start)
			line += bytes.Count(data[at:start], []byte{'\n'})
			at = start
			f.hits[i].line = line
		}
	}
	return f, nil
}

// stream searches a text that is read from its start to its end.
func (s *searcher) stream(c content, t task) (found, error) {
	p := &part{}
	if s.Multiline {
		s.spanning(c, s.read(c), p, t)
	} else {
		s.part(s.read(c), p, 0, 0, math.MaxInt64, t)
	}
	switch {
	case p.err != nil:
		return found{}, p.err
	case p.binary && !t.explicit:
		return found{binary: true}, nil
	}
	f := found{count: p.count, exact: p.done.Load(), hits: p.hits, near: s.mayRelax(p), text: source{content: c}}
	if s.Multiline {
		return f, s.number(c, f.hits, t)
	}
	for i := range f.hits {
		f.hits[i].line++
	}
	return f, nil
}

// number sets the line numbers of hits.
func (s *searcher) number(c content, hits []hit, t task) error {
	if !t.numbers {
		return nil
	}
	at, line := int64(0), 1
	for i := range hits {
		for h := &hits[i]; at < h.start; {
			n, err := c.ReadAt(s.buffer[:min(int64(len(s.buffer)), h.start-at)], at)
			if err != nil {
				return err
			}
			if n == 0 {
				break // the file became shorter
			}
			line += bytes.Count(s.buffer[:n], []byte{'\n'})
			at += int64(n)
		}
		hits[i].line = line
	}
	return nil
}
