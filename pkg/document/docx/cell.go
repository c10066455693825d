package docx

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document/markdown"
)

// maxCell limits the text read of a cell, in bytes: some cells hold whole documents.
const maxCell = 4 << 20

// cell takes blocks as the lines of a table's cell, which can hold no others.
type cell struct{ b []byte }

func (c *cell) line(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if len(c.b) > 0 {
		c.b = append(c.b, '\n')
	}
	c.b = append(c.b, text...)
}

// Heading writes a heading as a line.
func (c *cell) Heading(_ int, text string) { c.line(text) }

// Paragraph writes a paragraph as a line.
func (c *cell) Paragraph(text string) { c.line(text) }

// Item writes an item with its marker.
func (c *cell) Item(_ int, marker, text string) { c.line(markdown.Escape(marker) + " " + text) }

// Within writes a further paragraph of an item.
func (c *cell) Within(_ int, text string) { c.line(text) }

// Quote writes a quotation as a line.
func (c *cell) Quote(text string) { c.line(text) }

// Code writes each line of code.
func (c *cell) Code(_, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			c.line("`" + strings.ReplaceAll(line, "`", "'") + "`")
		}
	}
}

// Block writes each line of a text box.
func (c *cell) Block(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		c.line(line)
	}
}

// Rule writes nothing.
func (c *cell) Rule() {}

// Table writes each row of a table within the cell.
func (c *cell) Table(rows [][]string) {
	for _, row := range rows {
		var b strings.Builder
		for i, text := range row {
			if i > 0 {
				b.WriteString(` \| `)
			}
			b.WriteString(strings.ReplaceAll(text, "\n", " "))
		}
		c.line(b.String())
	}
}

// MoreRows writes further rows of such a table.
func (c *cell) MoreRows(_ int, rows [][]string) { c.Table(rows) }

// Full reports whether the rest is dropped.
func (c *cell) Full() bool { return len(c.b) > maxCell }
