package sheet

import (
	"context"
	"strconv"
	"testing"

	"github.com/helve-dev/helve/pkg/document/numfmt"
)

// endless is a book whose rows are made as they are read.
type endless struct {
	grid
	rows, columns int
	row           Row
	texts         []byte
}

func newEndless(rows, columns int) *endless {
	e := &endless{rows: rows, columns: columns}
	e.sheets = []gridSheet{{Sheet: Sheet{Name: "Large", State: Visible, Kind: Worksheet}, survey: Survey{Used: Range{1, 0, rows, columns - 1}}}}
	return e
}

func (e *endless) Rows(_ context.Context, _ int, w Window, yield func(*Row) bool) error {
	date := numfmt.Parse("yyyy-mm-dd")
	for n := max(1, w.Top); n <= min(e.rows, w.Bottom); n++ {
		e.row.Number, e.row.Cells, e.texts = n, e.row.Cells[:0], e.texts[:0]
		for c := range e.columns {
			cell := Cell{Column: c, Content: Number, Number: float64(n*c) * 1.25}
			switch c % 3 {
			case 1:
				at := len(e.texts)
				e.texts = strconv.AppendInt(append(e.texts, "text of row "...), int64(n), 10)
				cell = Cell{Column: c, Content: Text, Text: e.texts[at:]}
			case 2:
				cell.Format, cell.Number = date, float64(40000+n%9000)
			}
			e.row.Cells = append(e.row.Cells, cell)
		}
		if !yield(&e.row) {
			return nil
		}
	}
	return nil
}

func BenchmarkWhole(b *testing.B) {
	book := newEndless(200_000, 10)
	b.ReportAllocs()
	for b.Loop() {
		page, err := Show(b.Context(), book, Query{})
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(page.Markdown)))
	}
}

func BenchmarkPage(b *testing.B) {
	book := newEndless(200_000, 10)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Show(b.Context(), book, Query{Limit: 200}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestAllocations: reading rows allocates in proportion to what is shown, not for each
// cell.
func TestAllocations(t *testing.T) {
	book := newEndless(5000, 10)
	n := testing.AllocsPerRun(3, func() {
		if _, err := Show(t.Context(), book, Query{}); err != nil {
			t.Fatal(err)
		}
	})
	if n > 1000 {
		t.Errorf("%v allocations for 50,000 cells", n)
	}
}
