package sheet

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/fault"
)

func TestShow(t *testing.T) {
	page, err := Show(t.Context(), budgetBook(), Query{Sheet: "sales", Image: func(i document.Image) string {
		if i.Anchor != "Sales!C7" || i.MIME != "image/png" || string(i.Data) != "PNG" {
			t.Errorf("image %+v", i)
		}
		return "art/logo.png"
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := `## Sheet 1/3 "Sales" (A1:AA44)
|   | A | B | C | AA |
|---|---|---|---|---|
| 1 | id | name\|alias | date | |
| 2 | 1234567890123 | Ann<br>Bob | 2024-03-01 | $1,234.50 |
| 3 | TRUE | #DIV/0! | =SUM(A1:A3) | |
| 4–43 | *(40 empty rows)* | | | |
| 44 | 0.5 | | | |
Merged: A1:C1, B5:B7 · Hidden: row 3, col D, cols F–G · Tables: Orders A1:C3 · Columns without content here: D–Z
Images: C7 → ![logo](art/logo.png)
Links: B2 → https://example.com/a
Notes:
- C2 (Ann): why?<br>really
  - C2 (Bob): so

Chart at E4 "Growth" (bar)

| | 2023 | 2024 |
|---|---|---|
| North | 1 | 2 |
`
	if diff := cmp.Diff(want, page.Markdown); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Shown{{Sheet: "Sales", Range: "A1:AA44", Rows: 44, Columns: 27, Exact: true}}, page.Shown); diff != "" {
		t.Error(diff)
	}
	if page.NextOffset != 0 || page.NextRange != "" {
		t.Errorf("goes on with %d, %q", page.NextOffset, page.NextRange)
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		values Values
		want   []string
	}{
		{Auto, []string{"| 1234567890123 |", "| 2024-03-01 |", "| $1,234.50 |", "| 0.5 |", "| =SUM(A1:A3) |"}},
		{Display, []string{"| 1.23457E+12 |", "| 3/1/24 |", "| $1,234.50 |", "| 0.5 |", "| =SUM(A1:A3) |"}},
		{Raw, []string{"| 1234567890123 |", "| 45352 |", "| 1234.5 |", "| 0.5 |", "| =SUM(A1:A3) |"}},
		{Formulas, []string{"| 1234567890123 |", "| 2024-03-01 |", "| $1,234.50 |", "| =1/2 |", "| =SUM(A1:A3) |"}},
	} {
		page, err := Show(t.Context(), budgetBook(), Query{Sheet: "1", Values: c.values})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(page.Markdown, want) {
				t.Errorf("%s lacks %q:\n%s", c.values, want, page.Markdown)
			}
		}
	}
}

func TestRanges(t *testing.T) {
	for _, c := range []struct {
		sheet, ranges string
		want          []string // what is shown
	}{
		{"", "B2:C3", []string{"Sales!B2:C3"}},
		{"Costs", "B2:C3", []string{"Costs!B2:C3"}},
		{"Costs", "B:B", []string{"Costs!B1:B50"}},
		{" COSTS ", "", []string{"Costs!A1:C50"}},
		{"", "Costs!5:6", []string{"Costs!A5:C6"}},
		{"", "costs!A1,'Sales'!B2:B3", []string{"Costs!A1", "Sales!B2:B3"}},
		{"", "Tax", []string{"Sales!C2"}},
		{"Costs", "Tax", []string{"Costs!B3"}},
		{"", "Costs!tax", []string{"Costs!B3"}},
		{"", "Both", []string{"Sales!A1:A2", "Costs!A5"}},
		{"", "Orders", []string{"Sales!A1:C3"}},
		{"", "orders[name|alias]", []string{"Sales!B2:B3"}},
		{"", "Orders[[#All],[id]:[date]]", []string{"Sales!A1:C3"}},
		{"", "Orders[[#Headers],[#Data],[id]]", []string{"Sales!A1:A3"}},
		{"", "Orders[[#Data],[#Totals],[date]]", []string{"Sales!C2:C3"}},
		{"", "Orders[#Headers]", []string{"Sales!A1:C1"}},
		{"", "Costs!", []string{"Costs!A1:C50"}},
		{"", "Costs", []string{"Costs!A1:C50"}},
		{"", "Sales:Costs!A1", []string{"Sales!A1", "Empty Sheet!", "Costs!A1"}},
		{"", "'Costs:empty sheet'!", []string{"Empty Sheet!", "Costs!A1:C50"}},
		{"", "Costs!1,,Sales!A1", []string{"Costs!A1:C1", "Sales!A1"}},
		{"Sales", "Z100:Z200", []string{"Sales!"}},
	} {
		page, err := Show(t.Context(), budgetBook(), Query{Sheet: c.sheet, Range: c.ranges})
		if err != nil {
			t.Errorf("%q %q: %v", c.sheet, c.ranges, err)
			continue
		}
		var got []string
		for _, s := range page.Shown {
			got = append(got, s.Sheet+"!"+s.Range)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q %q: %s", c.sheet, c.ranges, diff)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		query   Query
		code    fault.Code
		message string
	}{
		{Query{Sheet: "Salse"}, fault.OutOfRange, `did you mean "Sales"? the sheets are "Sales", "Empty Sheet", "Costs"`},
		{Query{Sheet: "4"}, fault.OutOfRange, `no sheet "4"`},
		{Query{Range: "Nowhere!A1"}, fault.OutOfRange, `no sheet "Nowhere"`},
		{Query{Range: "Ordrs"}, fault.OutOfRange, `did you mean "Orders"?`},
		{Query{Range: "Orders[nme|alias]"}, fault.OutOfRange, `did you mean "name|alias"?`},
		{Query{Range: "Loop"}, fault.OutOfRange, "stands for no cells"},
		{Query{Range: "Gone"}, fault.OutOfRange, "stands for no cells"},
		{Query{Range: "Computed"}, fault.OutOfRange, "=OFFSET(Sales!$A$1,1,1)"},
		{Query{Range: " , "}, fault.InvalidArguments, "names no cells"},
		{Query{Range: "Sales:Nowhere!A1"}, fault.OutOfRange, `no sheet "Sales:Nowhere"`},
		{Query{Range: "Sales:Costs!Tax"}, fault.OutOfRange, `range "Tax" is neither`},
		{Query{Range: strings.Repeat("Sales:Costs!,", 1000)}, fault.InvalidArguments, "again and again"},
		{Query{Range: strings.Repeat("A1,", 1025)}, fault.InvalidArguments, "more than"},
		{Query{Sheet: "Costs", Offset: 51}, fault.OutOfRange, "ends with row 50"},
	} {
		_, err := Show(t.Context(), budgetBook(), c.query)
		if !fault.Is(err, c.code) {
			t.Errorf("%+v: %v", c.query, err)
			continue
		}
		f := fault.As(err)
		if all := f.Message.String() + ": " + f.Hint.String(); !strings.Contains(all, c.message) || f.Hint.IsZero() {
			t.Errorf("%+v: %s", c.query, all)
		}
	}
	if _, err := Show(t.Context(), &grid{}, Query{}); !fault.Is(err, fault.BadDocument) {
		t.Errorf("a book without sheets: %v", err)
	}
	broken := budgetBook()
	broken.sheets[2].err = fault.New(fault.BadDocument, fault.T("broken off"))
	page, err := Show(t.Context(), broken, Query{Sheet: "Costs"})
	if !fault.Is(err, fault.BadDocument) || page == nil || !strings.Contains(page.Markdown, "Costs50.2") {
		t.Errorf("what was read before an error: %v, %+v", err, page)
	}
	both := Query{Range: "Costs!49:60,Sales!1:3"}
	page, err = Show(t.Context(), broken, both)
	if !fault.Is(err, fault.BadDocument) || !strings.Contains(page.Markdown, "cannot be read") || !strings.Contains(page.Markdown, "Ann<br>Bob") || page.NextRange != "" {
		t.Errorf("a sheet after a broken one: %v, %+v", err, page)
	}
	both.Limit = 2
	page, err = Show(t.Context(), broken, both)
	if err != nil || page.NextRange != "Costs!50:60,Sales!2:3" {
		t.Errorf("before the broken row: %v, %+v", err, page)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Show(ctx, budgetBook(), Query{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled call: %v", err)
	}
}

// follow reads a book page by page to its end.
func follow(t *testing.T, book Book, q Query) (pages []*Page) {
	t.Helper()
	for {
		page, err := Show(t.Context(), book, q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		pages = append(pages, page)
		if q.MaxBytes > 0 && len(page.Markdown) > q.MaxBytes {
			t.Errorf("%+v: %d bytes", q, len(page.Markdown))
		}
		switch {
		case page.NextOffset > 0 && page.NextRange != "":
			t.Fatal("two ways on")
		case page.NextOffset > q.Offset:
			q.Offset = page.NextOffset
		case page.NextRange != "" && page.NextRange != q.Range:
			q.Sheet, q.Range, q.Offset = "", page.NextRange, 0
		case page.NextOffset > 0 || page.NextRange != "":
			t.Fatalf("%+v goes nowhere: %d %q", q, page.NextOffset, page.NextRange)
		default:
			return pages
		}
		if len(pages) > 20000 {
			t.Fatal("no end")
		}
	}
}

// cellsOf returns the cells with text of all pages, each as often as it was shown.
func cellsOf(pages []*Page) map[string]int {
	cells := map[string]int{}
	for _, p := range pages {
		for line := range strings.Lines(p.Markdown) {
			for cell := range strings.SplitSeq(line, "|") {
				if cell = strings.TrimSpace(cell); strings.Contains(cell, ".") && !strings.ContainsAny(cell, "#*") {
					cells[cell]++
				}
			}
		}
	}
	return cells
}

// TestPaging: the pages of a book together have every cell once, however they are cut.
func TestPaging(t *testing.T) {
	sparse := numbered("Sparse", 300, 4)
	for i := range sparse.rows {
		sparse.rows[i].Number = (i + 1) * (i%7 + 1) * 3
	}
	kept, last := sparse.rows[:0], 0
	for _, r := range sparse.rows {
		if r.Number > last {
			kept, last = append(kept, r), r.Number
		}
	}
	sparse.rows = kept
	for _, c := range []struct {
		name   string
		sheets []gridSheet
		query  Query
	}{
		{"by rows", []gridSheet{numbered("A", 1000, 5)}, Query{Limit: 77}},
		{"by bytes", []gridSheet{numbered("A", 1000, 5)}, Query{MaxBytes: 4000}},
		{"two sheets by rows", []gridSheet{numbered("A", 100, 5), numbered("It's", 300, 2)}, Query{Limit: 50}},
		{"several by bytes", []gridSheet{numbered("A", 5, 5), numbered("B 1", 900, 2), numbered("A1", 400, 3), sparse}, Query{MaxBytes: 3000}},
		{"more sheets than room", []gridSheet{numbered("A", 5, 2), numbered("B", 5, 2), numbered("C", 9, 2), numbered("D", 50, 2)}, Query{MaxBytes: 1100}},
		{"hundreds of sheets", many(600), Query{MaxBytes: 4000}},
		{"a row of hundreds of sheets", many(600), Query{Limit: 70}},
		{"some rows of hundreds of sheets", many(600), Query{Limit: 1200}},
		{"gaps", []gridSheet{sparse}, Query{Limit: 10}},
		{"wide", []gridSheet{numbered("W", 5, 3000)}, Query{MaxBytes: 5000}},
		{"some columns", []gridSheet{numbered("W", 50, 30)}, Query{Range: "C:Z", MaxBytes: 2000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			book := &grid{sheets: c.sheets}
			whole := cellsOf(follow(t, book, Query{Range: c.query.Range}))
			query := c.query
			pages := follow(t, book, query)
			if len(pages) < 2 {
				t.Fatalf("%d pages", len(pages))
			}
			for cell, n := range whole {
				if n != 1 {
					t.Fatalf("%s is shown %d times", cell, n)
				}
			}
			if diff := cmp.Diff(whole, cellsOf(pages)); diff != "" {
				t.Error(diff)
			}
			again, err := Show(t.Context(), book, query)
			if err != nil || again.Markdown != pages[0].Markdown {
				t.Errorf("read again, the first page differs: %v", err)
			}
		})
	}
}

// many makes sheets with a few cells each.
func many(n int) (all []gridSheet) {
	for i := range n {
		all = append(all, numbered(fmt.Sprintf("Sheet %d's", i+1), 3, 2))
	}
	return all
}

// TestOffsetBehindParts: parts before the offset are not named again, upside down.
func TestOffsetBehindParts(t *testing.T) {
	page, err := Show(t.Context(), budgetBook(), Query{Range: "Costs!A1:B30,Costs!A2:B10", Offset: 20, MaxBytes: 512})
	if err != nil || strings.Contains(page.NextRange, "10") {
		t.Errorf("%v: goes on with %q", err, page.NextRange)
	}
}

// TestShares: what a small sheet leaves goes to the large one.
func TestShares(t *testing.T) {
	book := &grid{sheets: []gridSheet{numbered("A", 5, 2), numbered("B", 500, 2)}}
	page, err := Show(t.Context(), book, Query{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	if page.NextRange != "B!96:1048576" {
		t.Errorf("goes on with %q", page.NextRange)
	}
	page, err = Show(t.Context(), book, Query{Range: page.NextRange})
	if err != nil || page.Shown[0] != (Shown{"B", "A96:B500", 500, 2, true}) {
		t.Errorf("%v, %+v", err, page.Shown)
	}
}

// TestFar: two cells at the ends of the grid take a few lines.
func TestFar(t *testing.T) {
	far := gridSheet{Sheet: Sheet{Name: "Far", State: Visible, Kind: Worksheet}, rows: []Row{
		row(1, "first"),
		{Number: MaxRows, Cells: []Cell{{Column: MaxColumns - 1, Content: Text, Text: []byte("last")}}},
	}}
	page, err := Show(t.Context(), &grid{sheets: []gridSheet{far}}, Query{Limit: 2000})
	if err != nil {
		t.Fatal(err)
	}
	want := `## Sheet 1/1 "Far" (A1:XFD1048576)
|   | A | XFD |
|---|---|---|
| 1 | first | |
| 2–1048575 | *(1048574 empty rows)* | |
| 1048576 | | last |
Columns without content here: B–XFC
`
	if diff := cmp.Diff(want, page.Markdown); diff != "" {
		t.Error(diff)
	}
}

func TestCellText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain", "plain"},
		{"  padded\t", "padded"},
		{"a|b", `a\|b`},
		{`a\b\|c\\|d\`, `a\b\\\|c\\\\\|d\`},
		{"a\r\nb\nc\rd", "a<br>b<br>c<br>d"},
		{"nul\x00\x01bell", "nulbell"},
		{"bad \xff byte", "bad \ufffd byte"},
		{"日本語", "日本語"},
		{strings.Repeat("é", 2005), strings.Repeat("é", 2000) + "…(+5 chars)"},
		{strings.Repeat("x", 2000), strings.Repeat("x", 2000)},
	} {
		if got := string(appendCell(nil, []byte(c.in))); got != c.want {
			t.Errorf("%.20q is %.40q, want %.40q", c.in, got, c.want)
		}
	}
}

func TestOutline(t *testing.T) {
	o, err := OutlineOf(t.Context(), budgetBook())
	if err != nil {
		t.Fatal(err)
	}
	want := `1. "Sales" – A1:AA44; tables: Orders A1:C3; 1 image; 1 chart
2. "Empty Sheet" – hidden
3. "Costs" – A1:C50
- Tax = Sales!$C$2
- Costs!Tax = Costs!$B$3
- Both = Sales!$A$1:$A$2,Costs!$A$5
- Loop = Loop
- Gone = #REF!$A$1
- Computed = OFFSET(Sales!$A$1,1,1)
`
	if diff := cmp.Diff(want, o.Lines()); diff != "" {
		t.Error(diff)
	}
	broken := budgetBook()
	broken.sheets[0].lost, broken.sheets[0].survey = errors.New("damaged"), Survey{}
	o, err = OutlineOf(t.Context(), broken)
	if err == nil || o == nil || !strings.HasPrefix(o.Lines(), "1. \"Sales\"\n2. ") || len(o.Sheets) != 3 || len(o.Names) == 0 {
		t.Errorf("a damaged sheet: %v, %+v", err, o)
	}
	large := &grid{}
	for i := range 300 {
		large.sheets = append(large.sheets, numbered("A sheet with a long name "+strconv.Itoa(i), 1, 1))
	}
	o, err = OutlineOf(t.Context(), large)
	if err != nil || o.MoreSheets+len(o.Sheets) != 300 || len(o.Sheets) < 20 || sizeOf(o) > maxOutline {
		t.Errorf("%d sheets, %d more, %d bytes: %v", len(o.Sheets), o.MoreSheets, sizeOf(o), err)
	}
}

// TestBounds: no lists of a hostile file make a page long.
func TestBounds(t *testing.T) {
	s := numbered("A", 100, 3)
	for i := range MaxExtras {
		at := Address{i%100 + 1, 0}
		s.extras.Merged = append(s.extras.Merged, Range{at.Row, 0, at.Row, 1})
		s.extras.Comments = append(s.extras.Comments, Comment{Cell: at, Text: strings.Repeat("long ", 1000)})
		s.extras.Links = append(s.extras.Links, Link{Range: Range{at.Row, 0, at.Row, 0}, Target: strings.Repeat("x", 1<<16)})
		s.extras.Charts = append(s.extras.Charts, Chart{Cell: at, Title: strings.Repeat("t", 5000), Rows: [][]string{{strings.Repeat("c", 5000)}}})
	}
	page, err := Show(t.Context(), &grid{sheets: []gridSheet{s}}, Query{MaxBytes: 16 << 10})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Markdown) > 17<<10 {
		t.Errorf("%d bytes", len(page.Markdown))
	}
}

// TestPictures: a picture in a cell is shown in its place, those at cells below, and none where they are
// not wanted.
func TestPictures(t *testing.T) {
	data := func(s string) func(context.Context) ([]byte, error) {
		return func(context.Context) ([]byte, error) { return []byte(s), nil }
	}
	s := numbered("A", 2, 1)
	s.rows[0].Cells = append(s.rows[0].Cells, Cell{Column: 1, Content: Error, Text: []byte("#VALUE!"),
		Picture: &Picture{Cell: Address{1, 1}, MIME: "image/png", Alt: "in|cell", Data: data("one")}})
	s.extras.Pictures = []Picture{
		{Cell: Address{2, 0}, MIME: "image/png", Data: data("two")},
		{Cell: Address{2, 0}, Alt: "far", Link: "https://example.com/p.png"},
		{Cell: Address{2, 0}, Alt: "lost", Data: func(context.Context) ([]byte, error) { return nil, errors.New("gone") }},
	}
	s.extras.More, s.extras.Unread = 7, true
	book := &grid{sheets: []gridSheet{s}}
	var order []string
	warned := 0
	page, err := Show(t.Context(), book, Query{
		Image: func(i document.Image) string {
			order = append(order, i.Anchor+" "+string(i.Data))
			return string(i.Data)
		},
		Warn: func(fault.Text) { warned++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `## Sheet 1/1 "A" (A1:B2)
|   | A | B |
|---|---|---|
| 1 | A1.0 | ![in\|cell](one) |
| 2 | A2.0 | |
Images: A2 → ![](two), A2 → ![far](https://example.com/p.png), A2 → [image]
7 more merged ranges, notes, links or images are not listed.
Merged ranges, links and notes behind the rows shown were not read.
`
	if diff := cmp.Diff(want, page.Markdown); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"A!B1 one", "A!A2 two"}, order); diff != "" || warned != 1 {
		t.Errorf("%d warnings, %s", warned, diff)
	}
	page, err = Show(t.Context(), book, Query{})
	if err != nil || strings.Contains(page.Markdown, "Images") || !strings.Contains(page.Markdown, "| A1.0 | [image] |") {
		t.Errorf("%v: %s", err, page.Markdown)
	}
}

// TestState: a heading says what is not obvious of a sheet.
func TestState(t *testing.T) {
	hidden := numbered("Old\nones", 1, 1)
	hidden.State = VeryHidden
	chart := gridSheet{Sheet: Sheet{Name: "Chart", State: Visible, Kind: Chartsheet}}
	chart.extras.Charts = []Chart{{Rows: [][]string{{"", "x"}, {"a|b", "1"}}}}
	page, err := Show(t.Context(), &grid{sheets: []gridSheet{hidden, chart}}, Query{})
	if err != nil {
		t.Fatal(err)
	}
	want := `## Sheet 1/2 "Old<br>ones" (very hidden, A1)
|   | A |
|---|---|
| 1 | Old<br>ones1.0 |

## Sheet 2/2 "Chart" (chart sheet)

Chart

| | x |
|---|---|
| a\|b | 1 |
`
	if diff := cmp.Diff(want, page.Markdown); diff != "" {
		t.Error(diff)
	}
}
