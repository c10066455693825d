package output

import (
	"slices"
	"strconv"
	"strings"
)

const (
	// fewAlike lines of one shape are left as they are.
	fewAlike = 6
	// mostKinds limits the values of a slot that are kinds, as the status of a request is.
	mostKinds = 8
	// longShape limits the bytes of a shape in a note.
	longShape = 160
	// mostMessage limits the lines of a paragraph that belongs to a failure in it, and the
	// indented lines that belong to the failure above them.
	mostMessage = 12
)

// shaped are the lines of one shape.
type shaped struct {
	n, gone     int // how many, and how many of them are left out
	first, last int // their places
	kinds       []map[string]int
}

// count counts a line with the values of its slots.
func (g *shaped) count(at int, values []string) {
	if g.n == 0 {
		g.first = at
		for range values {
			g.kinds = append(g.kinds, map[string]int{})
		}
	}
	g.n, g.last = g.n+1, at
	for i, v := range values {
		if i < len(g.kinds) && len(g.kinds[i]) <= mostKinds {
			g.kinds[i][v]++
		}
	}
}

// odd reports whether one of the values is seldom where the others are few kinds, as one
// status 500 is among many of 200.
func (g *shaped) odd(values []string) bool {
	for i, v := range values {
		if i >= len(g.kinds) || len(g.kinds[i]) > mostKinds || g.n < 3*len(g.kinds[i]) {
			continue
		}
		if g.kinds[i][v] <= max(1, g.n/50) {
			return true
		}
	}
	return false
}

// alike folds lines of one shape, of which there are at least fewAlike: the first and the
// last stay, and a note says how many there were between them. Lines that the rules kept,
// failures and places in files stay, unless all is set: then they alone are folded. It
// returns how many lines it left out.
func alike(lines []line, all bool) (short []line, left int) {
	groups, of := group(lines, all)
	drops := func(i int) bool {
		g := of[i]
		if g == nil || g.n < fewAlike || i == g.first || i == g.last {
			return false
		}
		_, values := shapeOf(lines[i].text)
		return !g.odd(values)
	}
	gone := make([]bool, len(lines))
	for i := range lines {
		if gone[i] = drops(i); gone[i] {
			of[i].gone++
		}
	}
	short = make([]line, 0, len(groups)*2)
	for i, l := range lines {
		g := of[i]
		switch {
		case g == nil || g.gone < fewAlike-3:
			short = append(short, l)
		case gone[i]:
			left++
		default:
			short = append(short, l)
			if i == g.first {
				shape, _ := shapeOf(l.text)
				short = append(short, line{text: "[" + strconv.Itoa(g.gone) + " like: " + shownShape(shape) + "]", note: true, kept: l.kept})
			}
		}
	}
	return short, left
}

// group returns the lines of each shape, and for each line its group; nil if it is not to
// be folded.
func group(lines []line, all bool) (groups map[string]*shaped, of []*shaped) {
	groups, of = map[string]*shaped{}, make([]*shaped, len(lines))
	message := messages(lines)
	for i, l := range lines {
		if l.note || l.lead || blank(l) || all != l.important() || !all && message[i] {
			continue
		}
		shape, values := shapeOf(l.text)
		g := groups[shape]
		if g == nil {
			g = &shaped{}
			groups[shape] = g
		}
		g.count(i, values)
		of[i] = g
	}
	return groups, of
}

// messages returns which lines belong to a failure: those of a short paragraph with one,
// and the indented lines below one.
func messages(lines []line) []bool {
	in := make([]bool, len(lines))
	for from := 0; from < len(lines); {
		to, failures := from, 0
		for ; to < len(lines) && !blank(lines[to]); to++ {
			if lines[to].important() {
				failures++
			}
		}
		short := to-from <= mostMessage
		since := mostMessage // lines since a failure
		for i := from; failures > 0 && i < to; i++ {
			text := lines[i].text
			switch {
			case lines[i].important():
				since = 0
			case strings.HasPrefix(text, " ") || strings.HasPrefix(text, "\t"):
				since++
			default:
				since = mostMessage
			}
			in[i] = short || since < mostMessage
		}
		from = to + 1
	}
	return in
}

// shownShape returns a shape for a note.
func shownShape(shape string) string {
	shape = strings.TrimSpace(shape)
	if len(shape) > longShape {
		begin, _ := ends(shape, longShape*4)
		return begin + " …"
	}
	return shape
}

// important reports whether a line was kept by a rule, looks like a failure or names a
// place in a file.
func (l *line) important() bool { return l.kept || Alarming(l.text) || placed(l.text) }

// between folds lines that are alike between a beginning and an end of so many bytes.
func between(lines []line, head, tail int) (short []line, left int) {
	first, last := 0, len(lines)
	for ; first < last && head > len(lines[first].text); first++ {
		head -= len(lines[first].text) + 1
	}
	for ; last > first && tail > len(lines[last-1].text); last-- {
		tail -= len(lines[last-1].text) + 1
	}
	middle, left := alike(lines[first:last], false)
	return slices.Concat(lines[:first], middle, lines[last:]), left
}

// monotonous reports whether most lines are like many others.
func monotonous(lines []line) bool {
	counts := map[string]int{}
	said := 0
	for _, l := range lines {
		if !blank(l) {
			shape, _ := shapeOf(l.text)
			counts[shape]++
			said++
		}
	}
	many := 0
	for _, n := range counts {
		if n >= 20 && n >= said/100 {
			many += n
		}
	}
	return many*10 >= said*6
}
