// Package dfa decides whether texts match a pattern, with a deterministic automaton
// that creates its states when they are first needed. It does not find where a match
// starts.
package dfa

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"

	"github.com/helve-dev/helve/pkg/search/pattern"
	"github.com/helve-dev/helve/pkg/search/scan"
)

// DFA is the automaton of one pattern. Only one goroutine may use it.
//
// The pattern's program works on characters. A state of the automaton is the set of
// threads that the program can have between two characters. Within a character of
// several bytes there are further states. They differ only if the pattern treats the
// characters that may follow differently. Whether an assertion such as "$" holds
// depends on the next character, so a match is seen one character after its end.
type DFA struct {
	program *pattern.Program
	lines   bool

	rows   [][256]int32 // by state and byte: the next state, unknown or match
	states []state
	index  map[string]int32
	memory int // of states, in bytes
	budget int

	start     int32 // the state at the start of a line, or of the text
	now, next threads
	stack     []uint32
	key       []byte

	fed     int      // bytes seen before settle
	decided bool     // settle was called
	skips   bool     // look for exits instead of reading every byte in start
	exits   scan.Set // the bytes that lead away from start
}

const (
	unknown int32 = -1
	match   int32 = -2
)

// Symbols other than characters.
const (
	invalid rune = -1 - iota // a byte that is not valid UTF-8
	finish                   // the end of the text
)

// state is one of three kinds:
//
//   - between characters, set holds the threads before conditions are checked, and
//     before the context that the last character makes;
//   - within a character, if the pattern treats the characters with this prefix
//     differently, base is the state before it and prefix its first bytes;
//   - pending, if it treats them all alike, target is the state after the character,
//     and left, low and high say which bytes must follow.
type state struct {
	kind   kind
	before context
	set    []uint32

	prefix [4]byte
	length uint8
	base   int32

	target    int32
	invalid   int32 // the state if the bytes turn out to be invalid UTF-8
	left      uint8
	low, high byte
}

type kind uint8

const (
	between kind = iota
	within
	pending
)

// context holds the properties of the previous character that assertions depend on.
type context uint8

const (
	wordKind  context = 3 // bits of pattern.Kind
	lineStart context = 4
	textStart context = 8
)

// stateBytes limits the memory of the states of one worker. When they take more, they are
// dropped and created again as needed.
const stateBytes = 4 << 20

// New returns an automaton. Unless the pattern is multiline, it reads each line as
// a separate text.
func New(p *pattern.Pattern) *DFA {
	d := &DFA{program: p.Program, lines: !p.Multiline, budget: stateBytes}
	n := len(p.Program.Inst)
	d.now.sparse, d.next.sparse = make([]uint32, n), make([]uint32, n)
	d.reset()
	return d
}

func (d *DFA) reset() {
	d.rows, d.states, d.memory = d.rows[:0], d.states[:0], 0
	d.index = map[string]int32{}
	d.next.clear()
	d.follow(&d.next, d.program.Start, 0)
	d.start = d.intern(state{set: d.next.list(), before: d.relevant(lineStart | textStart)})
	d.decided, d.skips, d.fed = false, false, 0
}

// relevant removes from a context what no condition of the pattern needs.
func (d *DFA) relevant(c context) context {
	if d.program.Conditions&pattern.WordConditions == 0 {
		c &^= wordKind
	}
	if d.program.Conditions&uint32(syntax.EmptyBeginLine) == 0 {
		c &^= lineStart
	}
	if d.program.Conditions&uint32(syntax.EmptyBeginText) == 0 {
		c &^= textStart
	}
	return c
}

// threads is a set of instructions.
type threads struct {
	sparse, dense []uint32
}

func (t *threads) clear() { t.dense = t.dense[:0] }

func (t *threads) has(pc uint32) bool {
	i := t.sparse[pc]
	return int(i) < len(t.dense) && t.dense[i] == pc
}

func (t *threads) add(pc uint32) {
	t.sparse[pc] = uint32(len(t.dense))
	t.dense = append(t.dense, pc)
}

func (t *threads) list() []uint32 {
	slices.Sort(t.dense)
	return t.dense
}

// follow adds the instructions that pc leads to without reading a character, and
// reports whether one of them is a match. Conditions that do not hold stay in the
// set, to be checked again.
func (d *DFA) follow(t *threads, pc, conditions uint32) (matched bool) {
	d.stack = append(d.stack[:0], pc)
	for len(d.stack) > 0 {
		pc := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		if t.has(pc) {
			continue
		}
		t.add(pc)
		in := &d.program.Inst[pc]
		switch in.Op {
		case syntax.InstMatch:
			matched = true
		case syntax.InstAlt, syntax.InstAltMatch:
			d.stack = append(d.stack, in.Out, in.Arg)
		case syntax.InstNop, syntax.InstCapture:
			d.stack = append(d.stack, in.Out)
		case syntax.InstEmptyWidth:
			if conditions != 0 && in.Arg&^conditions == 0 {
				d.stack = append(d.stack, in.Out)
			}
		}
	}
	return matched
}

// intern returns the number of a state, and adds it if it is new. Instructions that
// only lead to others are not part of a state.
func (d *DFA) intern(s state) int32 {
	k := append(d.key[:0], byte(s.kind), byte(s.before))
	switch s.kind {
	case between:
		set := d.stack[:0]
		for _, pc := range s.set {
			switch d.program.Inst[pc].Op {
			case syntax.InstAlt, syntax.InstAltMatch, syntax.InstNop, syntax.InstCapture, syntax.InstFail:
			default:
				set = append(set, pc)
				k = binary.LittleEndian.AppendUint32(k, pc)
			}
		}
		s.set = set
	case within:
		k = binary.LittleEndian.AppendUint32(k, uint32(s.base))
		k = append(k, s.prefix[:s.length]...)
	case pending:
		k = binary.LittleEndian.AppendUint32(k, uint32(s.target))
		k = binary.LittleEndian.AppendUint32(k, uint32(s.invalid))
		k = append(k, s.left, s.low, s.high)
	}
	d.key = k
	if n, ok := d.index[string(k)]; ok {
		return n
	}
	s.set = slices.Clone(s.set)
	n := int32(len(d.states))
	d.index[string(k)] = n
	d.states = append(d.states, s)
	if len(d.rows) == cap(d.rows) {
		d.rows = slices.Grow(d.rows, max(16, len(d.rows)/2))
	}
	d.rows = d.rows[:n+1]
	for b := range d.rows[n] {
		d.rows[n][b] = unknown
	}
	d.memory += len(d.rows[n])*4 + 2*len(k) + 120
	return n
}

// full reports whether the states take more memory than the budget.
func (d *DFA) full() bool { return d.memory > d.budget }

// renew drops all states except the given ones, whose numbers it changes.
func (d *DFA) renew(keep ...*int32) {
	old := slices.Clone(d.states)
	fed, decided, skips := d.fed, d.decided, d.skips
	d.reset()
	d.fed, d.decided, d.skips = fed, decided, skips
	for _, s := range keep {
		*s = d.again(old, *s)
	}
}

// again adds the state that had the number s in old, and returns its new number.
func (d *DFA) again(old []state, s int32) int32 {
	if s < 0 {
		return s
	}
	st := old[s]
	switch st.kind {
	case within:
		st.base = d.again(old, st.base)
	case pending:
		st.target, st.invalid = d.again(old, st.target), d.again(old, st.invalid)
	}
	return d.intern(st)
}
