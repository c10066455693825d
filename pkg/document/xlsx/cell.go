package xlsx

import (
	"bytes"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// readCell reads the cell that began.
func (r *reader) readCell() {
	row, column := 0, -1
	if v, ok := r.s.Attr("r"); ok {
		if at, col, ok := addressOf(v); ok {
			row, column = at, col
		}
	}
	c := raw{column: column, value: r.cell.value[:0], formula: r.cell.formula[:0]}
	if t, ok := r.s.Attr("t"); ok {
		c.of = typeOf(t)
	}
	c.style, _ = r.s.Int("s")
	c.picture, _ = r.s.Int("vm")
	var share formulaShare
	for depth := r.s.Depth(); ; {
		kind := r.s.Next()
		if kind == xmlscan.EOF || kind == xmlscan.End && r.s.Depth() < depth {
			break
		}
		if kind != xmlscan.Start {
			continue
		}
		switch r.s.Local() {
		case "v":
			c.value, c.isValue = appendText(r.s, c.value[:0], sheet.MaxText), true
		case "is":
			c.value, c.isValue = readRich(r.s, c.value[:0]), true
		case "f":
			share.read(r.s)
			c.formula, c.isShown = appendText(r.s, c.formula[:0], maxFormula), true
			share.finish(&c)
		default:
			r.s.Skip()
		}
	}
	r.cell = c
	if r.s.Err() != nil {
		return // cut off: half a number is another number
	}
	if share.shared && c.isShown {
		at := sheet.Address{Row: row, Column: column}
		if at.Row == 0 {
			at.Row = max(r.row.Number, 1)
		}
		if at.Column < 0 {
			at.Column = r.column + 1
		}
		c.formula = r.share(share.index, at, c.formula)
	}
	r.add(row, &c)
}

// formulaShare holds the attributes of a formula (18.3.1.40).
type formulaShare struct {
	shared    bool
	index     int
	dataTable bool
	r1, r2    string
}

func (f *formulaShare) read(s *xmlscan.Scanner) {
	switch s.String("t") {
	case "shared":
		f.index, f.shared = s.Int("si")
	case "dataTable":
		f.dataTable, f.r1, f.r2 = true, clip(s.String("r1"), 20), clip(s.String("r2"), 20)
	}
}

// finish writes a table of data as Excel shows its formula.
func (f *formulaShare) finish(c *raw) {
	if f.dataTable && len(c.formula) == 0 {
		c.formula = append(c.formula, "TABLE("+f.r1+","+f.r2+")"...)
	}
}

// share returns the formula of a cell that shares it, and keeps one that others share.
func (r *reader) share(index int, at sheet.Address, formula []byte) []byte {
	if len(formula) > 0 {
		if r.masters == nil {
			r.masters = map[int]master{}
		}
		if _, known := r.masters[index]; !known && r.used < maxShared {
			r.used += len(formula) + 64
			r.masters[index] = master{at, string(formula)}
		}
		return formula
	}
	if m, known := r.masters[index]; known {
		return append(formula, shift(m.formula, at.Row-m.at.Row, at.Column-m.at.Column)...)
	}
	return formula
}

// add adds a cell to the row that is open. row is the row of its address, 0 if it has none.
func (r *reader) add(row int, c *raw) {
	switch {
	case !r.open: // the tag of the row is damaged
		r.begin(row, false)
	case r.loose && row > r.row.Number && r.column < 0:
		r.row.Number = row
		r.place()
	}
	r.loose = false
	if c.column < 0 {
		c.column = r.column + 1
	}
	if r.done || !r.wanted || c.column < r.w.Left || c.column > r.w.Right {
		r.column = c.column
		return
	}
	if c.column >= maxCol {
		return
	}
	r.unsorted = r.unsorted || c.column <= r.column
	r.column = c.column
	if len(r.row.Cells) > 2*maxCol {
		r.row.Cells = sorted(r.row.Cells)
	}
	r.row.Cells = append(r.row.Cells, sheet.Cell{Column: c.column})
	if !r.fill(&r.row.Cells[len(r.row.Cells)-1], c) {
		r.row.Cells = r.row.Cells[:len(r.row.Cells)-1]
	}
}

// fill makes a cell of what the part has of it. It reports whether the cell has content.
func (r *reader) fill(cell *sheet.Cell, c *raw) bool {
	if r.bare {
		cell.Content = sheet.Number
		return len(c.value) > 0 || len(c.formula) > 0 || c.picture > 0
	}
	cell.Format = r.b.format(c.style)
	if c.isValue {
		r.value(cell, c)
	}
	if c.picture > 0 {
		cell.Picture = r.b.richPicture(c.picture, sheet.Address{Row: r.row.Number, Column: c.column})
	}
	if c.isShown {
		r.formula(cell, c)
	}
	return cell.Content != sheet.Empty || cell.Formula != nil || cell.Picture != nil
}

// value sets the content of a cell.
func (r *reader) value(cell *sheet.Cell, c *raw) {
	if len(c.value) == 0 {
		return
	}
	switch c.of {
	case shared:
		id, ok := parseNumber(c.value)
		if !ok || id < 0 || id > 1<<31 {
			id = -1
		}
		if cell.Text, ok = r.b.text(int(id)); ok && len(cell.Text) > 0 {
			cell.Content = sheet.Text
		}
		return
	case boolean:
		cell.Content = sheet.Boolean
		if v := c.value[0]; v != '0' && v|0x20 != 'f' {
			cell.Number = 1
		}
		return
	case failure:
		cell.Content, cell.Text = sheet.Error, r.hold(c.value)
		return
	case date:
		if n, ok := parseDate(c.value, r.b.date1904); ok {
			cell.Content, cell.Number = sheet.Number, n
			if cell.Format == nil || !cell.Format.Class().IsDate() {
				cell.Format = r.b.isoFormat()
			}
			return
		}
	case number:
		if n, ok := parseNumber(c.value); ok {
			cell.Content, cell.Number = sheet.Number, n
			return
		}
	}
	if cell.Text = unescape(r.hold(c.value)); len(cell.Text) > 0 {
		cell.Content = sheet.Text
	}
}

// isoFormat returns the format of dates that have none.
func (b *Book) isoFormat() *numfmt.Format {
	if b.iso == nil {
		b.iso = numfmt.Parse("yyyy-mm-dd hh:mm:ss")
	}
	return b.iso
}

// formula sets the formula of a cell if it is wanted or all there is, and looks for the
// links and pictures that formulas make.
func (r *reader) formula(cell *sheet.Cell, c *raw) {
	if bytes.Contains(c.formula, []byte("HYPERLINK(")) {
		r.tail.addFormulaLink(c.formula, sheet.Address{Row: r.row.Number, Column: c.column})
	}
	if bytes.Contains(c.formula, []byte("DISPIMG(")) {
		if p := r.b.wpsPicture(c.formula, sheet.Address{Row: r.row.Number, Column: c.column}); p != nil {
			cell.Picture = p
		}
	}
	cached := c.isValue && (len(c.value) > 0 || c.of == text)
	if len(c.formula) > 0 && (r.w.Formulas || !cached && cell.Picture == nil) {
		cell.Formula = r.hold(shown(c.formula))
	}
}

// shown returns a formula as people see it: without the prefixes of functions that are
// younger than the format.
func shown(formula []byte) []byte {
	if bytes.Contains(formula, []byte("_xl")) {
		for _, prefix := range [...]string{"_xlfn.", "_xlws.", "_xlpm.", "_xludf."} {
			formula = bytes.ReplaceAll(formula, []byte(prefix), nil)
		}
	}
	return formula
}

// hold copies a text to where it is valid for as long as the row.
func (r *reader) hold(text []byte) []byte {
	if len(r.arena)+len(text) > maxRowText {
		return nil
	}
	at := len(r.arena)
	r.arena = append(r.arena, text...)
	return r.arena[at:len(r.arena):len(r.arena)]
}
