package sheet

import (
	"context"
	"strconv"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/numfmt"
)

// grid is a book in memory.
type grid struct {
	sheets []gridSheet
	names  []Name
}

type gridSheet struct {
	Sheet
	survey Survey
	rows   []Row
	extras Extras
	err    error // after the rows
	lost   error // of the survey
}

func (g *grid) Info() document.Info { return document.Info{Format: "grid"} }
func (g *grid) Date1904() bool      { return false }

func (g *grid) Sheets() []Sheet {
	var all []Sheet
	for _, s := range g.sheets {
		all = append(all, s.Sheet)
	}
	return all
}

func (g *grid) Names(context.Context) ([]Name, error) { return g.names, nil }

func (g *grid) Survey(_ context.Context, sheet int) (Survey, error) {
	return g.sheets[sheet].survey, g.sheets[sheet].lost
}

func (g *grid) Rows(_ context.Context, sheet int, w Window, yield func(*Row) bool) error {
	for i := range g.sheets[sheet].rows {
		row := g.sheets[sheet].rows[i]
		if row.Number < w.Top || row.Number > w.Bottom {
			continue
		}
		if !yield(&row) {
			return nil
		}
	}
	return g.sheets[sheet].err
}

func (g *grid) Extras(_ context.Context, sheet int, w Window) (*Extras, error) {
	all, some := g.sheets[sheet].extras, Extras{}
	for _, m := range all.Merged {
		if m.Overlaps(w.Range) {
			some.Merged = append(some.Merged, m)
		}
	}
	for _, c := range all.Comments {
		if w.Contains(c.Cell) {
			some.Comments = append(some.Comments, c)
		}
	}
	for _, l := range all.Links {
		if l.Range.Overlaps(w.Range) {
			some.Links = append(some.Links, l)
		}
	}
	for _, t := range all.Tables {
		if t.Range.Overlaps(w.Range) {
			some.Tables = append(some.Tables, t)
		}
	}
	for _, p := range all.Pictures {
		if w.Contains(p.Cell) {
			some.Pictures = append(some.Pictures, p)
		}
	}
	for _, c := range all.Charts {
		if c.Cell.Row == 0 || w.Contains(c.Cell) {
			some.Charts = append(some.Charts, c)
		}
	}
	some.HiddenColumns, some.More, some.Unread = all.HiddenColumns, all.More, all.Unread
	return &some, nil
}

// row makes a row of text cells from column A on; "" is no cell.
func row(number int, texts ...string) Row {
	r := Row{Number: number}
	for i, text := range texts {
		if text != "" {
			r.Cells = append(r.Cells, Cell{Column: i, Content: Text, Text: []byte(text)})
		}
	}
	return r
}

// numbered makes a sheet of that many rows and columns, each cell with its own text.
func numbered(name string, rows, columns int) gridSheet {
	s := gridSheet{Sheet: Sheet{Name: name, State: Visible, Kind: Worksheet}}
	for r := 1; r <= rows; r++ {
		one := Row{Number: r}
		for c := range columns {
			one.Cells = append(one.Cells, Cell{Column: c, Content: Text, Text: []byte(name + strconv.Itoa(r) + "." + strconv.Itoa(c))})
		}
		s.rows = append(s.rows, one)
	}
	s.survey.Used = Range{1, 0, rows, columns - 1}
	return s
}

// budgetBook has one of everything.
func budgetBook() *grid {
	date, money := numfmt.Parse("m/d/yy"), numfmt.Parse(`"$"#,##0.00`)
	sales := gridSheet{
		Sheet:  Sheet{Name: "Sales", State: Visible, Kind: Worksheet},
		survey: Survey{Used: Range{1, 0, 44, 26}, Tables: []Table{{Name: "Orders", Range: Range{1, 0, 3, 2}}}, Images: 1, Charts: 1},
		rows: []Row{
			row(1, "id", "name|alias", "date"),
			{Number: 2, Cells: []Cell{
				{Column: 0, Content: Number, Number: 1234567890123},
				{Column: 1, Content: Text, Text: []byte("Ann\nBob")},
				{Column: 2, Content: Number, Number: 45352, Format: date},
				{Column: 26, Content: Number, Number: 1234.5, Format: money},
			}},
			{Number: 3, Hidden: true, Cells: []Cell{
				{Column: 0, Content: Boolean, Number: 1},
				{Column: 1, Content: Error, Text: []byte("#DIV/0!")},
				{Column: 2, Formula: []byte("SUM(A1:A3)")},
			}},
			{Number: 4, Cells: []Cell{{Column: 0, Content: Text, Text: []byte(" ")}}},
			{Number: 44, Cells: []Cell{{Column: 0, Content: Number, Number: 0.5, Formula: []byte("1/2")}}},
		},
		extras: Extras{
			Merged:        []Range{{1, 0, 1, 2}, {5, 1, 7, 1}},
			HiddenColumns: []Span{{3, 3}, {5, 6}},
			Comments: []Comment{
				{Cell: Address{2, 2}, Author: "Ann", Text: "why?\nreally"},
				{Cell: Address{2, 2}, Author: "Bob", Text: "so", Reply: true},
			},
			Links:  []Link{{Range: Range{2, 1, 2, 1}, Target: "https://example.com/a"}},
			Tables: []Table{{Name: "Orders", Range: Range{1, 0, 3, 2}}},
			Pictures: []Picture{{Cell: Address{7, 2}, Alt: "logo", MIME: "image/png",
				Data: func(context.Context) ([]byte, error) { return []byte("PNG"), nil }}},
			Charts: []Chart{{Cell: Address{4, 4}, Title: "Growth", Type: "bar",
				Rows: [][]string{{"", "2023", "2024"}, {"North", "1", "2"}}}},
		},
	}
	empty := gridSheet{Sheet: Sheet{Name: "Empty Sheet", State: Hidden, Kind: Worksheet}}
	return &grid{
		sheets: []gridSheet{sales, empty, numbered("Costs", 50, 3)},
		names: []Name{
			{Name: "Orders", Sheet: 0, Table: &Table{Name: "Orders", Range: Range{1, 0, 3, 2}, Columns: []string{"id", "name|alias", "date"}, Headers: 1}},
			{Name: "Tax", Sheet: -1, Refers: "Sales!$C$2"},
			{Name: "Tax", Sheet: 2, Refers: "Costs!$B$3"},
			{Name: "Both", Sheet: -1, Refers: "Sales!$A$1:$A$2,Costs!$A$5"},
			{Name: "Loop", Sheet: -1, Refers: "Loop"},
			{Name: "Gone", Sheet: -1, Refers: "#REF!$A$1"},
			{Name: "Computed", Sheet: -1, Refers: "OFFSET(Sales!$A$1,1,1)"},
			{Name: "_xlnm.Print_Area", Sheet: 0, Refers: "Sales!$A$1", Hidden: true},
		},
	}
}
