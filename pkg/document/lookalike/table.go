package lookalike

import (
	"cmp"
	"context"
	"slices"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/sheet"
)

// Limits of what is kept in memory.
const (
	maxCells  = 1 << 20 // of all sheets
	maxSheets = 1024
	maxExtras = 1 << 16 // merged ranges, links and comments of a sheet, of each
)

// table is a sheet in memory.
type table struct {
	name    string
	state   sheet.State
	used    sheet.Range
	rows    []row
	merged  []sheet.Range
	links   []sheet.Link
	notes   []sheet.Comment
	columns []sheet.Span // hidden
	hidden  []sheet.Span // rows
}

// row is a row with content.
type row struct {
	number int
	hidden bool
	cells  []cell
}

// cell is a cell with content.
type cell struct {
	column  int32
	content sheet.Content
	number  float64
	text    string
	display string
	formula string
	format  *numfmt.Format
}

// addTable begins a sheet; nil if there are too many.
func (b *Book) addTable(name string) *table {
	if len(b.tables) >= maxSheets {
		b.full = true
		return nil
	}
	t := &table{name: name, state: sheet.Visible}
	b.tables = append(b.tables, t)
	return t
}

// room reports whether another cell may be kept.
func (b *Book) room(count *int) bool {
	if *count >= maxCells {
		b.full = true
		return false
	}
	*count++
	return true
}

// add puts a cell into a row, whose number is from 1. Cells without content are left
// out.
func (t *table) add(number int, c cell) {
	if number < 1 || number > sheet.MaxRows || c.column < 0 || c.column >= sheet.MaxColumns {
		return
	}
	if c.content == sheet.Empty && c.formula == "" {
		return
	}
	if n := len(t.rows); n == 0 || t.rows[n-1].number != number {
		t.rows = append(t.rows, row{number: number})
	}
	last := &t.rows[len(t.rows)-1]
	last.cells = append(last.cells, c)
	column := int(c.column)
	t.used = t.used.Union(sheet.Range{Top: number, Left: column, Bottom: number, Right: column})
}

// finish puts the rows and their cells in order. Of two cells in one place the later
// one counts.
func (t *table) finish() {
	byNumber := func(a, b row) int { return cmp.Compare(a.number, b.number) }
	if !slices.IsSortedFunc(t.rows, byNumber) {
		slices.SortStableFunc(t.rows, byNumber)
	}
	joined := t.rows[:0]
	for _, r := range t.rows {
		if n := len(joined); n > 0 && joined[n-1].number == r.number {
			joined[n-1].cells = append(joined[n-1].cells, r.cells...)
			joined[n-1].hidden = joined[n-1].hidden || r.hidden
		} else {
			joined = append(joined, r)
		}
	}
	t.rows = joined
	byColumn := func(a, b cell) int { return cmp.Compare(a.column, b.column) }
	for i := range t.rows {
		cells := t.rows[i].cells
		if !slices.IsSortedFunc(cells, byColumn) {
			slices.SortStableFunc(cells, byColumn)
		}
		kept := cells[:0]
		for k, c := range cells {
			if k+1 == len(cells) || cells[k+1].column != c.column {
				kept = append(kept, c)
			}
		}
		t.rows[i].cells = kept
		for _, s := range t.hidden {
			t.rows[i].hidden = t.rows[i].hidden || s.First <= t.rows[i].number && t.rows[i].number <= s.Last
		}
	}
}

// Rows implements [sheet.Book].
func (b *Book) Rows(ctx context.Context, index int, w sheet.Window, yield func(*sheet.Row) bool) error {
	if w.Range == (sheet.Range{}) {
		w.Range = sheet.All()
	}
	t := b.tables[index]
	first, _ := slices.BinarySearchFunc(t.rows, w.Top, func(r row, top int) int { return cmp.Compare(r.number, top) })
	var out sheet.Row
	for i, r := range t.rows[first:] {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if r.number > w.Bottom {
			break
		}
		out.Number, out.Hidden, out.Cells = r.number, r.hidden, out.Cells[:0]
		for _, c := range r.cells {
			if int(c.column) < w.Left || int(c.column) > w.Right {
				continue
			}
			shown := sheet.Cell{Column: int(c.column), Content: c.content, Number: c.number, Format: c.format}
			if c.text != "" {
				shown.Text = []byte(c.text)
			}
			if c.display != "" {
				shown.Display = []byte(c.display)
			}
			if c.formula != "" && (w.Formulas || c.content == sheet.Empty) {
				shown.Formula = []byte(c.formula)
			}
			out.Cells = append(out.Cells, shown)
		}
		if len(out.Cells) > 0 && !yield(&out) {
			break
		}
	}
	return nil
}

// Extras implements [sheet.Book].
func (b *Book) Extras(_ context.Context, index int, w sheet.Window) (*sheet.Extras, error) {
	if w.Range == (sheet.Range{}) {
		w.Range = sheet.All()
	}
	t := b.tables[index]
	x := &sheet.Extras{}
	room := func(have int) bool {
		if have < sheet.MaxExtras {
			return true
		}
		x.More++
		return false
	}
	for _, m := range t.merged {
		if m.Overlaps(w.Range) && room(len(x.Merged)) {
			x.Merged = append(x.Merged, m)
		}
	}
	for _, l := range t.links {
		if l.Range.Overlaps(w.Range) && room(len(x.Links)) {
			x.Links = append(x.Links, l)
		}
	}
	for _, n := range t.notes {
		if w.Contains(n.Cell) && room(len(x.Comments)) {
			x.Comments = append(x.Comments, n)
		}
	}
	for _, s := range t.hidden {
		if s.First <= w.Bottom && s.Last >= w.Top && room(len(x.HiddenRows)) {
			x.HiddenRows = append(x.HiddenRows, s)
		}
	}
	for _, s := range t.columns {
		if s.First <= w.Right && s.Last >= w.Left && room(len(x.HiddenColumns)) {
			x.HiddenColumns = append(x.HiddenColumns, s)
		}
	}
	return x, nil
}
