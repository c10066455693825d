package sheet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestDisorder: rows and cells that a reader yields in a wrong order or outside of the
// window are not shown.
func TestDisorder(t *testing.T) {
	text := func(column int, s string) Cell { return Cell{Column: column, Content: Text, Text: []byte(s)} }
	s := gridSheet{Sheet: Sheet{Name: "A", State: Visible, Kind: Worksheet}, rows: []Row{
		{Number: 2, Cells: []Cell{text(1, "b2"), text(0, "late"), text(1, "again"), text(MaxColumns, "far")}},
		{Number: 2, Cells: []Cell{text(0, "twice")}},
		{Number: 1, Cells: []Cell{text(0, "before")}},
		{Number: 3, Cells: []Cell{text(0, "a3")}},
	}}
	page, err := Show(t.Context(), &grid{sheets: []gridSheet{s}}, Query{})
	if err != nil {
		t.Fatal(err)
	}
	want := "## Sheet 1/1 \"A\" (A2:B3)\n|   | A | B |\n|---|---|---|\n| 1 | | |\n| 2 | | b2 |\n| 3 | a3 | |\n"
	if diff := cmp.Diff(want, page.Markdown); diff != "" {
		t.Error(diff)
	}
}

// TestHidden: hidden rows are said on the page that shows them.
func TestHidden(t *testing.T) {
	long, short := numbered("Long", 20, 1), numbered("Short", 2, 1)
	for _, n := range []int{2, 3, 4, 18} {
		long.rows[n-1].Hidden = true
	}
	page, err := Show(t.Context(), &grid{sheets: []gridSheet{long, short}}, Query{Limit: 12})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.Markdown, "Hidden: rows 2–4\n") || strings.Contains(page.Markdown, "18") {
		t.Error(page.Markdown)
	}
	if page.NextRange != "Long!11:1048576" {
		t.Errorf("goes on with %q", page.NextRange)
	}
	page, err = Show(t.Context(), &grid{sheets: []gridSheet{long, short}}, Query{Range: page.NextRange})
	if err != nil || !strings.Contains(page.Markdown, "Hidden: row 18\n") {
		t.Errorf("%v: %s", err, page.Markdown)
	}
}

// TestHeadings: the columns of a table whose headings the file does not list are found by
// its first row.
func TestHeadings(t *testing.T) {
	book := budgetBook()
	table := Table{Name: "Bare", Range: Range{1, 0, 3, 2}, Headers: 1, Totals: 1}
	book.names = append(book.names, Name{Name: "Bare", Sheet: 0, Table: &table},
		Name{Name: "Nowhere", Sheet: 9, Table: &Table{Range: Range{1, 0, 1, 0}}})
	for specifier, want := range map[string]string{
		"Bare[date]":                "C2",
		"Bare[#Totals]":             "A3:C3",
		"Bare[[#Totals],[id]]":      "A3",
		"Bare[@id]":                 "A2",
		"Bare[]":                    "A2:C2",
		"Bare[ID]":                  "A2",
		"Bare[[#All],[date]:[id]]":  "A1:C3",
		"Bare[[#This Row], [date]]": "C2",
	} {
		page, err := Show(t.Context(), book, Query{Range: specifier})
		if err != nil || page.Shown[0].Range != want {
			t.Errorf("%s: %v, %+v", specifier, err, page)
		}
	}
	for _, wrong := range []string{"Bare[nothing]", "Nowhere", "Tax[id]", "Other[id]"} {
		if _, err := Show(t.Context(), book, Query{Range: wrong}); !fault.Is(err, fault.OutOfRange) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// TestManyNames: messages stay short where there are many names.
func TestManyNames(t *testing.T) {
	book := &grid{}
	for i := range 300 {
		book.sheets = append(book.sheets, numbered(fmt.Sprintf("%d%s", i, strings.Repeat("é", 200)), 1, 1))
	}
	_, err := Show(t.Context(), book, Query{Sheet: "missing"})
	if f := fault.As(err); len(f.Hint.String()) > 2000 {
		t.Errorf("%d bytes", len(f.Hint.String()))
	}
	o, err := OutlineOf(t.Context(), book)
	if err != nil || !strings.Contains(o.Lines(), "more sheets") {
		t.Errorf("%v: %s", err, o.Lines())
	}
	few := budgetBook()
	for i := range 300 {
		few.names = append(few.names, Name{Name: fmt.Sprintf("Name%d", i), Sheet: -1, Refers: "Sales!$A$1"})
	}
	for range 30 {
		few.sheets[0].survey.Tables = append(few.sheets[0].survey.Tables, Table{Name: "T", Range: Range{1, 0, 2, 2}})
	}
	few.sheets[1].Kind = Chartsheet
	o, err = OutlineOf(t.Context(), few)
	if err != nil || o.MoreNames < 100 || len(o.Sheets[0].Tables) != mostTables+1 || !strings.Contains(o.Lines(), "more names") || !strings.Contains(o.Lines(), "chart sheet") {
		t.Errorf("%v: %s", err, o.Lines())
	}
}

// TestLastRow: a window behind the content, or of no rows, is shown as empty.
func TestLastRow(t *testing.T) {
	book := budgetBook()
	page, err := Show(t.Context(), book, Query{Range: "Costs!A60:B70"})
	if err != nil || !strings.Contains(page.Markdown, "A60:B70 shown)\n*(no cells with content)*") {
		t.Errorf("%v: %+v", err, page)
	}
	if _, err := Show(t.Context(), book, Query{Range: "Costs!A1:B10", Offset: 11}); !fault.Is(err, fault.OutOfRange) {
		t.Errorf("an offset behind the range: %v", err)
	}
	page, err = Show(t.Context(), book, Query{Range: "Costs!A1:B10,Costs!A20:B30", Offset: 25})
	if err != nil || page.Shown[1].Range != "A25:B30" {
		t.Errorf("%v: %+v", err, page)
	}
}
