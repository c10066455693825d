package sheet

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asked is a grid that notes what it is asked for.
type asked struct {
	*grid
	rows, extras []Window
}

func (a *asked) Rows(ctx context.Context, sheet int, w Window, yield func(*Row) bool) error {
	a.rows = append(a.rows, w)
	return a.grid.Rows(ctx, sheet, w, yield)
}

func (a *asked) Extras(ctx context.Context, sheet int, w Window) (*Extras, error) {
	a.extras = append(a.extras, w)
	return a.grid.Extras(ctx, sheet, w)
}

// TestWindows: a reader is asked for what the page shows, and one row more, by which it is
// known that there are some.
func TestWindows(t *testing.T) {
	all := All()
	from := func(top, bottom int) Range { return Range{top, 0, bottom, MaxColumns - 1} }
	for _, c := range []struct {
		query  Query
		rows   Window
		extras Window
	}{
		{Query{}, Window{Range: all}, Window{Range: all}},
		{Query{Limit: 5}, Window{Range: all, Limit: 6}, Window{Range: from(1, 5)}},
		{Query{Limit: 5, Offset: 3}, Window{Range: from(3, MaxRows), Limit: 6}, Window{Range: from(3, 7)}},
		{Query{Offset: 8, Values: Formulas}, Window{Range: from(8, MaxRows), Formulas: true}, Window{Range: from(8, MaxRows)}},
		{Query{Range: "B2:C4"}, Window{Range: Range{2, 1, 4, 2}}, Window{Range: Range{2, 1, 4, 2}}},
		{Query{Limit: 10}, Window{Range: all, Limit: 11}, Window{Range: all}},
	} {
		book := &asked{grid: &grid{sheets: []gridSheet{numbered("A", 10, 4)}}}
		if _, err := Show(t.Context(), book, c.query); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([][]Window{{c.rows}, {c.extras}}, [][]Window{book.rows, book.extras}); diff != "" {
			t.Errorf("%+v: %s", c.query, diff)
		}
	}
}

// TestOnce: what belongs to a cell is on the page that shows it, and on no other.
func TestOnce(t *testing.T) {
	s := numbered("A", 30, 2)
	for row := 1; row <= 40; row++ {
		s.extras.Comments = append(s.extras.Comments, Comment{Cell: Address{row, 0}, Text: "note"})
	}
	seen := map[string]int{}
	for _, page := range follow(t, &grid{sheets: []gridSheet{s}}, Query{Limit: 7}) {
		for line := range strings.Lines(page.Markdown) {
			if cell, ok := strings.CutPrefix(line, "- "); ok {
				seen[cell]++
			}
		}
	}
	if len(seen) != 40 {
		t.Errorf("%d of 40 notes: %v", len(seen), seen)
	}
	for cell, n := range seen {
		if n != 1 {
			t.Errorf("%s %d times", cell, n)
		}
	}
}

// TestNarrow: several sheets whose first rows alone are too long for their share are cut
// between cells.
func TestNarrow(t *testing.T) {
	sheets := []gridSheet{numbered("Wide", 2, 800), numbered("Broad", 1, 700), numbered("Small", 3, 2)}
	book := &grid{sheets: sheets}
	pages := follow(t, book, Query{MaxBytes: 4000})
	want := map[string]int{}
	for _, s := range sheets {
		for _, r := range s.rows {
			for i := range r.Cells {
				want[string(r.Cells[i].Text)] = 1
			}
		}
	}
	if diff := cmp.Diff(want, cellsOf(pages)); diff != "" {
		t.Error(diff)
	}
	if first := pages[0].Markdown; !strings.Contains(first, "row 1 up to column") || !strings.Contains(first, "Small3.1") {
		t.Error(first)
	}
}

// TestFirstSheet: a range without a sheet is of the first worksheet that people see.
func TestFirstSheet(t *testing.T) {
	hidden, chart, seen := numbered("Hidden", 1, 1), numbered("Chart", 1, 1), numbered("Seen", 1, 1)
	hidden.State, chart.Kind = Hidden, Chartsheet
	for _, c := range []struct {
		sheets []gridSheet
		want   string
	}{
		{[]gridSheet{hidden, chart, seen}, "Seen"},
		{[]gridSheet{chart, hidden}, "Chart"},
	} {
		page, err := Show(t.Context(), &grid{sheets: c.sheets}, Query{Range: "A1"})
		if err != nil || page.Shown[0].Sheet != c.want {
			t.Errorf("%v: %+v", err, page)
		}
	}
}

// TestNumbers: sheets are found by name before number, and by number in the whole range.
func TestNumbers(t *testing.T) {
	book := &grid{}
	for _, name := range []string{"First", "3", "Third"} {
		book.sheets = append(book.sheets, numbered(name, 1, 1))
	}
	for _, c := range []struct{ sheet, want string }{
		{"1", "First"}, {"2", "3"}, {"3", "3"}, {"0", ""}, {"4", ""}, {"1x", ""}, {"01", "First"}, {"9999999", ""}, {"-1", ""},
	} {
		page, err := Show(t.Context(), book, Query{Sheet: c.sheet})
		switch {
		case c.want == "" && err == nil:
			t.Errorf("%q is a sheet: %+v", c.sheet, page.Shown)
		case c.want != "" && (err != nil || page.Shown[0].Sheet != c.want):
			t.Errorf("%q: %v, %+v", c.sheet, err, page)
		}
	}
}

// TestScopes: a sheet's own name comes before the workbook's, that before another sheet's; a name's
// range without a sheet is of its own.
func TestScopes(t *testing.T) {
	book := &grid{
		sheets: []gridSheet{numbered("A", 9, 1), numbered("B", 9, 1), numbered("C", 9, 1)},
		names: []Name{
			{Name: "Here", Sheet: 1, Refers: "$A$1"},
			{Name: "Here", Sheet: -1, Refers: "C!$A$2"},
			{Name: "Local", Sheet: 0, Refers: "$A$3"},
			{Name: "Chain", Sheet: -1, Refers: "B!Here"},
		},
	}
	for _, c := range []struct{ sheet, name, want string }{
		{"A", "Here", "C!A2"}, {"B", "Here", "B!A1"}, {"C", "Local", "A!A3"}, {"A", "Chain", "B!A1"},
	} {
		page, err := Show(t.Context(), book, Query{Sheet: c.sheet, Range: c.name})
		if err != nil || page.Shown[0].Sheet+"!"+page.Shown[0].Range != c.want {
			t.Errorf("%s in %s: %v, %+v", c.name, c.sheet, err, page)
		}
	}
}

// TestDisplay: what the file says that a cell displays counts where that is asked for.
func TestDisplay(t *testing.T) {
	cell := Cell{Content: Number, Number: 0.5, Display: []byte("one half")}
	no := Cell{Content: Boolean}
	for _, c := range []struct {
		cell   Cell
		values Values
		want   string
	}{
		{cell, Display, "one half"}, {cell, Auto, "0.5"}, {cell, Raw, "0.5"}, {no, Auto, "FALSE"},
	} {
		if got := string(appendValue(nil, &c.cell, c.values, false)); got != c.want {
			t.Errorf("%s is %q, want %q", c.values, got, c.want)
		}
	}
}

func TestLevel(t *testing.T) {
	for _, c := range []struct {
		needs []int
		total int
		want  int
	}{
		{[]int{5, 500}, 100, 95},
		{[]int{500, 500}, 100, 50},
		{[]int{10, 10}, 100, 100},
		{[]int{unlimited, unlimited, unlimited}, unlimited, unlimited / 3},
		{[]int{5, 5}, -7, 1},
	} {
		if got := level(c.needs, c.total); got != c.want {
			t.Errorf("%v of %d: %d, want %d", c.needs, c.total, got, c.want)
		}
	}
}
