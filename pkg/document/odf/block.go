package odf

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document/markdown"
)

// block is a piece of a document: what a cell, a note, a box or the document consists of.
// The text is inline Markdown.
type block struct {
	what  blockKind
	level int    // of a heading, from 1; of an item, from 0
	label string // of an item
	text  string
	rows  [][]string
}

type blockKind uint8

const (
	paragraphBlock blockKind = iota
	headingBlock
	quoteBlock
	codeBlock  // text is plain
	itemBlock  // of a list
	innerBlock // a further paragraph of an item
	tableBlock
)

// sink receives blocks.
type sink interface{ put(block) }

// toWriter puts blocks into the document.
type toWriter struct{ w *markdown.Writer }

func (t toWriter) put(b block) {
	switch b.what {
	case headingBlock:
		t.w.Heading(b.level, b.text)
	case quoteBlock:
		t.w.Quote(b.text)
	case codeBlock:
		t.w.Code("", b.text)
	case itemBlock:
		t.w.Item(b.level, b.label, b.text)
	case innerBlock:
		t.w.Within(b.level, b.text)
	case tableBlock:
		t.w.Table(b.rows)
	default:
		t.w.Paragraph(b.text)
	}
}

// collected keeps blocks: what is in a cell or a box is wanted when it has ended.
type collected struct{ blocks []block }

func (c *collected) put(b block) { c.blocks = append(c.blocks, b) }

// lines returns the blocks as inline Markdown of several lines.
func (c *collected) lines(between string) string {
	var b strings.Builder
	for _, block := range c.blocks {
		text := block.inline()
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(between)
		}
		b.WriteString(text)
	}
	return b.String()
}

// inline returns a block as it stands within another one.
func (b block) inline() string {
	switch b.what {
	case codeBlock:
		var in markdown.Inline
		for i, line := range strings.Split(strings.TrimRight(b.text, "\n"), "\n") {
			if i > 0 {
				in.Raw("\n")
			}
			in.Text(line, markdown.Code, "")
		}
		return in.String()
	case itemBlock:
		return strings.TrimSpace(b.label + " " + b.text)
	case tableBlock:
		lines := make([]string, 0, len(b.rows))
		for _, row := range b.rows {
			cells := make([]string, len(row))
			for i, cell := range row {
				cells[i] = strings.ReplaceAll(cell, "\n", " ")
			}
			lines = append(lines, strings.Join(cells, " | "))
		}
		return strings.Join(lines, "\n")
	}
	return b.text
}
