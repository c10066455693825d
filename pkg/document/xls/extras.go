package xls

import (
	"cmp"
	"context"
	"slices"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// Extras implements [sheet.Book].
func (b *Book) Extras(ctx context.Context, index int, w sheet.Window) (*sheet.Extras, error) {
	v, err := b.survey(ctx, index)
	if err != nil {
		return nil, err
	}
	if w.Range == (sheet.Range{}) {
		w.Range = sheet.All()
	}
	x := &extras{b: b, v: v, w: w.Range, x: &sheet.Extras{}}
	x.spans()
	for _, read := range []func(context.Context) error{x.comments, x.links, x.shapes} {
		if err := read(ctx); err != nil {
			return x.x, err
		}
	}
	x.sort()
	return x.x, nil
}

// extras collects what belongs to the cells of a window.
type extras struct {
	b *Book
	v *survey
	w sheet.Range
	x *sheet.Extras
}

// room reports whether one more may be collected, and counts those that may not.
func (x *extras) room(have int) bool {
	if have < sheet.MaxExtras {
		return true
	}
	x.x.More++
	return false
}

// spans collects what is hidden and what is merged.
func (x *extras) spans() {
	for row := max(0, x.w.Top-1); row < min(sheetRows, x.w.Bottom); row++ {
		if !x.v.rowHidden(row) {
			continue
		}
		first := row
		for row+1 < min(sheetRows, x.w.Bottom) && x.v.rowHidden(row+1) {
			row++
		}
		if x.room(len(x.x.HiddenRows)) {
			x.x.HiddenRows = append(x.x.HiddenRows, sheet.Span{First: first + 1, Last: row + 1})
		}
	}
	for _, s := range x.v.columns {
		if s.Last >= x.w.Left && s.First <= x.w.Right && x.room(len(x.x.HiddenColumns)) {
			x.x.HiddenColumns = append(x.x.HiddenColumns, s)
		}
	}
	for _, m := range x.v.merged {
		r := sheet.Range{Top: int(m[0]) + 1, Left: int(m[2]), Bottom: int(m[1]) + 1, Right: int(m[3])}
		if r.Top <= r.Bottom && r.Left <= r.Right && r.Overlaps(x.w) && x.room(len(x.x.Merged)) {
			x.x.Merged = append(x.x.Merged, r)
		}
	}
}

// sort puts the lists in the order of the rows.
func (x *extras) sort() {
	byRange := func(a, b sheet.Range) int {
		return cmp.Or(cmp.Compare(a.Top, b.Top), cmp.Compare(a.Left, b.Left))
	}
	byCell := func(a, b sheet.Address) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Column, b.Column))
	}
	slices.SortStableFunc(x.x.Merged, byRange)
	slices.SortStableFunc(x.x.Links, func(a, b sheet.Link) int { return byRange(a.Range, b.Range) })
	slices.SortStableFunc(x.x.Comments, func(a, b sheet.Comment) int { return byCell(a.Cell, b.Cell) })
	slices.SortStableFunc(x.x.Pictures, func(a, b sheet.Picture) int { return byCell(a.Cell, b.Cell) })
	slices.SortStableFunc(x.x.Charts, func(a, b sheet.Chart) int { return byCell(a.Cell, b.Cell) })
	slices.SortStableFunc(x.x.HiddenColumns, func(a, b sheet.Span) int { return cmp.Compare(a.First, b.First) })
}

// comments collects the notes. Since BIFF8 their texts belong to objects; before, they
// are in the record and, where they are long, in further ones whose row is 0xFFFF.
func (x *extras) comments(ctx context.Context) error {
	s := x.b.scan(0)
	texts := x.b.scan(0)
	open := false // the text before may go on
	for i, at := range x.v.notes {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.seek(at)
		if !s.next() || len(s.data) < 6 {
			continue
		}
		d := s.data
		row, column := le16(d), le16(d[2:])
		if x.b.version < 8 && row == 0xFFFF {
			if open {
				last := &x.x.Comments[len(x.x.Comments)-1]
				last.Text += x.b.narrow(d[6:])
			}
			continue
		}
		open = false
		cell := sheet.Address{Row: row + 1, Column: column}
		if !x.w.Contains(cell) || !x.room(len(x.x.Comments)) {
			continue
		}
		c := sheet.Comment{Cell: cell}
		if x.b.version < 8 {
			c.Text, open = x.b.narrow(d[6:min(len(d), 6+le16(d[4:]))]), true
		} else if len(d) >= 10 {
			c.Author, _ = short(d[10:], le16(d[8:]))
			if at, ok := x.v.texts[le16(d[6:])]; ok {
				texts.seek(at)
				c.Text = objectText(texts)
			}
		}
		x.x.Comments = append(x.x.Comments, c)
	}
	return s.err
}

// objectText reads the text of the record TXO, which is in those that continue it.
func objectText(s *scanner) string {
	if !s.next() || s.id != recTXO || len(s.data) < 14 {
		return ""
	}
	count := le16(s.data[10:])
	c := &continued{s: s}
	if count == 0 || !c.more() || len(c.data) == 0 {
		return ""
	}
	wide := c.data[0]&flagWide != 0
	c.data = c.data[1:]
	return string(c.chars(nil, count, wide))
}

// shapes collects pictures and charts.
func (x *extras) shapes(ctx context.Context) error {
	shapes, err := x.b.shapes(x.v)
	if err != nil {
		return err
	}
	for _, s := range shapes {
		if !x.w.Contains(s.cell) {
			continue
		}
		if s.object >= 0 && s.object < len(x.v.objects) {
			if o := x.v.objects[s.object]; o.chart > 0 && x.room(len(x.x.Charts)) {
				c, err := x.b.chart(ctx, o.chart)
				if err != nil {
					return err
				}
				c.Cell = s.cell
				x.x.Charts = append(x.x.Charts, c)
				continue
			}
		}
		if s.blip > 0 {
			if err := x.picture(s); err != nil {
				return err
			}
		}
	}
	if len(shapes) == 0 { // a sheet that is a chart
		for _, at := range x.v.charts {
			if !x.room(len(x.x.Charts)) {
				continue
			}
			c, err := x.b.chart(ctx, at)
			if err != nil {
				return err
			}
			c.Cell = sheet.Address{Row: 1}
			x.x.Charts = append(x.x.Charts, c)
		}
	}
	return nil
}

// picture adds a picture, if the workbook has it in a known format.
func (x *extras) picture(s shape) error {
	blips, err := x.b.pictures()
	if err != nil || s.blip > len(blips) {
		return err
	}
	p := blips[s.blip-1]
	mime, _, _ := blipFormat(p.kind)
	if mime == "" || !x.room(len(x.x.Pictures)) {
		return nil
	}
	alt := s.alt
	if alt == "" {
		alt = s.name
	}
	x.x.Pictures = append(x.x.Pictures, sheet.Picture{
		Cell: s.cell, Alt: alt, MIME: mime,
		Data: func(ctx context.Context) ([]byte, error) { return x.b.picture(ctx, p) },
	})
	return nil
}
