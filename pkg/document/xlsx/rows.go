package xlsx

import (
	"context"
	"slices"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

// smallPart is the size up to which a sheet is read as a whole before rows are yielded: so
// that they come in order even if the file has them in another one.
const smallPart = 1 << 20

// Rows yields the rows of a window.
func (b *Book) Rows(ctx context.Context, index int, w sheet.Window, yield func(*sheet.Row) bool) error {
	if b.sheets[index].Kind == sheet.Chartsheet {
		return nil
	}
	b.ctx = ctx
	r, err := b.newReader(index, w, &b.tail)
	if err != nil {
		return err
	}
	if r.size > smallPart {
		r.yield = yield
		return r.read()
	}
	rows, err := r.collect()
	for i := range rows {
		if !yield(&rows[i]) {
			b.tail.window.Bottom = min(b.tail.window.Bottom, rows[i].Number)
			break
		}
	}
	return err
}

// maxKept limits the cells of a sheet that are kept: far more than a small part has,
// unless it lies about its size.
const maxKept = 200_000

// collect reads the rows of a small part in their order.
func (r *reader) collect() (rows []sheet.Row, err error) {
	cells, ordered := 0, true
	r.keep = true
	r.yield = func(row *sheet.Row) bool {
		if len(rows) > 0 && row.Number <= rows[len(rows)-1].Number {
			ordered = false
		}
		rows = append(rows, *row)
		cells += len(row.Cells)
		return cells < maxKept
	}
	if err = r.read(); err == nil && cells >= maxKept {
		err = damaged(fault.T("a sheet is larger than it claims"))
	}
	if ordered {
		return rows, err
	}
	slices.SortStableFunc(rows, func(a, b sheet.Row) int { return a.Number - b.Number })
	n := 0
	for _, row := range rows {
		if n > 0 && rows[n-1].Number == row.Number { // it comes twice
			rows[n-1].Cells = sorted(append(rows[n-1].Cells, row.Cells...))
			continue
		}
		rows[n] = row
		n++
	}
	return rows[:n], err
}
