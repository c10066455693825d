package odf

import (
	"context"
	"strconv"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// rowReader reads the rows of one sheet.
type rowReader struct {
	ctx    context.Context
	book   *Book
	s      *xmlscan.Scanner
	window sheet.Window
	yield  func(*sheet.Row) bool
	extras *sheet.Extras

	row     sheet.Row
	next    int // number of the row that comes, from 1
	column  int // of the column that comes
	styles  []columnStyle
	text    []byte // of the cells of the row
	stopped bool
}

// columnStyle is the style of the cells of some columns that have none.
type columnStyle struct {
	last int
	name []byte
}

// maxColumnStyles limits the styles of columns that are remembered.
const maxColumnStyles = sheet.MaxColumns

// Rows yields the rows of a window. All before it is scanned, too.
func (b *Book) Rows(ctx context.Context, at int, w sheet.Window, yield func(*sheet.Row) bool) error {
	b.extras = &sheet.Extras{}
	part, err := b.parts.open("content.xml")
	if err != nil {
		return err
	}
	defer part.Close()
	s := xmlscan.New(part)
	seen := 0
	for k := s.Next(); k != xmlscan.EOF; k = s.Next() {
		if k != xmlscan.Start {
			continue
		}
		switch s.Name() {
		case "office:styles", "office:automatic-styles", "office:master-styles", "office:font-face-decls", "office:meta", "office:settings",
			"office:scripts":
			s.Skip()
		case "table:table":
			if seen < at {
				seen++
				s.Skip()
				continue
			}
			r := &rowReader{ctx: ctx, book: b, s: s, window: w, yield: yield, extras: b.extras, next: 1}
			r.table()
			if err := ctx.Err(); err != nil {
				return err
			}
			if r.stopped {
				return nil
			}
			return s.Err()
		}
	}
	return s.Err()
}

// table reads the sheet, or the group of rows or columns, that just began.
func (r *rowReader) table() {
	s := r.s
	for depth := s.Depth(); !r.stopped; {
		switch s.Next() {
		case xmlscan.EOF:
			return
		case xmlscan.End:
			if s.Depth() < depth {
				return
			}
		case xmlscan.Start:
			switch s.Name() {
			case "table:table-row":
				r.readRow()
			case "table:table-column":
				r.readColumn()
			case "table:table-header-rows", "table:table-rows", "table:table-row-group",
				"table:table-columns", "table:table-header-columns", "table:table-column-group":
				r.table()
			case "table:shapes":
				r.shapes(sheet.Address{Row: 1})
			default:
				s.Skip()
			}
		}
	}
}

func (r *rowReader) readColumn() {
	n := min(repeated(r.s, "table:number-columns-repeated"), sheet.MaxColumns)
	first, last := r.column, min(r.column+n-1, sheet.MaxColumns-1)
	r.column += n
	if first > last {
		r.s.Skip()
		return
	}
	if v := r.s.String("table:visibility"); v == "collapse" || v == "filter" {
		r.extras.HiddenColumns = keep(r.extras, r.extras.HiddenColumns, sheet.Span{First: first, Last: last})
	}
	if len(r.styles) < maxColumnStyles {
		r.styles = append(r.styles, columnStyle{last, []byte(r.s.String("table:default-cell-style-name"))})
	}
	r.s.Skip()
}

// keep appends an extra to its list, up to the limit.
func keep[T any](x *sheet.Extras, list []T, one T) []T {
	if len(list) >= sheet.MaxExtras {
		x.More++
		return list
	}
	return append(list, one)
}

// readRow reads the row that just began, and yields it as often as it stands.
func (r *rowReader) readRow() {
	s := r.s
	times := repeated(s, "table:number-rows-repeated")
	first := r.next
	last := min(first+min(times, sheet.MaxRows)-1, sheet.MaxRows)
	r.next = last + 1
	if first > sheet.MaxRows || first > r.window.Bottom || r.ctx.Err() != nil {
		r.stopped = true
		return
	}
	visibility := s.String("table:visibility")
	r.row = sheet.Row{Hidden: visibility == "collapse" || visibility == "filter", Cells: r.row.Cells[:0]}
	r.text = r.text[:0]
	column := 0
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			break
		}
		if k != xmlscan.Start {
			continue
		}
		switch s.Name() {
		case "table:table-cell":
			column = r.readCell(first, last, column)
		case "table:covered-table-cell":
			column += min(repeated(s, "table:number-columns-repeated"), sheet.MaxColumns)
			s.Skip()
		default:
			s.Skip()
		}
	}
	if r.row.Hidden && len(r.row.Cells) == 0 && last >= r.window.Top {
		r.extras.HiddenRows = keep(r.extras, r.extras.HiddenRows, sheet.Span{First: max(first, r.window.Top), Last: min(last, r.window.Bottom)})
	}
	if len(r.row.Cells) == 0 {
		return
	}
	cells := r.row.Cells
	for n := max(first, r.window.Top); n <= min(last, r.window.Bottom); n++ {
		r.row.Number, r.row.Cells = n, cells
		if n%64 == 0 && r.ctx.Err() != nil || !r.yield(&r.row) {
			r.stopped = true
			return
		}
	}
	r.row.Cells = cells
}

// readCell reads the cell that just began, of the rows first to last, and returns the
// column after it.
func (r *rowReader) readCell(first, last, column int) int {
	s, w := r.s, &r.window
	n := min(repeated(s, "table:number-columns-repeated"), sheet.MaxColumns)
	after := min(column+n, sheet.MaxColumns)
	wide, high := repeated(s, "table:number-columns-spanned"), repeated(s, "table:number-rows-spanned")
	if wide > 1 || high > 1 {
		span := sheet.Range{Top: first, Left: column, Bottom: min(first+min(high, sheet.MaxRows)-1, sheet.MaxRows), Right: min(column+min(wide, sheet.MaxColumns), sheet.MaxColumns) - 1}
		if span.Overlaps(w.Range) {
			r.extras.Merged = keep(r.extras, r.extras.Merged, span)
		}
	}
	if last < w.Top || column > w.Right || after <= w.Left || column >= sheet.MaxColumns {
		s.Skip()
		return after
	}
	var c sheet.Cell
	c.Column = column
	// What belongs to the cell is noted where the window first has it.
	r.value(&c, sheet.Address{Row: max(first, w.Top), Column: max(column, w.Left)})
	if c.Content == sheet.Empty && len(c.Formula) == 0 {
		return after
	}
	for ; column < after && column <= w.Right; column++ {
		if column >= w.Left {
			c.Column = column
			r.row.Cells = append(r.row.Cells, c)
		}
	}
	return after
}

// style returns the style of a cell that has none by itself.
func (r *rowReader) style(column int) []byte {
	for i := range r.styles {
		if column <= r.styles[i].last {
			return r.styles[i].name
		}
	}
	return nil
}

// value reads the cell that just began: its attributes, its text, and its extras.
func (r *rowReader) value(c *sheet.Cell, at sheet.Address) {
	s := r.s
	kind, value := "", ""
	isError := false
	var style, formula []byte
	s.Attrs(func(name string, v []byte) bool {
		switch name {
		case "table:style-name":
			style = append(style, v...)
		case "office:value-type", "table:value-type":
			kind = string(v)
		case "calcext:value-type":
			isError = string(v) == "error"
		case "office:value", "office:date-value", "office:time-value", "office:boolean-value", "office:string-value",
			"table:value", "table:date-value", "table:time-value", "table:boolean-value", "table:string-value":
			value = string(v[:min(len(v), sheet.MaxText)])
		case "table:formula":
			formula = append(formula, v...)
		}
		return true
	})
	from := len(r.text)
	found := r.cellText(at)
	text := r.text[from:len(r.text):len(r.text)]
	if style == nil {
		style = r.style(c.Column)
	}
	as := r.book.cells.shown(style)
	c.Display = text
	switch kind {
	case "float", "currency", "percentage":
		n, err := strconv.ParseFloat(value, 64)
		switch {
		case err != nil:
			c.Content, c.Text = sheet.Text, text
		case as.boolean, as.format == nil && (n == 1 && string(text) == "TRUE" || n == 0 && string(text) == "FALSE"):
			c.Content, c.Number = sheet.Boolean, n
		default:
			c.Content, c.Number, c.Format = sheet.Number, n, as.format
			if c.Format == nil && kind == "percentage" {
				c.Format = percentFormat()
			}
		}
	case "date":
		dated(c, value, as.format)
	case "time":
		timed(c, value, as.format)
	case "boolean":
		c.Content = sheet.Boolean
		if value == "true" || value == "1" {
			c.Number = 1
		}
	default:
		if text == nil || !found {
			text = []byte(value)
		}
		if len(text) > 0 {
			c.Content, c.Text = sheet.Text, text
		}
	}
	if isError || kind == "float" && len(text) > 0 && text[0] == '#' && as.format == nil {
		c.Content, c.Text = sheet.Error, text
	}
	if len(formula) > 0 && (r.window.Formulas || c.Content == sheet.Empty) {
		c.Formula = []byte(readable(formula))
	}
}
