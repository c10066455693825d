// Package csv reads text whose lines are rows of a table (RFC 4180, and what programs make of
// it) as a spreadsheet with one sheet. All cells are text: what 007 means, it does not decide.
package csv

import (
	"context"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/text"
)

// Options says how to read a file. The zero value detects everything.
type Options struct {
	// Encoding is the name of the text's encoding; see [text.Decode].
	Encoding string
	// Delimiter stands between the cells; 0 is the one that fits the text.
	Delimiter byte
	// Name is the name of the sheet; "" is Sheet1.
	Name string
}

// Book is an open file.
type Book struct {
	text      string // without a mark of its beginning or of its delimiter
	delimiter byte
	name      string
	used      sheet.Range
	exact     bool
}

var _ sheet.Book = (*Book)(nil)

// countedBytes is the longest text whose rows are counted beforehand.
const countedBytes = 1 << 20

// Open reads a file's bytes. The faults are those of [text.Decode].
func Open(raw []byte, o Options) (*Book, error) {
	decoded, err := text.Decode(raw, o.Encoding)
	if err != nil {
		return nil, err
	}
	b := &Book{text: decoded.Text, delimiter: o.Delimiter, name: o.Name}
	if b.name == "" {
		b.name = "Sheet1"
	}
	if d, rest, ok := declared(b.text); ok {
		b.text = rest
		if b.delimiter == 0 {
			b.delimiter = d
		}
	}
	if b.delimiter == 0 {
		b.delimiter = sniff(b.text)
	}
	b.count()
	return b, nil
}

// Delimiter returns the delimiter of the cells.
func (b *Book) Delimiter() byte { return b.delimiter }

// declared reads the line "sep=;" that Excel takes a delimiter from.
func declared(s string) (delimiter byte, rest string, ok bool) {
	after, ok := strings.CutPrefix(s, "sep=")
	if !ok || after == "" || after[0] == '\n' || after[0] == '\r' || after[0] >= 0x80 {
		return 0, s, false
	}
	switch end := after[1:]; {
	case end == "":
		return after[0], "", true
	case strings.HasPrefix(end, "\r\n"):
		return after[0], end[2:], true
	case end[0] == '\n' || end[0] == '\r':
		return after[0], end[1:], true
	}
	return 0, s, false
}

// count finds the range of cells of the text; of a long one it is an estimate.
func (b *Book) count() {
	if len(b.text) > countedBytes {
		rows := strings.Count(b.text, "\n") + 1
		b.used = sheet.Range{Top: 1, Bottom: min(rows, sheet.MaxRows)}
		p := parser{text: b.text, delimiter: b.delimiter}
		if p.next() {
			b.used.Right = max(len(p.cells)-1, 0)
		}
		return
	}
	b.exact = true
	p := parser{text: b.text, delimiter: b.delimiter}
	for row := 1; p.next() && row <= sheet.MaxRows; row++ {
		if n := len(p.cells); n > 0 {
			b.used = b.used.Union(sheet.Range{Top: row, Left: p.cells[0].Column, Bottom: row, Right: p.cells[n-1].Column})
		}
	}
}

// Info returns the format.
func (b *Book) Info() document.Info { return document.Info{Format: "csv"} }

// Date1904 is false: there are no dates, only text.
func (b *Book) Date1904() bool { return false }

// Sheets returns the one sheet.
func (b *Book) Sheets() []sheet.Sheet {
	return []sheet.Sheet{{Name: b.name, State: sheet.Visible, Kind: sheet.Worksheet}}
}

// Names returns none.
func (b *Book) Names(context.Context) ([]sheet.Name, error) { return nil, nil }

// Survey returns the cells that the text has, counted if it is short.
func (b *Book) Survey(context.Context, int) (sheet.Survey, error) {
	return sheet.Survey{Used: b.used, Exact: b.exact}, nil
}

// Extras returns none.
func (b *Book) Extras(context.Context, int, sheet.Window) (*sheet.Extras, error) {
	return &sheet.Extras{}, nil
}

// Rows yields the rows of the window. The fault too_large says that the text has more rows
// than a sheet.
func (b *Book) Rows(ctx context.Context, _ int, w sheet.Window, yield func(*sheet.Row) bool) error {
	p := parser{text: b.text, delimiter: b.delimiter}
	row := sheet.Row{}
	for row.Number = 1; row.Number <= w.Bottom; row.Number++ {
		if row.Number%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !p.next() {
			return nil
		}
		if row.Number < w.Top || len(p.cells) == 0 {
			continue
		}
		row.Cells = p.cells
		if !yield(&row) {
			return nil
		}
	}
	if w.Bottom >= sheet.MaxRows && p.next() {
		return fault.New(fault.TooLarge, fault.T("the text has more than %d rows", sheet.MaxRows)).
			WithHint(fault.T("read it as text, with offset and limit"))
	}
	return nil
}
