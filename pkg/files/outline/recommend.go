package outline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/files/text"
)

// mostRanges limits the ranges of an outline.
const mostRanges = 12

// Range is a part of a text that is worth reading by itself.
type Range struct {
	Start int    `json:"start"` // lines, from 1, both included
	End   int    `json:"end"`
	Why   string `json:"why"` // what it defines, as in "type Server and its methods"
}

// entry is a definition, as ranges are made of them.
type entry struct {
	line  int // the index of its first one
	end   int // the index after its last one
	level int
	title string // as in "function main"
	group string // what it belongs to, such as the type of a method; may be ""
	owner bool   // it gives the group its name
}

// Recommend outlines a text. It returns the ranges of its top-level definitions or
// headings, in order; small ones are combined so that there are at most twelve. A text
// in which [Outline] finds less than two has no ranges.
func Recommend(source, language string) []Range {
	lines := text.Lines(source)
	defs := outermost(entries(Outline(language, source)))
	if len(defs) < 2 {
		return nil
	}
	parts := make([]part, len(defs))
	for i, d := range defs {
		parts[i] = part{start: d.line, defs: defs[i : i+1]}
		if i > 0 {
			parts[i].start = max(parts[i].start, parts[i-1].start+1)
			parts[i-1].end = parts[i].start
		}
	}
	parts[len(parts)-1].end = max(len(lines), parts[len(parts)-1].start+1)
	out := []Range{}
	for _, p := range few(grouped(parts)) {
		for p.end > p.start+1 && p.end <= len(lines) && strings.TrimSpace(lines[p.end-1].Body) == "" {
			p.end--
		}
		out = append(out, Range{Start: p.start + 1, End: p.end, Why: p.why()})
	}
	return out
}

// entries returns the definitions in the order of their first lines, of which no two
// are in one line.
func entries(defs []Definition) []entry {
	var out []entry
	for path := range All(defs) {
		d := path[len(path)-1]
		e := entry{line: d.Start() - 1, end: d.End, level: len(path), title: d.title(), group: d.owner()}
		e.owner = e.group == d.Name
		if n := len(out); n > 0 && e.line <= out[n-1].line {
			continue
		}
		out = append(out, e)
	}
	return out
}

// title names a definition by its kind too, unless it is a heading.
func (d *Definition) title() string {
	name := d.Name
	if r := []rune(name); len(r) > 60 {
		name = string(r[:59]) + "…"
	}
	if d.Kind == heading || d.Kind == section {
		return name
	}
	return d.Kind + " " + name
}

// owner returns the name of the type that a definition, or its implementation, belongs
// to; "" for a heading, or a function.
func (d *Definition) owner() string {
	switch d.Kind {
	case heading, section, "function", "const", "var":
		return ""
	case "impl":
		_, of, found := strings.Cut(d.Name, " for ")
		if found {
			return of
		}
	case "method":
		if i := strings.LastIndexAny(d.Name, ".:"); i > 0 {
			return strings.TrimRight(d.Name[:i], ":")
		}
		return ""
	}
	return d.Name
}

// part is a range that is still growing: lines[start:end] and what they define.
type part struct {
	start, end int
	defs       []entry // neighbours in one slice
}

func (p part) with(next part) part {
	return part{p.start, next.end, p.defs[:len(p.defs)+len(next.defs)]}
}

// outermost keeps the outer levels: the first, and more while there are hardly any.
func outermost(defs []entry) []entry {
	counts := map[int]int{}
	for _, d := range defs {
		counts[d.level]++
	}
	const hardlyAny = 3
	deepest, n := 0, 0
	for level := 1; level <= len(counts) && n < hardlyAny; level++ {
		deepest = level
		n += counts[level]
	}
	return slices.DeleteFunc(defs, func(d entry) bool { return d.level > deepest })
}

// grouped combines neighbours that belong to the same type.
func grouped(parts []part) []part {
	var out []part
	for _, p := range parts {
		last := len(out) - 1
		if group := p.defs[0].group; last >= 0 && group != "" && group == out[last].defs[0].group {
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
	sameGroup := first.group != ""
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
func (p part) largest(n int) []entry {
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
	out := make([]entry, len(order))
	for i, at := range order {
		out[i] = p.defs[at]
	}
	return out
}
