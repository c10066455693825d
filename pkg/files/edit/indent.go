package edit

import (
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/text"
)

// indentMatters reports whether a program in this file changes its meaning with
// its indentation, so that only a consistent difference may be bridged.
func indentMatters(name string) bool {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	switch path.Ext(base) {
	case ".py", ".pyi", ".pyx", ".yaml", ".yml", ".mk", ".haml", ".pug", ".jade", ".sass", ".styl", ".slim",
		".coffee", ".nim", ".fs", ".fsx", ".hs", ".elm", ".gd", ".rst":
		return true
	}
	return base == "makefile" || base == "gnumakefile" || strings.HasPrefix(base, "makefile.")
}

// step is a piece of indentation of the caller and the same of the file.
type step struct{ old, file string }

// steps are the different pairs of indentation of lines that belong together;
// blank lines have none.
func steps(o, f []string) []step {
	var all []step
	known := make(map[step]bool)
	for i, l := range o {
		if trim(l) == "" {
			continue
		}
		s := step{lead(l), lead(f[i])}
		if !known[s] {
			known[s] = true
			all = append(all, s)
		}
	}
	return all
}

// consistent reports whether lines are indented otherwise in one and the same
// way: equal indentation stays equal, different stays different, and deeper
// stays deeper.
func consistent(o, f []string) bool {
	all := steps(o, f)
	if len(all) > 64 {
		return false
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if sign(Depth(a.old)-Depth(b.old)) != sign(Depth(a.file)-Depth(b.file)) ||
				(a.old == b.old) != (a.file == b.file) {
				return false
			}
		}
	}
	return true
}

func sign(n int) int { return min(1, max(-1, n)) }

// Depth returns the width of a line's indentation, with tab stops every eight
// columns.
func Depth(line string) int {
	n := 0
	for i := range len(line) {
		switch line[i] {
		case '\t':
			n += 8 - n%8
		case ' ':
			n++
		default:
			return n
		}
	}
	return n
}

// indenter gives new lines the indentation of the file.
type indenter struct {
	o, f, n  []string
	verbatim bool   // the caller's new lines are indented as the file is
	steps    []step // all of the block
	unit     int    // spaces that one level of the caller's takes; 0 if unknown
	width    int    // spaces that one level of the file's takes; 0 if unknown
}

func newIndenter(o, f, n []string, width int) *indenter {
	t := &indenter{o: o, f: f, n: n, width: width}
	t.steps = steps(o, f)
	t.unit = levelWidth(spaceUnit(o, n), unanimous(t.steps))
	t.verbatim = t.alreadyFits()
	return t
}

// unanimous leaves out the indentation that the file has no single answer for.
func unanimous(all []step) []step {
	var kept []step
	for _, s := range all {
		alone := true
		for _, other := range all {
			alone = alone && (other.old != s.old || other.file == s.file)
		}
		if alone {
			kept = append(kept, s)
		}
	}
	return kept
}

// spaceUnit is the greatest width that all indentation by spaces is made of.
func spaceUnit(texts ...[]string) int {
	unit := 0
	for _, lines := range texts {
		for _, l := range lines {
			if lead := lead(l); trim(l) != "" && !strings.Contains(lead, "\t") {
				unit = gcd(unit, len(lead))
			}
		}
	}
	return unit
}

// levelWidth decides between the width that the caller's lines are made of and
// how many of the caller's spaces a tab of the file stands for: lines that are
// aligned make the first too small, lines that are all deep make it too large,
// and lines that were moved as a whole make the second too small.
func levelWidth(unit int, known []step) int {
	tab := 0
	for _, s := range known {
		if s.old == "" || s.file == "" || strings.Trim(s.old, " ") != "" || strings.Trim(s.file, "\t") != "" {
			continue
		}
		if len(s.old)%len(s.file) != 0 || tab != 0 && tab != len(s.old)/len(s.file) {
			return unit
		}
		tab = len(s.old) / len(s.file)
	}
	if tab > 1 && (unit > 4 || unit < tab) {
		return tab
	}
	return unit
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// alreadyFits reports whether the old lines are indented otherwise than the
// file's, but the new lines that stand for them are not: then the caller knew
// better in the second text, and all of it is taken as it is.
func (t *indenter) alreadyFits() bool {
	moved := false
	fits := func(i, j int) bool {
		if trim(t.o[i]) == "" || trim(t.n[j]) == "" {
			return true
		}
		moved = moved || lead(t.o[i]) != lead(t.f[i])
		return lead(t.n[j]) == lead(t.f[i])
	}
	i, j := 0, 0
	changes := diff.Regions(mapped(t.o, trim), mapped(t.n, trim))
	for _, r := range append(changes, diff.Region{OldStart: len(t.o), OldEnd: len(t.o)}) {
		for ; i < r.OldStart; i, j = i+1, j+1 {
			if !fits(i, j) {
				return false
			}
		}
		if r.OldEnd-r.OldStart == r.NewEnd-r.NewStart {
			for k := range r.OldEnd - r.OldStart {
				if !fits(r.OldStart+k, r.NewStart+k) {
					return false
				}
			}
		}
		i, j = r.OldEnd, r.NewEnd
	}
	return moved
}

// mapped is a list with f done to every string.
func mapped(lines []string, f func(string) string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = f(l)
	}
	return out
}

// line is a new line as the file would indent it; r is the change it is part
// of. It fails when nothing tells.
func (t *indenter) line(j int, r diff.Region) (string, bool) {
	l := t.n[j]
	body := strings.TrimLeft(l, blank)
	switch {
	case t.verbatim:
		return l, true
	case body == "":
		return "", true
	}
	if i := r.OldStart + j - r.NewStart; r.OldEnd-r.OldStart == r.NewEnd-r.NewStart && lead(t.o[i]) == lead(l) && trim(t.o[i]) != "" {
		return lead(t.f[i]) + body, true // it takes the place of this one
	}
	indent, ok := t.translate(lead(l), t.near(r))
	return indent + body, ok
}

// near are the steps that hold around a change: those of the lines it replaces
// go before those of the lines next to it, and these before those of the whole
// block.
func (t *indenter) near(r diff.Region) []step {
	from, to := r.OldStart, r.OldEnd
	for from > 0 && trim(t.o[from-1]) == "" {
		from--
	}
	for to < len(t.o) && trim(t.o[to]) == "" {
		to++
	}
	from, to = max(0, from-1), min(len(t.o), to+1)
	var known []step
	decided := make(map[string]bool)
	for _, layer := range [][]step{
		steps(t.o[r.OldStart:r.OldEnd], t.f[r.OldStart:r.OldEnd]), steps(t.o[from:to], t.f[from:to]), t.steps,
	} {
		for _, s := range unanimous(layer) {
			if !decided[s.old] {
				known = append(known, s)
			}
		}
		for _, s := range layer {
			decided[s.old] = true
		}
	}
	return known
}

// translate is what the file has for an indentation of the caller's: the same
// as for an old line that was indented so, else deeper than the deepest old
// line above it in level, else less deep than the least one below it.
func (t *indenter) translate(lead string, known []step) (string, bool) {
	var above, below *step
	for i, s := range known {
		switch {
		case s.old == lead:
			return s.file, true
		case strings.HasPrefix(lead, s.old) && (above == nil || len(s.old) > len(above.old)):
			above = &known[i]
		case strings.HasPrefix(s.old, lead) && (below == nil || len(s.old) < len(below.old)):
			below = &known[i]
		}
	}
	if above != nil {
		return above.file + t.convert(lead[len(above.old):], known), true
	}
	if below != nil {
		return strings.CutSuffix(below.file, t.convert(below.old[len(lead):], known))
	}
	return "", false
}

// convert writes a piece of the caller's indentation as the file would, as far
// as it is made of whole levels; alignment by single spaces stays as it is.
func (t *indenter) convert(piece string, known []step) string {
	old, file := t.units(known)
	switch {
	case old == "" || file == "" || old == file || strings.Trim(piece, old[:1]) != "" || len(piece)%len(old) != 0:
		return piece
	case old[0] == ' ' && file[0] == ' ' && (!usual(len(old)) || !usual(len(file))):
		return piece
	}
	return strings.Repeat(file, len(piece)/len(old))
}

// usual are the widths that people indent with.
func usual(n int) bool { return n == 2 || n == 4 || n == 8 }

// units is what one level of indentation is for the caller and for the file,
// or "" when it cannot be told.
func (t *indenter) units(known []step) (old, file string) {
	// Best are two lines of different depth: what one has more than the other,
	// on both sides.
	least := 0
	for _, a := range known {
		for _, b := range known {
			o, ok1 := strings.CutPrefix(b.old, a.old)
			f, ok2 := strings.CutPrefix(b.file, a.file)
			if !ok1 || !ok2 || o == "" || f == "" || o == f || !uniform(o) || !uniform(f) {
				continue
			}
			if least == 0 || len(o) < least {
				least = len(o)
				old, file = t.ratio(o, f)
			}
		}
	}
	if old != "" {
		return old, file
	}
	tabs, spaces := false, false
	otabs, ospaces := false, false
	for _, s := range known {
		tabs, spaces = tabs || strings.Contains(s.file, "\t"), spaces || strings.Contains(s.file, " ")
		otabs, ospaces = otabs || strings.Contains(s.old, "\t"), ospaces || strings.Contains(s.old, " ")
	}
	switch {
	case tabs && !otabs && t.unit > 1:
		return strings.Repeat(" ", t.unit), "\t"
	case spaces && !tabs && !ospaces && t.width > 1:
		return "\t", strings.Repeat(" ", t.width)
	}
	return "", ""
}

// ratio reduces two pieces of the same depth to one level each.
func (t *indenter) ratio(o, f string) (old, file string) {
	levels := gcd(len(o), len(f))
	if o[0] == f[0] {
		if levels = 1; t.unit > 0 && len(o)%t.unit == 0 && len(f)%(len(o)/t.unit) == 0 {
			levels = len(o) / t.unit
		}
	}
	return o[:len(o)/levels], f[:len(f)/levels]
}

// uniform reports whether a piece of indentation is of one kind.
func uniform(s string) bool { return strings.Trim(s, s[:1]) == "" }

// widthOf returns how many spaces one level of a text takes, 0 if it does not
// indent with spaces.
func widthOf(s string) int {
	const sample = 64 << 10
	return text.IndentWidth(s[:min(len(s), sample)])
}
