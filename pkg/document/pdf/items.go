package pdf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/pdf/layout"
)

// part is lines of a block that belong together: an item of a list, or a paragraph.
type part struct {
	mark  string // of the item, as Markdown writes it; "" of a paragraph
	lines []layout.Line
}

// parts divides a block into the items of a list and what stands before them. A bullet
// begins the one item of a block. Of numbers, the first line's begins a list, or 1 where 2
// follows; those that go on from there begin its other items.
func parts(b *layout.Block) []part {
	first, rest, ok := strings.Cut(b.Lines[0].String(), " ")
	if ok && layout.IsBullet(first) && strings.TrimSpace(rest) != "" {
		lines := slices.Clone(b.Lines)
		lines[0] = without(lines[0], first)
		return []part{{"-", lines}}
	}
	var all []part
	next, end := 0, "" // what the next item begins with
	for i, line := range b.Lines {
		n, mark := number(line)
		switch {
		case mark != "" && (i == 0 || next > 0 && n == next && strings.HasSuffix(mark, end) || next == 0 && n == 1 && follows(b.Lines[i+1:], mark)):
			next, end = n+1, mark[len(mark)-1:]
			all = append(all, part{mark, []layout.Line{without(line, mark)}})
		case i == 0:
			all = append(all, part{lines: []layout.Line{line}})
		default:
			p := &all[len(all)-1]
			p.lines = append(p.lines, line)
		}
	}
	return all
}

// number returns the number that a line begins with, and its mark: "12." or "12)"; "" if it
// begins with none, or is nothing else.
func number(line layout.Line) (n int, mark string) {
	mark, rest, _ := strings.Cut(line.String(), " ")
	digits := strings.TrimRight(mark, ".)")
	n, err := strconv.Atoi(digits)
	if err != nil || digits[0] < '0' || len(digits) > 4 || len(mark) != len(digits)+1 || strings.TrimSpace(rest) == "" {
		return 0, ""
	}
	return n, mark
}

// maxItem limits the lines of the first item of a list within a block.
const maxItem = 40

// follows reports whether one of the lines after the mark of a first item begins with the
// mark of a second.
func follows(lines []layout.Line, first string) bool {
	second := "2" + first[len(first)-1:]
	return slices.ContainsFunc(lines[:min(len(lines), maxItem)], func(line layout.Line) bool {
		_, mark := number(line)
		return mark == second
	})
}

// without returns a line without the mark that it begins with.
func without(line layout.Line, mark string) layout.Line {
	line = slices.Clone(line)
	n := len(mark)
	for n >= len(line[0].Text) && len(line) > 1 {
		n -= len(line[0].Text)
		line = line[1:]
	}
	line[0].Text = line[0].Text[n:]
	return line
}
