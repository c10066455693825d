package search

import (
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/helve-dev/helve/pkg/search/dfa"
	"github.com/helve-dev/helve/pkg/search/pattern"
	"github.com/helve-dev/helve/pkg/search/scan"
)

// bufferSize is the number of bytes that a worker reads at once.
const bufferSize = 256 << 10

// matcher is a compiled pattern with what all workers share.
type matcher struct {
	*pattern.Pattern
	finder  scan.Finder   // finds the literals; nil if there are none
	finders []scan.Finder // finder, and those of p.Others
	first   scan.Set      // bytes that a match can start with
	starts  bool          // first is known
	longest int           // length of the longest literal, in bytes

	decode  Decoder   // may be nil
	convert Converter // may be nil
	// converts selects by name what convert is asked about; nil means all files.
	converts func(name string) bool
	high     scan.Set // the bytes beyond ASCII

	relaxed *matcher    // ignores case; nil if that is not wanted, or the same
	met     atomic.Bool // a line has matched, so that no other is searched for with relaxed

	mu    sync.Mutex
	spare []*searcher // not in use; see helper
	long  []byte      // a buffer for a long line, shared because few files need it
}

// borrowLong returns a buffer for a long line.
func (m *matcher) borrowLong() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b := m.long; b != nil {
		m.long = nil
		return b
	}
	return make([]byte, longestLine)
}

// returnLong hands back the buffer that s borrowed, if any.
func (s *searcher) returnLong() {
	if s.stretched == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.long, s.stretched = s.stretched, nil
}

// helper returns a searcher for a goroutine that helps with a large file; done
// takes it back.
func (m *matcher) helper() *searcher {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.spare); n > 0 {
		s := m.spare[n-1]
		m.spare = m.spare[:n-1]
		return s
	}
	return newSearcher(m)
}

func (m *matcher) done(s *searcher) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spare = append(m.spare, s)
}

func newMatcher(p *pattern.Pattern, decode Decoder, convert Converter) *matcher {
	m := &matcher{Pattern: p, decode: decode, convert: convert}
	for b := 0x80; b < 0x100; b++ {
		m.high.Add(byte(b))
	}
	if len(p.Literals) > 0 {
		texts := make([][]byte, len(p.Literals))
		for i, l := range p.Literals {
			texts[i] = []byte(l)
			m.longest = max(m.longest, len(l))
		}
		m.finder = scan.New(texts, p.Fold)
		m.finders = append(m.finders, m.finder)
	}
	for _, o := range p.Others {
		texts := make([][]byte, len(o.Texts))
		for i, t := range o.Texts {
			texts[i] = []byte(t)
		}
		m.finders = append(m.finders, scan.New(texts, o.Fold))
	}
	m.first, m.starts = pattern.First(p)
	return m
}

// searcher searches texts for one worker.
type searcher struct {
	*matcher
	automaton *dfa.DFA
	machine   *pattern.Machine
	buffer    []byte
	stretched []byte // for lines that do not fit into buffer; borrowed
	section   []byte // for pieces of lines that do not fit into another buffer
	offsets   []int  // the result of lines

	// choice is the index of the finder that lines uses; len(finders) means none. scanned
	// counts the bytes that it has scanned, misses the lines it found that did not match.
	choice, scanned, misses int

	other *searcher // for matcher.relaxed
}

func newSearcher(m *matcher) *searcher {
	return &searcher{matcher: m, buffer: make([]byte, bufferSize)}
}

func (s *searcher) dfa() *dfa.DFA {
	if s.automaton == nil {
		s.automaton = dfa.New(s.Pattern)
	}
	return s.automaton
}

func (s *searcher) spans() *pattern.Machine {
	if s.machine == nil {
		s.machine = pattern.NewMachine(s.Pattern)
	}
	return s.machine
}

// bytesPerMiss is the fewest bytes scanned per miss at which a finder is faster than the
// automaton alone.
const bytesPerMiss = 160

// lines returns an offset in each line of data that matches, for at most that
// many lines. The result is valid until the next call.
func (s *searcher) lines(data []byte, most int) []int {
	s.offsets = s.offsets[:0]
	if !s.Exact && s.misses > 64 && s.misses*bytesPerMiss > s.scanned {
		s.choice++
		s.scanned, s.misses = 0, 0
	}
	if s.choice >= len(s.finders) {
		s.offsets = s.withoutCR(data, s.dfa().Lines(data, s.offsets, most))
		return s.offsets
	}
	finder := s.finders[s.choice]
	s.scanned += len(data)
	for at := 0; at < len(data) && len(s.offsets) < most; {
		i := finder.Index(data[at:])
		if i < 0 {
			break
		}
		literal := at + i
		end := lineEnd(data, literal)
		if s.Exact {
			s.offsets = append(s.offsets, literal)
		} else {
			start := lineStart(data, at, literal)
			if near, ok := s.line(data[start:min(end+1, len(data))], end-start); ok {
				s.offsets = append(s.offsets, start+near)
			} else {
				s.misses++
			}
		}
		at = end + 1
	}
	return s.offsets
}

// line reports whether one line matches, which has so many bytes before its line break, if
// it has one. near is an offset near the match.
func (s *searcher) line(line []byte, length int) (near int, ok bool) {
	var one [1]int
	found := s.dfa().Lines(line, one[:0], 1)
	line = line[:length]
	if len(found) == 0 {
		if len(line) > 0 {
			return 0, false
		}
		_, _, ok = s.spans().Find(line, 0, nil) // for the automaton, empty data has no line
		return 0, ok
	}
	if bytes.IndexByte(line, '\r') >= 0 {
		start, _, ok := s.spans().Find(s.body(line), 0, nil)
		return start, ok
	}
	return found[0], true
}

// withoutCR drops the offsets of lines that match only because the automaton
// treats a CR as a character of the line or as its end.
func (s *searcher) withoutCR(data []byte, offsets []int) []int {
	if len(offsets) == 0 || bytes.IndexByte(data, '\r') < 0 {
		return offsets
	}
	kept := offsets[:0]
	for _, at := range offsets {
		line := data[lineStart(data, 0, at):lineEnd(data, at)]
		if bytes.IndexByte(line, '\r') >= 0 {
			if _, _, ok := s.spans().Find(s.body(line), 0, nil); !ok {
				continue
			}
		}
		kept = append(kept, at)
	}
	return kept
}

// lineStart returns the start of the line with offset at. from is the start of
// that line or of one before it.
func lineStart(data []byte, from, at int) int {
	return from + bytes.LastIndexByte(data[from:at], '\n') + 1
}

// lineEnd returns the end of the line with offset at, without its line break.
func lineEnd(data []byte, at int) int {
	if nl := bytes.IndexByte(data[at:], '\n'); nl >= 0 {
		return at + nl
	}
	return len(data)
}

// body returns what of a line the pattern is to match.
func (s *searcher) body(line []byte) []byte {
	if s.CR {
		return line
	}
	return trimCR(line)
}

func trimCR(line []byte) []byte { return bytes.TrimSuffix(line, []byte{'\r'}) }

// span is the byte range of a match; end is not included.
type span struct{ start, end int }

// matches returns at most that many matches in a line.
func (s *searcher) matches(text []byte, most int) []span {
	var found []span
	ahead := s.ahead(text)
	for at := 0; at <= len(text) && len(found) < most; {
		if len(found) > 0 && s.finder != nil && s.finder.Index(text[at:]) < 0 {
			break // every match holds a literal
		}
		start, end, ok := s.spans().Find(text, at, ahead)
		if !ok {
			break
		}
		if start < end || len(found) == 0 || found[len(found)-1].end < start {
			found = append(found, span{start, end})
		}
		if at = end; start == end {
			at++
			for at < len(text) && text[at]&0xc0 == 0x80 {
				at++
			}
		}
	}
	return found
}

// ahead returns a function that finds the next offset where a match can start,
// or nil if that is not known; see [pattern.Machine.Find].
func (s *searcher) ahead(text []byte) func(int) int {
	switch {
	case s.Leads:
	case s.starts:
		return func(i int) int {
			at := s.first.Index(text[i:])
			if at < 0 {
				return -1
			}
			return i + at
		}
	default:
		return nil
	}
	back := 0
	if len(s.Literals) > 1 {
		back = s.longest // the finder may report a literal that starts after another one
	}
	return func(i int) int {
		at := s.finder.Index(text[i:])
		if at < 0 {
			return -1
		}
		return i + max(at-back, 0)
	}
}
