package pattern

import (
	"regexp/syntax"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/search/scan"
)

// Machine finds where a pattern matches. It simulates the automaton thread by
// thread (Pike's algorithm), so its time is bounded by the product of the lengths
// of the text and the program. Only one goroutine may use a machine.
type Machine struct {
	program *Program
	queues  [2]queue // the first of them has the threads at m.at, or with odd the second
	odd     bool
	stack   []uint32

	// The search under way; see Begin.
	at         int64 // how far it is
	before     rune  // the character before that
	seeking    bool  // the search starts at at, and before is not known
	start, end int64 // of the best match so far
	ok         bool  // there is one
}

// queue is a list of threads, the preferred ones first.
type queue struct {
	sparse []uint32
	dense  []thread
}

type thread struct {
	pc    uint32
	start int64
}

// NewMachine returns a machine for a pattern.
func NewMachine(p *Pattern) *Machine {
	n := len(p.Program.Inst)
	return &Machine{
		program: p.Program,
		queues:  [2]queue{{make([]uint32, n), make([]thread, 0, n)}, {make([]uint32, n), make([]thread, 0, n)}},
	}
}

func (q *queue) has(pc uint32) bool {
	i := q.sparse[pc]
	return int(i) < len(q.dense) && q.dense[i].pc == pc
}

func (q *queue) add(t thread) {
	q.sparse[t.pc] = uint32(len(q.dense))
	q.dense = append(q.dense, t)
}

// Find returns the leftmost match that starts at from or later. If several start
// there, it is the one that the pattern prefers. Nothing matches a byte that is
// not valid UTF-8. ahead may be nil; otherwise it returns the first offset at or
// after i where a match may start, or -1.
func (m *Machine) Find(text []byte, from int, ahead func(i int) int) (start, end int, ok bool) {
	m.Begin(int64(from))
	m.Feed(text, 0, true, ahead)
	return int(m.start), int(m.end), m.ok
}

const (
	// Behind is the number of bytes that [Machine.Feed] needs before the offset from
	// which it continues: a character.
	Behind = utf8.UTFMax
	// beyond is the number of bytes that it needs after that: two characters and a line feed.
	beyond = 2*utf8.UTFMax + 1
)

// Begin starts a search for the leftmost match that starts at an offset or later, in a
// text that arrives in windows.
func (m *Machine) Begin(at int64) {
	m.odd = false
	m.queues[0].dense = m.queues[0].dense[:0]
	m.at, m.before, m.seeking = at, noRune, true
	m.start, m.end, m.ok = 0, 0, false
}

// At returns the offset from which the search continues.
func (m *Machine) At() int64 { return m.at }

// Match returns the best match so far. While the search goes on, its end can only
// grow.
func (m *Machine) Match() (start, end int64, ok bool) { return m.start, m.end, m.ok }

// Feed continues a search in a window of the text, which starts at offset base and
// must hold the bytes from [Behind] before [Machine.At] on. last says that the text
// ends with the window. It reports whether the search is over; if not, it continues
// in a window that reaches further. See Find for ahead, whose offsets are those in the
// window.
func (m *Machine) Feed(window []byte, base int64, last bool, ahead func(i int) int) (over bool) {
	if m.seeking {
		m.seeking = false
		m.before = decodeLast(window[:m.at-base])
	}
	now, next := &m.queues[0], &m.queues[1]
	if m.odd {
		now, next = next, now
	}
	for {
		i := int(m.at - base)
		if len(now.dense) == 0 {
			if m.ok {
				return true
			}
			if ahead != nil {
				skip := ahead(i)
				if skip < 0 {
					return true
				}
				for skip > i && skip < len(window) && m.within(window, skip) {
					skip--
				}
				if skip > i {
					i = skip
					m.at, m.before = base+int64(i), decodeLast(window[:i])
				}
			}
		}
		if !last && i+beyond > len(window) {
			m.odd = now == &m.queues[1]
			return false
		}
		after, width := m.decode(window[i:])
		conditions := m.conditions(window, base, i, m.before, after)
		if !m.ok {
			m.follow(now, thread{m.program.Start, m.at}, conditions)
		}
		next.dense = next.dense[:0]
		following := m.following(window, base, i+width, after)
		for _, t := range now.dense {
			in := &m.program.Inst[t.pc]
			if in.Op == syntax.InstMatch {
				m.start, m.end, m.ok = t.start, m.at, true
				break // the remaining threads are less preferred
			}
			if after >= 0 && Consumes(in, after) {
				m.follow(next, thread{in.Out, t.start}, following)
			}
		}
		if width == 0 {
			return true
		}
		now, next = next, now
		m.at += int64(width)
		m.before = after
	}
}

// following returns the conditions that hold at offset at, after the character
// before.
func (m *Machine) following(window []byte, base int64, at int, before rune) uint32 {
	if m.program.Conditions == 0 || at > len(window) {
		return 0
	}
	after, _ := m.decode(window[at:])
	return m.conditions(window, base, at, before, after)
}

// conditions returns the conditions that hold at an offset of the window, between two
// characters.
func (m *Machine) conditions(window []byte, base int64, at int, before, after rune) uint32 {
	if m.program.Conditions == 0 {
		return 0
	}
	var c uint32
	if base+int64(at) == 0 {
		c |= atBeginText | atBeginLine
	} else if window[at-1] == '\n' {
		c |= atBeginLine
	}
	cr := m.program.cr
	switch {
	case at == len(window):
		c |= atEndText | atEndLine
	case window[at] == '\n' && (cr || at == 0 || window[at-1] != '\r'),
		window[at] == '\r' && (cr && at+1 == len(window) || at+1 < len(window) && window[at+1] == '\n'):
		c |= atEndLine
	}
	if m.program.Conditions&WordConditions != 0 {
		c |= Words(KindOf(before), KindOf(after))
	}
	return c
}

// follow adds a thread and those that it leads to without reading a character.
func (m *Machine) follow(q *queue, t thread, conditions uint32) {
	m.stack = append(m.stack[:0], t.pc)
	for len(m.stack) > 0 {
		pc := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if q.has(pc) {
			continue
		}
		q.add(thread{pc, t.start})
		in := &m.program.Inst[pc]
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			m.stack = append(m.stack, in.Arg, in.Out)
		case syntax.InstNop, syntax.InstCapture:
			m.stack = append(m.stack, in.Out)
		case syntax.InstEmptyWidth:
			if in.Arg&^conditions == 0 {
				m.stack = append(m.stack, in.Out)
			}
		}
	}
}

// Consumes reports whether an instruction reads the character r.
func Consumes(in *syntax.Inst, r rune) bool {
	switch in.Op {
	case syntax.InstRune1:
		return r == in.Rune[0]
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return r != '\n'
	case syntax.InstRune:
		return in.MatchRune(r)
	}
	return false
}

// within reports whether an offset may be within a character, or within CRLF.
func (m *Machine) within(window []byte, at int) bool {
	return !utf8.RuneStart(window[at]) || !m.program.cr && at > 0 && window[at] == '\n' && window[at-1] == '\r'
}

// decode returns the first character of a text. CRLF is one, a line feed, so that a
// pattern matches the same lines however they end.
func (m *Machine) decode(text []byte) (rune, int) {
	if len(text) == 0 {
		return noRune, 0
	}
	if text[0] < utf8.RuneSelf {
		if text[0] == '\r' && len(text) > 1 && text[1] == '\n' && !m.program.cr {
			return '\n', 2
		}
		return rune(text[0]), 1
	}
	r, n := utf8.DecodeRune(text)
	if r == utf8.RuneError && n == 1 {
		return noRune, 1
	}
	return r, n
}

func decodeLast(text []byte) rune {
	r, n := utf8.DecodeLastRune(text)
	if r == utf8.RuneError && n <= 1 {
		return noRune
	}
	return r
}

// First returns the bytes that a match can start with; ok is false if a match may
// be empty.
func First(p *Pattern) (first scan.Set, ok bool) {
	m := NewMachine(p)
	now := &m.queues[0]
	m.follow(now, thread{p.Program.Start, 0}, ^uint32(0))
	for _, t := range now.dense {
		in := &p.Program.Inst[t.pc]
		switch in.Op {
		case syntax.InstMatch:
			return scan.Set{}, false
		case syntax.InstRune1, syntax.InstRune, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			for b := range rune(utf8.RuneSelf) {
				if Consumes(in, b) {
					first.Add(byte(b))
				}
			}
			if !Uniform(in, utf8.RuneSelf, utf8.MaxRune) || Consumes(in, utf8.MaxRune) {
				for b := 0xc2; b <= 0xf4; b++ {
					first.Add(byte(b))
				}
			}
		}
	}
	if first.Has('\n') {
		first.Add('\r') // CRLF
	}
	return first, true
}
