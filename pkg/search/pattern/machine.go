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
	program   *Program
	now, next queue
	stack     []uint32
}

// queue is a list of threads, the preferred ones first.
type queue struct {
	sparse []uint32
	dense  []thread
}

type thread struct {
	pc    uint32
	start int
}

// NewMachine returns a machine for a pattern.
func NewMachine(p *Pattern) *Machine {
	n := len(p.Program.Inst)
	return &Machine{
		program: p.Program,
		now:     queue{make([]uint32, n), make([]thread, 0, n)},
		next:    queue{make([]uint32, n), make([]thread, 0, n)},
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
	m.now.dense = m.now.dense[:0]
	before := noRune
	if from > 0 {
		before = decodeLast(text[:from])
	}
	for at := from; ; {
		if len(m.now.dense) == 0 {
			if ok {
				return start, end, true
			}
			if ahead != nil {
				skip := ahead(at)
				if skip < 0 {
					return 0, 0, false
				}
				if skip > at {
					at = skip
					before = decodeLast(text[:at])
				}
			}
		}
		after, width := decode(text[at:])
		conditions := m.conditions(text, at, before, after)
		if !ok {
			m.follow(&m.now, thread{m.program.Start, at}, conditions)
		}
		m.next.dense = m.next.dense[:0]
		following := m.following(text, at+width, after)
		for _, t := range m.now.dense {
			in := &m.program.Inst[t.pc]
			if in.Op == syntax.InstMatch {
				start, end, ok = t.start, at, true
				break // the remaining threads are less preferred
			}
			if after >= 0 && Consumes(in, after) {
				m.follow(&m.next, thread{in.Out, t.start}, following)
			}
		}
		if width == 0 {
			return start, end, ok
		}
		m.now, m.next = m.next, m.now
		at += width
		before = after
	}
}

// following returns the conditions that hold at offset at, after the character
// before.
func (m *Machine) following(text []byte, at int, before rune) uint32 {
	if m.program.Conditions == 0 || at > len(text) {
		return 0
	}
	after, _ := decode(text[at:])
	return m.conditions(text, at, before, after)
}

// conditions returns the conditions that hold at an offset between two characters.
func (m *Machine) conditions(text []byte, at int, before, after rune) uint32 {
	if m.program.Conditions == 0 {
		return 0
	}
	var c uint32
	if at == 0 {
		c |= atBeginText | atBeginLine
	} else if text[at-1] == '\n' {
		c |= atBeginLine
	}
	switch {
	case at == len(text):
		c |= atEndText | atEndLine
	case text[at] == '\n' && (at == 0 || text[at-1] != '\r'), text[at] == '\r' && at+1 < len(text) && text[at+1] == '\n':
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

func decode(text []byte) (rune, int) {
	if len(text) == 0 {
		return noRune, 0
	}
	if text[0] < utf8.RuneSelf {
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
	m.follow(&m.now, thread{p.Program.Start, 0}, ^uint32(0))
	for _, t := range m.now.dense {
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
	return first, true
}
