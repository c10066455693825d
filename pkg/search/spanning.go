package search

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/search/pattern"
)

// spanning finds the lines of matches that may span lines. It reads the text in
// windows and keeps none of it, so that neither the text nor a match needs to fit
// into memory.
type spanning struct {
	*searcher
	text content
	task task
	part *part

	view   view
	window []byte // of the text
	base   int64  // the offset of window in the text
	last   bool   // the text ends with window
	reach  int64  // how far the window must reach after where a search continues

	line    block64 // the last line that matches
	covered int64   // how far the lines of the match under way were taken
	nul     bool    // a window had a NUL
}

// block64 is a line of a text: the bytes start to end, without the line break.
type block64 struct{ start, end int64 }

// span64 is the byte range of a match in a text; end is not included.
type span64 struct{ start, end int64 }

// spanning searches a text for matches that may span lines. Hits have no line numbers.
func (s *searcher) spanning(text content, v view, p *part, t task) {
	m := &spanning{searcher: s, text: text, view: v, task: t, part: p, line: block64{-1, -1}}
	m.reach = int64(max(bufferSize/8, 2*s.longest))
	done, err := m.run()
	if !errors.Is(err, errForeign) {
		p.err = err
	}
	p.done.Store(done && err == nil)
	p.binary = m.nul && p.count > 0 && !t.explicit
}

// errForeign ends a search at bytes that are not UTF-8; see task.foreign.
var errForeign = errors.New("not UTF-8")

// run reports whether the text was searched to its end.
func (m *spanning) run() (done bool, err error) {
	if err := m.show(0); err != nil {
		return false, err
	}
	machine := m.spans()
	for at, ended := int64(0), int64(-1); ; {
		if at, err = m.skip(at); at < 0 || err != nil {
			return err == nil && !m.task.stopped(), err
		}
		if err := m.show(at); err != nil {
			return false, err
		}
		machine.Begin(at)
		m.covered = -1
		for !machine.Feed(m.window, m.base, m.last, m.candidate) {
			if start, end, ok := machine.Match(); ok {
				if err := m.cover(start, end, false); err != nil {
					return false, err
				}
			}
			if m.task.stopped() || m.part.count >= m.task.enough {
				return false, nil
			}
			if err := m.show(machine.At()); err != nil {
				return false, err
			}
		}
		start, end, ok := machine.Match()
		if !ok {
			return true, nil
		}
		// An empty match next to another one is part of that, unless it is on another line.
		if start < end || ended < start || start > m.line.end {
			if err := m.cover(start, end, true); err != nil {
				return false, err
			}
		}
		if m.part.count >= m.task.enough {
			return false, nil
		}
		at, ended = end, end
		if start == end {
			if at, err = m.after(at); at < 0 || err != nil {
				return err == nil, err
			}
		}
	}
}

// show moves the window so that a search can continue at an offset.
func (m *spanning) show(at int64) error {
	base := max(at-pattern.Behind, 0)
	if m.window != nil && m.base <= base && (m.last || at+m.reach < m.base+int64(len(m.window))) {
		return nil
	}
	var err error
	m.window, m.last, err = m.view.at(base, bufferSize)
	if m.window == nil {
		m.window = []byte{}
	}
	m.base = base
	if err == nil && m.task.foreign && m.isDamaged(m.window) {
		m.part.foreign = bytes.Clone(m.window)
		return errForeign
	}
	m.nul = m.nul || bytes.IndexByte(m.window, 0) >= 0
	return err
}

// after returns the offset after the character at an offset, or -1 at the end.
func (m *spanning) after(at int64) (int64, error) {
	if err := m.show(at); err != nil {
		return -1, err
	}
	rest := m.window[at-m.base:]
	if len(rest) == 0 {
		return -1, nil
	}
	_, n := utf8.DecodeRune(rest)
	if !m.CR && bytes.HasPrefix(rest, []byte("\r\n")) {
		n = 2
	}
	return at + int64(n), nil
}

// candidate returns the first offset in the window, at i or later, where a match may
// start; -1 if there is none in the rest of the text.
func (m *spanning) candidate(i int) int {
	var find func([]byte) int
	width, back := 1, 0
	switch {
	case m.Leads:
		find, width = m.finder.Index, m.longest
		if len(m.Literals) > 1 {
			back = m.longest // the finder may report a literal that starts after another one
		}
	case m.starts:
		find = m.first.Index
	default:
		return i
	}
	if i >= len(m.window) {
		return -1
	}
	at := find(m.window[i:])
	switch {
	case at >= 0:
		return i + max(at-back, 0)
	case m.last:
		return -1
	}
	return max(i, len(m.window)-width+1)
}

// skip returns an offset at or after at such that no match starts between the two. It
// is -1 if no further match starts, or if the search was stopped.
func (m *spanning) skip(at int64) (int64, error) {
	if m.finder != nil {
		literal, err := m.literal(at)
		if literal < 0 || err != nil {
			return -1, err
		}
		if at, err = m.above(at, literal); err != nil {
			return -1, err
		}
	}
	if m.Leads {
		return at, nil
	}
	// Start a character earlier, if it matters which one that is.
	from := at
	if m.Program.Conditions&pattern.WordConditions != 0 && at > 0 {
		if err := m.show(at); err != nil {
			return -1, err
		}
		_, n := utf8.DecodeLastRune(m.window[:at-m.base])
		from -= int64(n)
	}
	stream := m.dfa().Stream()
	for !m.task.stopped() {
		if err := m.show(from); err != nil {
			return -1, err
		}
		rest := m.window[from-m.base:]
		if n, ok := stream.Feed(rest); ok {
			// The match ends at the last character before that, or later.
			return m.above(at, max(at, from+int64(n)-utf8.UTFMax))
		}
		from += int64(len(rest))
		if m.last {
			if stream.End() {
				return m.above(at, max(at, from-utf8.UTFMax))
			}
			break
		}
	}
	return -1, nil
}

// literal returns the offset of the first literal at or after an offset, or -1.
func (m *spanning) literal(at int64) (int64, error) {
	for !m.task.stopped() {
		if err := m.show(at); err != nil {
			return -1, err
		}
		rest := m.window[at-m.base:]
		if i := m.finder.Index(rest); i >= 0 {
			return at + int64(i), nil
		}
		if m.last {
			break
		}
		at += int64(max(1, len(rest)-m.longest+1))
	}
	return -1, nil
}

// above returns the first offset, from at on, where a match may start that reaches to
// offset to: a match has only so many line breaks.
func (m *spanning) above(at, to int64) (int64, error) {
	if m.Breaks < 0 {
		return at, nil
	}
	for range m.Breaks + 1 {
		start, err := m.afterBreak(at, to)
		if start == at || err != nil {
			return at, err
		}
		to = start - 1
	}
	return to + 1, nil
}

// cover takes the lines of a match. If the match may still grow, complete is false, and
// its last line waits.
func (m *spanning) cover(start, end int64, complete bool) error {
	p := m.part
	if m.covered >= end {
		return nil
	}
	for at := max(start, m.covered); ; at = m.covered {
		if at > m.line.end {
			line := block64{}
			var err error
			if line.start, err = m.lineStart(at); err != nil {
				return err
			}
			var final bool
			if line.end, final, err = m.lineEnd(at); err != nil {
				return err
			}
			if final && line.start == line.end {
				return nil // no line follows the last line break
			}
			if !complete && line.end >= end {
				return nil
			}
			m.line = line
			if p.count++; m.task.keeps(p.count) {
				p.hits = append(p.hits, hit{start: line.start, near: at})
			}
		}
		if n := len(p.hits); n > 0 && p.hits[n-1].start == m.line.start && (complete || m.line.end < end) {
			if h := &p.hits[n-1]; len(h.spans) < mostSubmatches {
				h.spans = append(h.spans, span64{max(start, m.line.start), min(end, m.line.end)})
			}
		}
		if !complete && m.line.end >= end {
			return nil
		}
		m.covered = m.line.end + 1
		if m.covered >= end || p.count >= m.task.enough || m.task.stopped() {
			return nil
		}
	}
}

// lineStart returns the start of the line with an offset, which must not be before the
// last line that matches.
func (m *spanning) lineStart(at int64) (int64, error) {
	if at <= m.line.end {
		return m.line.start, nil
	}
	return m.afterBreak(m.line.end+1, at)
}

// afterBreak returns the offset after the last line break between from and to, or from.
func (m *spanning) afterBreak(from, to int64) (int64, error) {
	for to > from {
		start := max(from, to-sectionBytes)
		piece, err := m.piece(start, to)
		if err != nil {
			return from, err
		}
		if i := bytes.LastIndexByte(piece, '\n'); i >= 0 {
			return start + int64(i) + 1, nil
		}
		to = start
	}
	return from, nil
}

// lineEnd returns the end of the line with an offset; final says that no line break
// follows.
func (m *spanning) lineEnd(at int64) (end int64, final bool, err error) {
	for !m.task.stopped() {
		piece, err := m.piece(at, at+sectionBytes)
		if err != nil {
			return 0, false, err
		}
		if i := bytes.IndexByte(piece, '\n'); i >= 0 {
			return at + int64(i), false, nil
		}
		at += int64(len(piece))
		if len(piece) < sectionBytes {
			break
		}
	}
	return at, true, nil
}

// sectionBytes is the number of bytes read at a time to find the start or the end of a line.
const sectionBytes = 64 << 10

// piece returns the bytes from start to end, or fewer at the end of the text. They are
// valid until the next call.
func (m *spanning) piece(start, end int64) ([]byte, error) {
	if size := m.base + int64(len(m.window)); m.base <= start && (end <= size || m.last) {
		end = min(end, size)
		return m.window[min(start, end)-m.base : end-m.base], nil
	}
	if m.section == nil {
		m.section = make([]byte, bufferSize)
	}
	n, err := m.text.ReadAt(m.section[:end-start], start)
	return m.section[:n], err
}
