package edit

import (
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/text"
)

// indentMatters reports whether indentation is significant in a file of this name.
// There, only a consistent difference of indentation is tolerated.
func indentMatters(name string) bool {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	switch path.Ext(base) {
	case ".py", ".pyi", ".pyx", ".yaml", ".yml", ".mk", ".haml", ".pug", ".jade", ".sass", ".styl", ".slim",
		".coffee", ".nim", ".fs", ".fsx", ".hs", ".elm", ".gd", ".rst":
		return true
	}
	return base == "makefile" || base == "gnumakefile" || strings.HasPrefix(base, "makefile.")
}

// step is an indentation of the caller and the one that the file has in its place.
type step struct{ old, file string }

// steps returns the different pairs of indentation of lines that correspond,
// without blank lines.
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

// consistent reports whether one indentation translates into the other: equal
// stays equal, different stays different, and deeper stays deeper.
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

// indenter translates the indentation of new lines into that of the file.
type indenter struct {
	o, f, n  []string
	verbatim bool   // the new lines already have the file's indentation
	steps    []step // of the complete block
	unit     int    // spaces of one level of the caller's; 0 if unknown
	width    int    // spaces of one level of the file's; 0 if unknown
}

func newIndenter(o, f, n []string, width int) *indenter {
	t := &indenter{o: o, f: f, n: n, width: width}
	t.steps = steps(o, f)
	t.unit = levelWidth(spaceUnit(o, n), unanimous(t.steps))
	t.verbatim = t.alreadyFits()
	return t
}

// unanimous returns the steps whose old indentation has a single counterpart.
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

// spaceUnit returns the greatest common divisor of all indentation by spaces.
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

// levelWidth returns how many spaces one level of the caller's takes. It decides
// between unit, the common divisor of the caller's indentation, and how many of
// the caller's spaces stand for a tab of the file. Aligned lines make unit too
// small and lines that are all deep make it too large. A block that was moved as
// a whole makes the spaces for a tab too few.
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

// alreadyFits reports whether the caller got the file's indentation wrong in the old
// lines, but right in the new lines that correspond to them. Then all new lines
// are taken as they are.
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

// mapped returns f of every line.
func mapped(lines []string, f func(string) string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = f(l)
	}
	return out
}

// line returns new line j as the file would indent it. r is the change that the
// line is part of. It returns false if the indentation cannot be translated.
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
		return lead(t.f[i]) + body, true // it replaces this line
	}
	known, torn := t.near(r)
	indent, ok := t.translate(lead(l), known, torn)
	return indent + body, ok
}

// near returns the steps that hold at a change: those of the lines it replaces, then that
// of the lines on both sides if they agree, then those of the block. torn are the
// indentations that have several counterparts, such as those of a comment and of code.
func (t *indenter) near(r diff.Region) (known []step, torn []string) {
	decided := make(map[string]bool)
	for _, layer := range [][]step{steps(t.o[r.OldStart:r.OldEnd], t.f[r.OldStart:r.OldEnd]), t.around(r), t.steps} {
		for _, s := range unanimous(layer) {
			if !decided[s.old] {
				known = append(known, s)
				decided[s.old] = true
			}
		}
		for _, s := range layer {
			if !decided[s.old] {
				torn = append(torn, s.old)
				decided[s.old] = true
			}
		}
	}
	return known, torn
}

// around returns the step that the lines before and after a change have in common.
func (t *indenter) around(r diff.Region) []step {
	before, after := r.OldStart-1, r.OldEnd
	for before >= 0 && trim(t.o[before]) == "" {
		before--
	}
	for after < len(t.o) && trim(t.o[after]) == "" {
		after++
	}
	if before < 0 || after == len(t.o) {
		return nil
	}
	if all := steps([]string{t.o[before], t.o[after]}, []string{t.f[before], t.f[after]}); len(all) == 1 {
		return all
	}
	return nil
}

// translate returns the file's counterpart of an indentation of the caller's. If an old
// line has this indentation, the counterpart of that line is returned. Otherwise it is
// derived from the deepest old line that is less indented, or else from the least
// indented old line that is deeper; if that one has several counterparts, it is unknown.
func (t *indenter) translate(lead string, known []step, torn []string) (string, bool) {
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
	for _, other := range torn {
		if strings.HasPrefix(lead, other) && (above == nil || len(other) > len(above.old)) ||
			above == nil && strings.HasPrefix(other, lead) && (below == nil || len(other) < len(below.old)) {
			return "", false
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

// convert writes a piece of the caller's indentation as the file would, if it is
// made of whole levels. Alignment by single spaces stays as it is.
func (t *indenter) convert(piece string, known []step) string {
	old, file := t.units(known)
	switch {
	case old == "" || strings.Trim(piece, old[:1]) != "" || len(piece)%len(old) != 0:
		return piece
	case old[0] == ' ' && file[0] == ' ' && (!usual(len(old)) || !usual(len(file))):
		return piece
	}
	return strings.Repeat(file, len(piece)/len(old))
}

// usual reports whether people indent by n spaces.
func usual(n int) bool { return n == 2 || n == 4 || n == 8 }

// units returns one level of indentation of the caller and of the file, or "" if it
// is unknown.
func (t *indenter) units(known []step) (old, file string) {
	// The best evidence is two lines of different depth: what one has more than the
	// other, on both sides.
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

// ratio reduces two pieces of indentation of the same depth to one level each.
func (t *indenter) ratio(o, f string) (old, file string) {
	levels := gcd(len(o), len(f))
	if o[0] == f[0] {
		if levels = 1; t.unit > 0 && len(o)%t.unit == 0 && len(f)%(len(o)/t.unit) == 0 {
			levels = len(o) / t.unit
		}
	}
	return o[:len(o)/levels], f[:len(f)/levels]
}

// uniform reports whether a piece of indentation is all tabs or all spaces.
func uniform(s string) bool { return strings.Trim(s, s[:1]) == "" }

// widthOf returns how many spaces one level of a text takes, 0 if it does not
// indent with spaces.
func widthOf(s string) int {
	const sample = 64 << 10
	return text.IndentWidth(s[:min(len(s), sample)])
}
