package dfa

import (
	"regexp/syntax"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/search/pattern"
)

// conditions returns the conditions that hold before the character r. Every CR counts
// as the end of a line, even without LF: callers check lines with a CR again.
func (d *DFA) conditions(before context, r rune) uint32 {
	if d.program.Conditions == 0 {
		return 0
	}
	var c syntax.EmptyOp
	if before&lineStart != 0 {
		c |= syntax.EmptyBeginLine
	}
	if before&textStart != 0 {
		c |= syntax.EmptyBeginText
	}
	switch {
	case r == finish, d.lines && (r == '\n' || r == '\r'):
		c |= syntax.EmptyEndLine | syntax.EmptyEndText
	case r == '\n' || r == '\r':
		c |= syntax.EmptyEndLine
	}
	if d.program.Conditions&pattern.WordConditions == 0 {
		return uint32(c)
	}
	return uint32(c) | pattern.Words(pattern.Kind(before&wordKind), pattern.KindOf(r))
}

// step returns the state after the character r, or match if a match ends before r.
func (d *DFA) step(s int32, r rune) int32 {
	conditions := d.conditions(d.states[s].before, r)
	d.now.clear()
	for _, pc := range d.states[s].set {
		if d.follow(&d.now, pc, conditions) {
			return match
		}
	}
	if d.lines && r == '\n' {
		return d.start
	}
	d.next.clear()
	if r >= 0 {
		for _, pc := range d.now.dense {
			if in := &d.program.Inst[pc]; pattern.Consumes(in, r) {
				d.follow(&d.next, in.Out, 0)
			}
		}
	}
	if r == '\r' && d.program.CRLF {
		// If a line feed follows, the CR is ignored. If not, there may be too many
		// states, and so a false match.
		for _, pc := range d.now.dense {
			d.follow(&d.next, pc, 0)
		}
	}
	d.follow(&d.next, d.program.Start, 0)
	var before context
	if d.program.Conditions != 0 {
		if d.program.Conditions&pattern.WordConditions != 0 {
			before = context(pattern.KindOf(r))
		}
		if r == '\n' {
			before |= lineStart
		}
	}
	return d.intern(state{set: d.next.list(), before: d.relevant(before)})
}

// advance returns the state after the byte b. It computes it if it is not known yet.
func (d *DFA) advance(s int32, b byte) int32 {
	if s < 0 {
		return s
	}
	if t := d.rows[s][b]; t != unknown {
		return t
	}
	t := d.compute(s, b)
	d.rows[s][b] = t
	return t
}

// compute returns the state after the byte b.
func (d *DFA) compute(s int32, b byte) int32 {
	st := d.states[s]
	switch st.kind {
	case between:
		if b < utf8.RuneSelf {
			return d.step(s, rune(b))
		}
		if length(b) == 0 {
			return d.step(s, invalid)
		}
		return d.open(s, [4]byte{b}, 1)
	case within:
		low, high := continuation(st.prefix, st.length)
		if b < low || b > high {
			return d.advance(d.resolve(s), b)
		}
		st.prefix[st.length] = b
		if int(st.length)+1 < length(st.prefix[0]) {
			return d.open(st.base, st.prefix, st.length+1)
		}
		r, _ := utf8.DecodeRune(st.prefix[:st.length+1])
		return d.step(st.base, r)
	}
	switch {
	case b < st.low || b > st.high:
		return d.advance(st.invalid, b)
	case st.left == 1:
		return st.target
	}
	bad := st.invalid
	if bad >= 0 {
		bad = d.step(bad, invalid)
	}
	return d.wait(st.target, bad, st.left-1, 0x80, 0xbf)
}

// open returns the state within a character after its first n bytes.
func (d *DFA) open(base int32, prefix [4]byte, n uint8) int32 {
	low, high := continuation(prefix, n)
	total := length(prefix[0])
	first, last := prefix, prefix
	first[n], last[n] = low, high
	for i := int(n) + 1; i < total; i++ {
		first[i], last[i] = 0x80, 0xbf
	}
	lo, _ := utf8.DecodeRune(first[:total])
	hi, _ := utf8.DecodeRune(last[:total])
	if !d.uniform(base, lo, hi) {
		return d.intern(state{kind: within, base: base, prefix: prefix, length: n})
	}
	target := d.step(base, lo)
	bad := base
	for range n {
		if bad >= 0 {
			bad = d.step(bad, invalid)
		}
	}
	return d.wait(target, bad, uint8(total)-n, low, high)
}

// wait returns the state from which left more bytes lead to target. It is target
// itself if all other bytes lead there too.
func (d *DFA) wait(target, bad int32, left uint8, low, high byte) int32 {
	if target == bad && (target < 0 || d.step(target, invalid) == target) {
		return target
	}
	return d.intern(state{kind: pending, target: target, invalid: bad, left: left, low: low, high: high})
}

// uniform reports whether all characters of a range lead from s to the same state.
func (d *DFA) uniform(s int32, lo, hi rune) bool {
	if d.program.Conditions&pattern.WordConditions != 0 && !pattern.UniformKind(lo, hi) {
		return false
	}
	conditions := d.conditions(d.states[s].before, lo)
	d.now.clear()
	for _, pc := range d.states[s].set {
		d.follow(&d.now, pc, conditions)
	}
	for _, pc := range d.now.dense {
		if !pattern.Uniform(&d.program.Inst[pc], lo, hi) {
			return false
		}
	}
	return true
}

// resolve returns the state after the bytes of an incomplete character.
func (d *DFA) resolve(s int32) int32 {
	st := d.states[s]
	switch st.kind {
	case within:
		s = st.base
		for range st.length {
			if s >= 0 {
				s = d.step(s, invalid)
			}
		}
	case pending:
		return st.invalid
	}
	return s
}

// ends reports whether the text that led to s matches if it ends here.
func (d *DFA) ends(s int32) bool {
	if s >= 0 {
		s = d.resolve(s)
	}
	return s == match || d.step(s, finish) == match
}

// length returns the length of a character with this first byte, or 0 if no
// character of several bytes starts with it.
func length(b byte) int {
	switch {
	case b < 0xc2 || b > 0xf4:
		return 0
	case b < 0xe0:
		return 2
	case b < 0xf0:
		return 3
	}
	return 4
}

// continuation returns the range of the byte after the first n bytes of a character
// (Unicode, table 3-7).
func continuation(prefix [4]byte, n uint8) (low, high byte) {
	low, high = 0x80, 0xbf
	if n > 1 {
		return low, high
	}
	switch prefix[0] {
	case 0xe0:
		low = 0xa0
	case 0xed:
		high = 0x9f
	case 0xf0:
		low = 0x90
	case 0xf4:
		high = 0x8f
	}
	return low, high
}
