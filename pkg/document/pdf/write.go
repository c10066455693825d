package pdf

import (
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/pdf/layout"
)

// What makes a block a heading: it is larger than the text of a page that has some.
const (
	headingScale  = 1.18 // times the size of the text
	headingLines  = 3
	headingLength = 160 // bytes
	bodyLength    = 40  // bytes that a page must have in one size
)

// write writes a page's blocks. links are the targets of the links by their numbers.
func (r *renderer) write(blocks []layout.Block, links []string) {
	body := bodySize(blocks)
	for i := range blocks {
		b := &blocks[i]
		if isHeading(b, body) {
			r.w.Heading(3, strings.Join(inlines(b.Lines, links), " "))
			continue
		}
		for _, p := range parts(b) {
			text := markdown.Lines(inlines(p.lines, links))
			if p.mark == "" {
				r.w.Paragraph(text)
			} else {
				r.w.Item(0, p.mark, text)
			}
		}
	}
}

// inlines returns lines as Markdown.
func inlines(lines []layout.Line, links []string) []string {
	all := make([]string, len(lines))
	for i, line := range lines {
		all[i] = inline(line, links)
	}
	return all
}

// inline returns a line as Markdown.
func inline(line layout.Line, links []string) string {
	var text markdown.Inline
	for _, span := range line {
		target := ""
		if n := int(span.Link); n > 0 && n <= len(links) {
			target = links[n-1]
		}
		text.Text(span.Text, 0, target)
	}
	return strings.TrimSpace(text.String())
}

// bodySize returns the size of most of a page's text, 0 if there is not much of it.
func bodySize(blocks []layout.Block) float64 {
	lengths := map[float64]int{}
	size, most := 0.0, bodyLength
	for i := range blocks {
		b := &blocks[i]
		for _, line := range b.Lines {
			for _, span := range line {
				lengths[b.Size] += len(span.Text)
			}
		}
		if n := lengths[b.Size]; n > most {
			size, most = b.Size, n
		}
	}
	return size
}

// isHeading reports whether a block is a heading over text of the size body.
func isHeading(b *layout.Block, body float64) bool {
	if body == 0 || b.Size < headingScale*body || len(b.Lines) > headingLines {
		return false
	}
	length, letters := 0, false
	for _, line := range b.Lines {
		text := line.String()
		length += len(text)
		letters = letters || strings.ContainsFunc(text, unicode.IsLetter)
	}
	return letters && length <= headingLength
}
