package notebook

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// piece is a line of a source, or an item of its list.
type piece struct {
	text string
	raw  string // between the quotes
	item int    // of the list, from 0; -1 is new
}

// piecesOf returns the items of a list, or the lines of a string. ok is false of
// anything else.
func piecesOf(n *node, src string) (all []piece, ok bool) {
	if s, isText := n.words(src); isText {
		raw := src[n.start+1 : n.end-1]
		for _, line := range lines(s) {
			end := rawEnd(raw, line)
			all = append(all, piece{text: line, raw: raw[:end]})
			raw = raw[end:]
		}
		return all, raw == ""
	}
	for i, item := range n.list() {
		s, isText := item.words(src)
		if !isText {
			return nil, false
		}
		all = append(all, piece{s, src[item.start+1 : item.end-1], i})
	}
	return all, n.kind == '['
}

// rawEnd returns where the escaped form of a line ends that raw begins with: behind its
// first line end, as a backslash and a character or four digits.
func rawEnd(raw, line string) int {
	if !strings.HasSuffix(line, "\n") {
		return len(raw)
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if i++; i < len(raw) && raw[i] == 'n' {
			return i + 1
		} else if strings.HasPrefix(strings.ToLower(raw[i:]), "u000a") {
			return i + 5
		}
	}
	return len(raw)
}

func joined(all []piece) string {
	var b strings.Builder
	for _, p := range all {
		b.WriteString(p.text)
	}
	return b.String()
}

// written returns the source of a cell with another text: as a list or a string, as it
// is. Lines that stay keep their bytes.
func (c *Cells) written(i int, text string) (string, error) {
	n := c.cells[i].source
	old, _ := piecesOf(n, c.src)
	next, err := c.replaced(old, text)
	if err != nil {
		return "", err
	}
	if n.kind == '"' {
		var b strings.Builder
		for _, p := range next {
			b.WriteString(p.raw)
		}
		return `"` + b.String() + `"`, nil
	}
	return c.listed(i, next), nil
}

// replaced returns the pieces of another text.
func (c *Cells) replaced(old []piece, text string) ([]piece, error) {
	before, now := make([]string, len(old)), lines(text)
	for i, p := range old {
		before[i] = p.text
	}
	regions := diff.Regions(before, now)
	if !slices.Equal(before, lines(joined(old))) { // the items are no lines
		regions = []diff.Region{around(before, text)}
		r := &regions[0]
		now = slices.Concat(before[:r.OldStart], lines(strings.TrimSuffix(strings.TrimPrefix(text, strings.Join(before[:r.OldStart], "")), strings.Join(before[r.OldEnd:], ""))), before[r.OldEnd:])
		r.NewStart, r.NewEnd = r.OldStart, len(now)-len(before)+r.OldEnd
	}
	var next []piece
	at := 0
	for _, r := range regions {
		next = append(next, old[at:r.OldStart]...)
		if slices.ContainsFunc(old[r.OldStart:r.OldEnd], lossy) {
			return nil, fault.New(fault.UnsupportedContent, fault.T("a line of the cell has half of a character, which would be lost")).
				WithHint(fault.T("nothing was changed; edit it as JSON, which read shows with encoding=utf-8"))
		}
		for k, line := range now[r.NewStart:r.NewEnd] {
			p := piece{line, c.quoted(line), -1}
			if k < r.OldEnd-r.OldStart {
				p.item = r.OldStart + k
			}
			next = append(next, p)
		}
		at = r.OldEnd
	}
	return append(next, old[at:]...), nil
}

// around returns the items between those that a text begins and ends with.
func around(items []string, text string) diff.Region {
	r := diff.Region{OldEnd: len(items)}
	for r.OldStart < len(items) && strings.HasPrefix(text, items[r.OldStart]) {
		text = text[len(items[r.OldStart]):]
		r.OldStart++
	}
	for r.OldEnd > r.OldStart && strings.HasSuffix(text, items[r.OldEnd-1]) {
		r.OldEnd--
		text = text[:len(text)-len(items[r.OldEnd])]
	}
	return r
}

// lossy reports whether a string in JSON has half of a surrogate pair, which is no text.
func lossy(p piece) bool {
	const replaced = "\ufffd"
	return strings.Count(p.text, replaced) > strings.Count(p.raw, replaced)+strings.Count(strings.ToLower(p.raw), `\ufffd`)
}

// escapes reports whether a file writes characters that are not ASCII as escapes. One
// that has none of them does not.
func escapes(src string) bool {
	if strings.ContainsFunc(src, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return false
	}
	for rest := strings.ReplaceAll(src, `\\`, ""); ; {
		_, after, found := strings.Cut(rest, `\u`)
		if !found {
			return false
		}
		if rest = after; len(after) >= 4 && after[:4] >= "0080" {
			return true
		}
	}
}

// quoted returns a line as the file writes text between quotes.
func (c *Cells) quoted(line string) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}
	var b strings.Builder
	for _, r := range line {
		switch s, ok := short[r]; {
		case ok:
			b.WriteString(s)
		case r >= ' ' && (r <= '~' || !c.escape):
			b.WriteRune(r)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
	}
	return b.String()
}

// listed returns a list of pieces, laid out as the list that they are from or, if that
// is empty, as those of other cells.
func (c *Cells) listed(i int, pieces []piece) string {
	n := c.cells[i].source
	if len(pieces) == 0 {
		return "[]"
	}
	style := c.style(n)
	var b strings.Builder
	b.WriteString("[" + style.lead)
	for k, p := range pieces {
		if k > 0 {
			between := style.between
			if before := pieces[k-1].item; before >= 0 && before+1 < len(n.items) && p.item == before+1 {
				between = c.src[n.items[before].end:n.items[p.item].start]
			}
			b.WriteString(between)
		}
		b.WriteString(`"` + p.raw + `"`)
	}
	return b.String() + style.tail + "]"
}

// style is the white space in a list.
type style struct{ lead, between, tail string }

// style returns how a list is laid out: as it is, or as others of its depth are.
func (c *Cells) style(n *node) style {
	own := func(n *node) (s style, lists int) {
		items := n.list()
		if len(items) == 0 {
			return s, 0
		}
		s.lead, s.tail = c.src[n.start+1:items[0].start], c.src[items[len(items)-1].end:n.end-1]
		s.between = "," + s.lead
		if len(items) > 1 {
			s.between = c.src[items[0].end:items[1].start]
		}
		return s, len(items)
	}
	best, most := own(n)
	for _, other := range c.cells {
		if most > 1 {
			break
		}
		if s, items := own(other.source); items > most && (most == 0 || s.lead == best.lead) {
			best, most = s, items
		}
	}
	if most == 0 {
		best = c.indented(n)
	}
	if most < 2 && !strings.Contains(best.lead, "\n") && strings.Contains(c.src, `": `) {
		best.between = ", "
	}
	return best
}

// indented returns how a list is laid out in a file that has no other: one step deeper
// than the line that it is on.
func (c *Cells) indented(n *node) style {
	line := c.src[strings.LastIndexByte(c.src[:n.start], '\n')+1 : n.start]
	outer := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if outer == line || !strings.HasPrefix(line[len(outer):], `"`) || len(outer) < 3 && !strings.Contains(outer, "\t") {
		return style{between: ","}
	}
	step := outer[:max(1, len(outer)/3)] // the key of a cell is three steps deep
	return style{"\n" + outer + step, ",\n" + outer + step, "\n" + outer}
}
