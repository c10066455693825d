package csv

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// parser cuts text into rows of cells. It forgives what programs write: a quote within a cell is a
// quote, and one that is never closed is too.
type parser struct {
	text      string
	delimiter byte
	cells     []sheet.Cell // of the row; those without text are left out
	columns   int          // of the row
	buffer    []byte       // the texts of the row's cells
}

// mostQuoted limits the bytes searched for the end of a quoted cell.
const mostQuoted = 1 << 20

// next reads a row. It reports whether there was one.
func (p *parser) next() bool {
	p.cells, p.buffer, p.columns = p.cells[:0], p.buffer[:0], 0
	if p.text == "" {
		return false
	}
	for {
		value, quoted := p.cell()
		if len(value) > 0 && p.columns < sheet.MaxColumns {
			start := len(p.buffer)
			if quoted {
				for i := 0; i < len(value) && len(p.buffer)-start < sheet.MaxText; i++ {
					p.buffer = append(p.buffer, value[i])
					if value[i] == '"' && i+1 < len(value) && value[i+1] == '"' {
						i++
					}
				}
			} else {
				p.buffer = append(p.buffer, value[:min(len(value), sheet.MaxText)]...)
			}
			p.cells = append(p.cells, sheet.Cell{Column: p.columns, Content: sheet.Text, Text: p.buffer[start:len(p.buffer):len(p.buffer)]})
		}
		p.columns++
		if p.text == "" {
			return true
		}
		c := p.text[0]
		p.text = p.text[1:]
		if c == p.delimiter {
			continue // the cell after it is there also where the text ends
		}
		if c == '\r' && strings.HasPrefix(p.text, "\n") {
			p.text = p.text[1:]
		}
		return true
	}
}

// cell reads a cell up to the delimiter or the end of the line. Quotes within a quoted one
// are still doubled.
func (p *parser) cell() (value string, quoted bool) {
	if strings.HasPrefix(p.text, `"`) {
		if end, ok := p.closing(); ok {
			value, p.text = p.text[1:end], p.text[end+1:]
			return value, true
		}
	}
	end := 0
	for end < len(p.text) && !p.ends(p.text[end]) {
		end++
	}
	value, p.text = p.text[:end], p.text[end:]
	return value, false
}

// ends reports whether a byte ends a cell.
func (p *parser) ends(c byte) bool { return c == p.delimiter || c == '\n' || c == '\r' }

// closing returns the place of the quote that closes the cell at hand: one before a
// delimiter or the end of a line.
func (p *parser) closing() (at int, ok bool) {
	s := p.text[:min(len(p.text), mostQuoted)]
	for i := 1; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '"' {
			i++
			continue
		}
		return i, i+1 == len(p.text) || i+1 < len(s) && p.ends(s[i+1])
	}
	return 0, false
}
