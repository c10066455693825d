package xlsx

import (
	"cmp"
	"context"
	"slices"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// countedBytes limits the bytes of small sheets that Survey counts in a workbook; of the
// others it reports the dimension that they claim.
const countedBytes = 4 << 20

// Survey implements [sheet.Book].
func (b *Book) Survey(ctx context.Context, index int) (sheet.Survey, error) {
	b.ctx = ctx
	v := sheet.Survey{Tables: b.tables(index)}
	for _, d := range b.drawings(index) {
		p, c := d.count()
		v.Images += p
		v.Charts += c
	}
	e := b.sheets[index]
	if e.Kind == sheet.Chartsheet {
		v.Exact = true
		return v, nil
	}
	var t tail
	size := b.pkg.Size(e.part)
	if v.Exact = size <= smallPart && b.counted+size <= countedBytes; !v.Exact {
		r, err := b.newReader(index, sheet.Window{}, &t)
		if err != nil {
			return v, err
		}
		r.done = true // nothing is wanted of the rows
		r.head = true
		err = r.read()
		v.Used = t.used
		return v, err
	}
	b.counted += size
	r, err := b.newReader(index, sheet.Window{Range: sheet.All()}, &t)
	if err != nil {
		return v, err
	}
	r.bare = true
	rows, err := r.collect()
	for _, row := range rows {
		v.Used = v.Used.Union(sheet.Range{
			Top: row.Number, Bottom: row.Number,
			Left: row.Cells[0].Column, Right: row.Cells[len(row.Cells)-1].Column,
		})
	}
	return v, err
}

// Extras implements [sheet.Book].
func (b *Book) Extras(ctx context.Context, index int, w sheet.Window) (*sheet.Extras, error) {
	b.ctx = ctx
	x := &sheet.Extras{}
	var err error
	if b.sheets[index].Kind != sheet.Chartsheet {
		err = b.addTail(x, index, w)
	}
	for _, t := range b.tables(index) {
		if t.Range.Overlaps(w.Range) {
			x.Tables = append(x.Tables, t)
		}
	}
	comments, more := b.comments(index, w.Range)
	x.Comments = comments
	x.More += more
	for _, d := range b.drawings(index) {
		if err := ctx.Err(); err != nil {
			return x, err
		}
		b.addDrawing(x, d, w.Range)
	}
	slices.SortStableFunc(x.Pictures, func(a, b sheet.Picture) int { return compareCells(a.Cell, b.Cell) })
	slices.SortStableFunc(x.Charts, func(a, b sheet.Chart) int { return compareCells(a.Cell, b.Cell) })
	return x, err
}

// addTail adds the extras in the sheet's own part: from the last reading if that was of
// the window.
func (b *Book) addTail(x *sheet.Extras, index int, w sheet.Window) error {
	t := &b.tail
	var err error
	if far := b.pkg.Size(b.sheets[index].part) > tailBytes; !t.covers(index, w.Range, far) {
		t = &tail{}
		var r *reader
		if r, err = b.newReader(index, sheet.Window{Range: w.Range}, t); err != nil {
			return err
		}
		r.done = true
		err = r.read()
	}
	t.order()
	for _, m := range t.merged {
		if m.Overlaps(w.Range) {
			x.Merged = append(x.Merged, m)
		}
	}
	for _, l := range t.links {
		if l.Range.Overlaps(w.Range) {
			x.Links = append(x.Links, l)
		}
	}
	for _, c := range t.columns {
		if c.Last >= w.Left && c.First <= w.Right {
			x.HiddenColumns = append(x.HiddenColumns, sheet.Span{First: max(c.First, w.Left), Last: min(c.Last, w.Right)})
		}
	}
	for _, s := range t.rows {
		if s.Last >= w.Top && s.First <= w.Bottom {
			x.HiddenRows = append(x.HiddenRows, sheet.Span{First: max(s.First, w.Top), Last: min(s.Last, w.Bottom)})
		}
	}
	x.More += t.more
	x.Unread = t.unread
	return err
}

func compareCells(a, b sheet.Address) int {
	return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Column, b.Column))
}

// related returns the parts that a sheet is related to in a way.
func (b *Book) related(index int, kind string) (parts []string) {
	for _, r := range b.pkg.Relations(b.sheets[index].part) {
		if r.Type == kind && !r.External {
			parts = append(parts, r.Target)
		}
	}
	return parts
}
