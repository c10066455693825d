package search

import (
	"bytes"
	"math"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/search/walk"
)

// hit is a line that matches, or one match if matches may span lines.
type hit struct {
	start int64 // offset of the line in the text
	near  int64 // an offset in the line, near the match; the match itself in multiline mode
	end   int64 // end of the match, in multiline mode only
	line  int   // line number, from 1
}

// found is the result of searching one file.
type found struct {
	count  int
	exact  bool // the complete file was counted
	hits   []hit
	binary bool
	large  bool // larger than the pattern or the encoding allows
	text   source
}

// source is the text of a file: data if it is in memory, otherwise reader.
type source struct {
	data   []byte
	reader walk.Reader
}

// window returns the bytes from start to end, or fewer at the end of the text.
func (s *source) window(start, end int64) ([]byte, error) {
	start = max(start, 0)
	if s.data != nil {
		end = min(end, int64(len(s.data)))
		return s.data[min(start, end):end], nil
	}
	buffer := make([]byte, end-start)
	n, err := s.reader.ReadAt(buffer, start)
	return buffer[:n], err
}

// task says what is wanted of one file.
type task struct {
	skip     int  // do not keep this many hits at the start
	record   int  // keep the hits after those, up to this number
	enough   int  // stop counting at this many hits; text in memory may be counted further
	numbers  bool // hits need line numbers
	explicit bool // the caller named the file: search it even if it is binary
	stopped  func() bool
}

// keeps reports whether to keep the hit with this number, counted from 1.
func (t *task) keeps(number int) bool { return t.skip < number && number <= t.record }

// file searches an open file. The text of the hits is valid until the next call
// of the searcher.
func (s *searcher) file(r walk.Reader, t task) (found, error) {
	n, err := r.Read(s.buffer)
	if err != nil {
		return found{}, err
	}
	data := s.buffer[:n]
	complete := n < len(s.buffer)
	switch {
	case wide(data) || s.Multiline && !complete:
		all, large, err := s.load(r, data, complete)
		if err != nil || large {
			return found{large: large}, err
		}
		if wide(all) {
			all = transcode(all)
		}
		return s.text(all, t), nil
	case !complete && s.foreignText(data):
		all, large, err := s.load(r, data, complete)
		if err != nil {
			return found{}, err
		}
		if !large {
			return s.text(all, t), nil
		}
		return s.large(r, data, t)
	case !complete:
		return s.large(r, data, t)
	}
	return s.text(data, t), nil
}

// foreignText reports whether the beginning of a file is text in an encoding in
// which the pattern's literals have other bytes.
func (s *searcher) foreignText(head []byte) bool {
	if s.decode == nil || !s.foreign || s.high.Index(head) < 0 || bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	// The last character may be incomplete.
	for i := 1; i < utf8.UTFMax && i < len(head); i++ {
		if utf8.RuneStart(head[len(head)-i]) {
			head = head[:len(head)-i]
			break
		}
	}
	return !utf8.Valid(head)
}

// LargestWhole is the largest file, in bytes, that is read into memory at once.
// Patterns that span lines and encodings other than UTF-8 need that.
const LargestWhole = 64 << 20

// load reads the rest of a file after its first bytes, head.
func (s *searcher) load(r walk.Reader, head []byte, complete bool) (all []byte, large bool, err error) {
	if complete {
		return head, false, nil
	}
	info, err := r.Stat()
	if err != nil {
		return nil, false, err
	}
	if info.Size > LargestWhole {
		return nil, true, nil
	}
	need := max(int(info.Size), len(head)) + 1
	if cap(s.whole) < need {
		s.whole = nil // free the old buffer first
		s.whole = make([]byte, need, (need+1<<20)&^(1<<20-1))
	}
	all = s.whole[:need]
	n := copy(all, head)
	more, err := r.Read(all[n:])
	return all[:n+more], n+more > LargestWhole, err
}

// text searches a file that is in memory.
func (s *searcher) text(data []byte, t task) found {
	data = bytes.TrimPrefix(data, []byte(utf8BOM))
	f := found{exact: true, text: source{data: data}}
	if data == nil {
		f.text.data = []byte{}
	}
	if s.Multiline {
		for _, m := range s.spanning(data, math.MaxInt) {
			f.count++
			if t.keeps(f.count) {
				f.hits = append(f.hits, hit{start: int64(lineStart(data, 0, m.start)), near: int64(m.start), end: int64(m.end)})
			}
			if f.count >= t.enough {
				f.exact = false
				break
			}
		}
	} else {
		most := math.MaxInt
		if t.enough == 1 {
			most = 1
			f.exact = false
		}
		offsets := s.lines(data, most)
		f.count = len(offsets)
		for _, at := range offsets[min(len(offsets), t.skip):min(len(offsets), max(t.record, t.skip))] {
			f.hits = append(f.hits, hit{start: int64(lineStart(data, 0, at)), near: int64(at)})
		}
	}
	if f.count > 0 && !t.explicit && bytes.IndexByte(data, 0) >= 0 {
		return found{binary: true}
	}
	if other, ok := s.decoded(data, f.count); ok && utf8.Valid(other) {
		return s.text(other, t)
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
	return f
}
