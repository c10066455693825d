package xls

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// cellsOf returns where the cells of a record are: row and columns from 0. It reports
// false for a record that holds no cells with content.
func (b *Book) cellsOf(id int, d []byte) (row, first, last int, ok bool) {
	var least int
	switch id {
	case recNumber, recNumber2:
		least = 14
	case recLabel, recLabel2, recRString, recInteger2:
		least = 8
	case recBoolErr, recBoolErr2:
		least = 8
	case recRK, recLabelSST:
		least = 10
	case recFormula, recFormula3, recFormula4:
		least = 14
	case recMulRK:
		least = 12
	default:
		return 0, 0, 0, false
	}
	if len(d) < least {
		return 0, 0, 0, false
	}
	row, first = le16(d), le16(d[2:])
	last = first
	if id == recMulRK {
		last = first + (len(d)-6)/6 - 1
	}
	if first >= sheetColumns || last >= sheetColumns {
		return 0, 0, 0, false
	}
	return row, first, last, true
}

func isFormula(id int) bool { return id == recFormula || id == recFormula3 || id == recFormula4 }

// sortPlaces orders cells by row, and those of a row as they are in the file.
func sortPlaces(index []place) {
	slices.SortStableFunc(index, func(a, b place) int { return cmp.Compare(a.row, b.row) })
}

// rows reads the rows of a window.
type rows struct {
	b     *Book
	v     *survey
	s     *scanner
	w     sheet.Window
	yield func(*sheet.Row) bool

	row  sheet.Row
	text []byte // of this row's cells
	ixfe int    // the XF of the next cell, where that has no room for it (BIFF2)
	more bool   // yield wants more
	far  *scanner
}

// Rows implements [sheet.Book].
func (b *Book) Rows(ctx context.Context, index int, w sheet.Window, yield func(*sheet.Row) bool) error {
	v, err := b.survey(ctx, index)
	if err != nil {
		return err
	}
	if w.Range == (sheet.Range{}) {
		w.Range = sheet.All()
	}
	r := &rows{b: b, v: v, w: w, yield: yield, more: true, s: b.scan(b.sheets[index].at)}
	if v.used == (sheet.Range{}) {
		return nil
	}
	if v.index != nil {
		err = r.indexed(ctx)
	} else {
		err = r.inOrder(ctx)
	}
	if err == nil {
		r.flush()
	}
	return err
}

// inOrder reads a sheet whose rows are in order.
func (r *rows) inOrder(ctx context.Context) error {
	if !r.s.next() {
		return r.s.err
	}
	depth := 1
	for n := 0; r.more && depth > 0 && r.s.next(); n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case isBOF(r.s.id):
			depth++
		case r.s.id == recEOF:
			depth--
		case depth > 1:
		case r.s.id == recIXFE && len(r.s.data) >= 2:
			r.ixfe = le16(r.s.data)
		default:
			row, first, last, ok := r.b.cellsOf(r.s.id, r.s.data)
			if !ok || row+1 < r.w.Top {
				continue
			}
			if row+1 > r.w.Bottom {
				return r.s.err
			}
			r.cells(row, first, last)
		}
	}
	return r.s.err
}

// indexed reads a sheet whose rows are in no order.
func (r *rows) indexed(ctx context.Context) error {
	for n, p := range r.v.index {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !r.more || int(p.row)+1 > r.w.Bottom {
			return nil
		}
		if int(p.row)+1 < r.w.Top {
			continue
		}
		r.s.seek(p.at)
		if !r.s.next() {
			return r.s.err
		}
		if row, first, last, ok := r.b.cellsOf(r.s.id, r.s.data); ok {
			r.cells(row, first, last)
		}
	}
	return r.s.err
}

// flush yields the row that was read.
func (r *rows) flush() {
	if len(r.row.Cells) == 0 || !r.more {
		return
	}
	byColumn := func(a, b sheet.Cell) int { return cmp.Compare(a.Column, b.Column) }
	if !slices.IsSortedFunc(r.row.Cells, byColumn) {
		slices.SortStableFunc(r.row.Cells, byColumn)
	}
	// Of two cells in one place, the later one counts.
	kept := r.row.Cells[:0]
	for i, c := range r.row.Cells {
		if i+1 == len(r.row.Cells) || r.row.Cells[i+1].Column != c.Column {
			kept = append(kept, c)
		}
	}
	r.row.Cells = kept
	r.more = r.yield(&r.row)
	r.row.Cells, r.text = r.row.Cells[:0], r.text[:0]
}

// cells adds the cells of the record that was read.
func (r *rows) cells(row, first, last int) {
	if r.row.Number != row+1 {
		r.flush()
		if !r.more {
			return
		}
		r.row.Number, r.row.Hidden = row+1, r.v.rowHidden(row)
	}
	s := r.s
	if last < r.w.Left || first > r.w.Right {
		return
	}
	if s.id == recMulRK {
		for c := max(first, r.w.Left); c <= min(last, r.w.Right); c++ {
			d := s.data[4+6*(c-first):]
			r.add(sheet.Cell{Column: c, Content: sheet.Number, Number: rk(le32(d[2:])), Format: r.b.format(le16(d))})
		}
		return
	}
	d := s.data
	cell := sheet.Cell{Column: first}
	head := 6 // row, column, XF
	if s.id == recNumber2 || s.id == recInteger2 || s.id == recLabel2 || s.id == recBoolErr2 || r.b.version == 2 {
		head = 7 // instead of the XF three bytes with the format itself
		cell.Format = r.b.formatNumbered(int(d[5] & 0x3F))
		if r.ixfe > 0 && d[4]&0x3F == 0x3F {
			cell.Format = r.b.format(r.ixfe)
		}
	} else {
		cell.Format = r.b.format(le16(d[4:]))
	}
	value := d[head:]
	switch s.id {
	case recNumber, recNumber2:
		if len(value) < 8 {
			return
		}
		cell.Content, cell.Number = sheet.Number, float(value)
	case recInteger2:
		if len(value) < 2 {
			return
		}
		cell.Content, cell.Number = sheet.Number, float64(le16(value))
	case recRK:
		cell.Content, cell.Number = sheet.Number, rk(le32(value))
	case recLabelSST:
		cell.Content, cell.Text = sheet.Text, r.b.sharedString(le32(value))
	case recLabel, recLabel2, recRString:
		cell.Content, cell.Text = sheet.Text, r.label(value, s.id == recLabel2)
	case recBoolErr, recBoolErr2:
		if len(value) < 2 {
			return
		}
		setBoolErr(&cell, value[0], value[1] != 0)
	default:
		r.formula(&cell, row, d)
	}
	r.add(cell)
}

func (r *rows) add(c sheet.Cell) {
	if c.Content == sheet.Text && len(c.Text) == 0 && c.Formula == nil {
		return
	}
	if c.Content == sheet.Empty && c.Formula == nil {
		return
	}
	r.row.Cells = append(r.row.Cells, c)
}

// label returns the text of a cell that holds it itself.
func (r *rows) label(d []byte, old bool) []byte {
	start := len(r.text)
	switch {
	case old && len(d) >= 1:
		r.text = appendPage(r.text, d[1:min(len(d), 1+int(d[0]))], r.b.page)
	case old || len(d) < 2:
		return nil
	case r.b.version == 8 && len(d) >= 3:
		c := &continued{s: r.s, data: d[3:]}
		r.text = c.chars(r.text, le16(d), d[2]&flagWide != 0)
	default:
		r.text = appendPage(r.text, d[2:min(len(d), 2+le16(d))], r.b.page)
	}
	return r.text[start:len(r.text):len(r.text)]
}

// sharedString returns a text of the table, which is read when the first is wanted.
func (b *Book) sharedString(i uint32) []byte {
	if b.strings.table == nil {
		b.strings.table = &shared{}
		if s := b.scan(b.strings.at); b.strings.at > 0 && s.next() {
			b.strings.table = readShared(s)
			b.damaged = b.damaged || s.err != nil
		}
	}
	return b.strings.table.get(i)
}

// rk decodes a number in four bytes (MS-XLS 2.5.217).
func rk(v uint32) float64 {
	var f float64
	if v&2 != 0 {
		f = float64(int32(v) >> 2)
	} else {
		f = math.Float64frombits(uint64(v&^3) << 32)
	}
	if v&1 != 0 {
		f /= 100
	}
	return f
}

func float(d []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(d)) }

func setBoolErr(c *sheet.Cell, value byte, isError bool) {
	if isError {
		c.Content, c.Text = sheet.Error, []byte(sheet.ErrorName(value))
		return
	}
	c.Content, c.Number = sheet.Boolean, 0
	if value != 0 {
		c.Number = 1
	}
}
