package search

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/search/dfa"
	"github.com/helve-dev/helve/pkg/search/pattern"
	"github.com/helve-dev/helve/pkg/search/scan"
)

// bufferSize is how much of a file, in bytes, a worker reads at once.
const bufferSize = 256 << 10

// matcher is a pattern with what all workers share of it.
type matcher struct {
	*pattern.Pattern
	finder  scan.Finder   // of the literals; nil if there are none
	finders []scan.Finder // and of those that may do in their place
	first   scan.Set      // what a match starts with
	starts  bool          // first is known
	longest int           // of the literals, in bytes

	decode func([]byte) ([]byte, bool) // may be nil
	// foreign says that each match holds a character that is no ASCII: other
	// encodings spell it in other bytes.
	foreign bool
	high    scan.Set // the bytes that are no ASCII

	mu    sync.Mutex
	spare []*searcher // of helpers that are done
	long  []byte      // a buffer for long lines, which few files have
}

// borrow gives a buffer for a long line.
func (m *matcher) borrow() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b := m.long; b != nil {
		m.long = nil
		return b
	}
	return make([]byte, longestLine)
}

// giveBack returns it.
func (s *searcher) giveBack() {
	if s.stretched == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.long, s.stretched = s.stretched, nil
}

// helper gives a searcher to one who helps with a large file; done takes it
// back.
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

func newMatcher(p *pattern.Pattern, decode func([]byte) ([]byte, bool)) *matcher {
	m := &matcher{Pattern: p, decode: decode}
	m.foreign = len(p.Literals) > 0 && !slices.ContainsFunc(p.Literals, isASCII)
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
	if p.Multiline {
		m.first, m.starts = pattern.First(p)
	}
	return m
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// decoded is a text in another encoding as UTF-8, if that may matter: hits are
// to be shown, or would look different there.
func (m *matcher) decoded(data []byte, hits int) ([]byte, bool) {
	if m.decode == nil || hits == 0 && !m.foreign || m.high.Index(data) < 0 || utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return nil, false
	}
	return m.decode(data)
}

// searcher is what one worker needs to search texts.
type searcher struct {
	*matcher
	automaton *dfa.DFA
	machine   *pattern.Machine
	buffer    []byte
	stretched []byte // for lines that do not fit into the buffer
	section   []byte // for pieces of lines that do not fit into that either
	whole     []byte // for files that are needed as a whole
	places    []int

	// choice is the finder that is used for lines; past the last, none is.
	// scanned and vain say how it fares: what was scanned, and how many places
	// were looked at in vain.
	choice, scanned, vain int
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

// vainly is how many bytes must be scanned per place looked at in vain for the
// literals to be quicker than the automaton alone.
const vainly = 160

// lines gives a place in each line of data that matches, at most that many. The
// places are valid until the next call.
func (s *searcher) lines(data []byte, most int) []int {
	s.places = s.places[:0]
	if !s.Exact && s.vain > 64 && s.vain*vainly > s.scanned {
		s.choice++
		s.scanned, s.vain = 0, 0
	}
	if s.choice >= len(s.finders) {
		s.places = s.withoutCR(data, s.dfa().Lines(data, s.places, most))
		return s.places
	}
	finder := s.finders[s.choice]
	s.scanned += len(data)
	for at := 0; at < len(data) && len(s.places) < most; {
		i := finder.Index(data[at:])
		if i < 0 {
			break
		}
		place := at + i
		end := lineEnd(data, place)
		if s.Exact {
			s.places = append(s.places, place)
		} else if found, ok := s.line(data[lineStart(data, at, place):end]); ok {
			s.places = append(s.places, lineStart(data, at, place)+found)
		} else {
			s.vain++
		}
		at = end + 1
	}
	return s.places
}

// line reports whether one line, without its break, matches, and where about.
func (s *searcher) line(line []byte) (place int, ok bool) {
	var one [1]int
	found := s.dfa().Lines(line, one[:0], 1)
	if len(found) == 0 {
		if len(line) > 0 {
			return 0, false
		}
		_, _, ok = s.spans().Find(line, 0, nil) // the automaton sees no line here
		return 0, ok
	}
	if bytes.IndexByte(line, '\r') >= 0 {
		start, _, ok := s.spans().Find(trimCR(line), 0, nil)
		return start, ok
	}
	return found[0], true
}

// withoutCR drops lines that only match because the automaton takes a CR for
// the end of a line, or part of it.
func (s *searcher) withoutCR(data []byte, places []int) []int {
	if len(places) == 0 || bytes.IndexByte(data, '\r') < 0 {
		return places
	}
	kept := places[:0]
	for _, place := range places {
		line := data[lineStart(data, 0, place):lineEnd(data, place)]
		if bytes.IndexByte(line, '\r') >= 0 {
			if _, _, ok := s.spans().Find(trimCR(line), 0, nil); !ok {
				continue
			}
		}
		kept = append(kept, place)
	}
	return kept
}

// lineStart is where the line of a place starts; from is a line's start before.
func lineStart(data []byte, from, place int) int {
	return from + bytes.LastIndexByte(data[from:place], '\n') + 1
}

// lineEnd is where the line of a place ends, its break not counted.
func lineEnd(data []byte, place int) int {
	if nl := bytes.IndexByte(data[place:], '\n'); nl >= 0 {
		return place + nl
	}
	return len(data)
}

func trimCR(line []byte) []byte { return bytes.TrimSuffix(line, []byte{'\r'}) }

// span is a match: bytes start to end, end not included.
type span struct{ start, end int }

// matches gives the matches in a text, at most that many: all of a file when
// they may span lines, otherwise one line.
func (s *searcher) matches(text []byte, most int) []span {
	var found []span
	ahead := s.ahead(text)
	for at := 0; at <= len(text) && len(found) < most; {
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

// ahead skips to where a match can start.
func (s *searcher) ahead(text []byte) func(int) int {
	var find func([]byte) int
	back := 0
	switch {
	case s.Leads:
		find = s.finder.Index
		if len(s.Literals) > 1 {
			back = s.longest // it may have found a text that starts a little after another
		}
	case s.starts:
		find = s.first.Index
	default:
		return nil
	}
	return func(i int) int {
		at := find(text[i:])
		if at < 0 {
			return -1
		}
		return i + max(at-back, 0)
	}
}

// spanning gives the matches in a text that they may span the lines of.
func (s *searcher) spanning(text []byte, most int) []span {
	if s.finder != nil && s.finder.Index(text) < 0 {
		return nil
	}
	if !s.Leads {
		if _, ok := s.dfa().Text(text); !ok {
			return nil
		}
	}
	return s.matches(text, most)
}
