package text

import (
	"fmt"
	"slices"
	"strings"
)

// mostRanges is how many ranges an outline has at most.
const mostRanges = 12

// Range is a part of a text that is worth reading by itself.
type Range struct {
	Start int    `json:"start"` // lines, from 1, both included
	End   int    `json:"end"`
	Why   string `json:"why"` // what it defines, as in "type Server and its methods"
}

// definition is a line that begins something with a name.
type definition struct {
	line  int    // index
	level int    // indentation in columns, or the level of a heading
	title string // as in "func main"
	group string // what it belongs to, such as the type of a method; may be ""
	owner bool   // it gives the group its name
}

// Recommend outlines a text. It returns the ranges of its top-level definitions or
// headings, in order; small ones are combined so that there are at most twelve.
// language is a name that language.Of returns. The rules look at single lines and
// can be wrong. A text in which they find nothing has no ranges.
func Recommend(text, language string) []Range {
	lines := Lines(text)
	defs := outermost(definitions(lines, language))
	if len(defs) < 2 {
		return nil
	}
	parts := make([]part, len(defs))
	for i, d := range defs {
		parts[i] = part{start: leadIn(lines, d), defs: defs[i : i+1]}
		if i > 0 {
			parts[i].start = max(parts[i].start, defs[i-1].line+1)
			parts[i-1].end = parts[i].start
		}
	}
	parts[len(parts)-1].end = len(lines)
	out := []Range{}
	for _, p := range few(grouped(parts)) {
		for p.end > p.start+1 && strings.TrimSpace(lines[p.end-1].Body) == "" {
			p.end--
		}
		out = append(out, Range{Start: p.start + 1, End: p.end, Why: p.why()})
	}
	return out
}

// part is a range that is still growing: lines[start:end] and what they define.
type part struct {
	start, end int
	defs       []definition // neighbours in one slice
}

func (p part) with(next part) part {
	return part{p.start, next.end, p.defs[:len(p.defs)+len(next.defs)]}
}

// outermost keeps the outer levels: of headings as many as fit into the ranges, of
// definitions the first, and more while there are hardly any.
func outermost(defs []definition) []definition {
	counts := map[int]int{}
	for _, d := range defs {
		counts[d.level]++
	}
	levels := make([]int, 0, len(counts))
	for level := range counts {
		levels = append(levels, level)
	}
	slices.Sort(levels)
	const hardlyAny = 3
	most := 0
	if len(defs) > 0 && defs[0].group == heading {
		most = mostRanges
	}
	deepest, n := 0, 0
	for _, level := range levels {
		if n >= hardlyAny && n+counts[level] > most {
			break
		}
		deepest = level
		if n += counts[level]; n > mostRanges {
			break
		}
	}
	return slices.DeleteFunc(defs, func(d definition) bool { return d.level > deepest })
}

// leadIn returns the line at which a definition's comments and attributes begin.
func leadIn(lines []Line, d definition) int {
	at := d.line
	for at > 0 {
		above := strings.TrimSpace(lines[at-1].Body)
		switch {
		case strings.HasSuffix(above, "*/"):
			for at > 1 && !strings.Contains(lines[at-1].Body, "/*") {
				at--
			}
		case strings.HasPrefix(above, "//"), strings.HasPrefix(above, "*"), strings.HasPrefix(above, "/*"), strings.HasPrefix(above, "--"):
		case strings.HasPrefix(above, "@"), strings.HasPrefix(above, "#") && d.group != heading, strings.HasPrefix(above, "[") && strings.HasSuffix(above, "]") && d.group != heading:
		case strings.HasPrefix(above, "template"):
		default:
			return at
		}
		at--
	}
	return at
}

// grouped combines neighbours that belong to the same type.
func grouped(parts []part) []part {
	var out []part
	for _, p := range parts {
		last := len(out) - 1
		if group := p.defs[0].group; last >= 0 && group != "" && group != heading && group == out[last].defs[0].group {
			out[last] = out[last].with(p)
			continue
		}
		out = append(out, p)
	}
	return out
}

// few combines neighbours until there are few enough: first up to an even share of
// the lines, then the smallest pair again and again.
func few(parts []part) []part {
	if len(parts) <= mostRanges {
		return parts
	}
	share := (parts[len(parts)-1].end - parts[0].start) / mostRanges
	out := []part{parts[0]}
	for _, p := range parts[1:] {
		if last := &out[len(out)-1]; p.end-last.start <= share {
			*last = last.with(p)
		} else {
			out = append(out, p)
		}
	}
	for len(out) > mostRanges {
		best := 0
		for i := range out[:len(out)-1] {
			if out[i+1].end-out[i].start < out[best+1].end-out[best].start {
				best = i
			}
		}
		out[best] = out[best].with(out[best+1])
		out = slices.Delete(out, best+1, best+2)
	}
	return out
}

// why describes what a part defines.
func (p part) why() string {
	first := p.defs[0]
	sameGroup := first.group != "" && first.group != heading
	for _, d := range p.defs {
		sameGroup = sameGroup && d.group == first.group
	}
	switch {
	case len(p.defs) == 1:
		return first.title
	case sameGroup && first.owner:
		return first.title + " and its methods"
	case sameGroup:
		return "methods of " + first.group
	}
	const most = 3
	titles := make([]string, 0, most)
	for _, d := range p.largest(most) {
		titles = append(titles, d.title)
	}
	out := strings.Join(titles, ", ")
	if more := len(p.defs) - len(titles); more > 0 {
		out = fmt.Sprintf("%s and %d more", out, more)
	}
	return out
}

// largest returns the n definitions with most lines, in the order of the text.
func (p part) largest(n int) []definition {
	order := make([]int, len(p.defs))
	for i := range order {
		order[i] = i
	}
	size := func(i int) int {
		if i == len(p.defs)-1 {
			return p.end - p.defs[i].line
		}
		return p.defs[i+1].line - p.defs[i].line
	}
	slices.SortStableFunc(order, func(a, b int) int { return size(b) - size(a) })
	order = order[:min(n, len(order))]
	slices.Sort(order)
	out := make([]definition, len(order))
	for i, at := range order {
		out[i] = p.defs[at]
	}
	return out
}
