package xlsx

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// large returns a workbook of so many rows of ten cells: numbers, dates, texts of its own
// and texts that many cells share.
func large(t testing.TB, rows int) []byte {
	var part, texts bytes.Buffer
	part.WriteString(`<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`)
	texts.WriteString(`<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`)
	for i := range 100 {
		fmt.Fprintf(&texts, "<si><t>kind %d</t></si>", i)
	}
	for r := 1; r <= rows; r++ {
		fmt.Fprintf(&part, `<row r="%d" spans="1:10">`, r)
		for c := range 8 {
			fmt.Fprintf(&part, `<c r="%c%d" s="%d"><v>%d.%02d</v></c>`, 'A'+c, r, c%2, 40000+r%5000, c)
		}
		fmt.Fprintf(&part, `<c r="I%d" t="s"><v>%d</v></c><c r="J%d" t="s"><v>%d</v></c></row>`, r, r%100, r, 99+r)
		fmt.Fprintf(&texts, "<si><t>customer number %d</t></si>", r)
	}
	part.WriteString("</sheetData></worksheet>")
	texts.WriteString("</sst>")
	return workbook(t, part.Bytes(), texts.Bytes())
}

func BenchmarkWhole(b *testing.B)    { benchmark(b, 0, false) }
func BenchmarkScanner(b *testing.B)  { benchmark(b, 0, true) }
func BenchmarkFirst200(b *testing.B) { benchmark(b, 200, false) }

// benchmark reads so many rows of 20,000; all of them for 0.
func benchmark(b *testing.B, rows int, plain bool) {
	data := large(b, 20_000)
	for b.Loop() {
		book := openBytes(b, data)
		book.plain = plain
		n := 0
		if err := book.Rows(b.Context(), 0, sheet.Window{Range: sheet.All(), Limit: rows}, func(*sheet.Row) bool { n++; return n != rows }); err != nil {
			b.Fatal(err)
		}
	}
}

// A windowed read ends the streams of the sheet and of its texts.
func TestWindowCostsWhatItShows(t *testing.T) {
	data := large(t, 20_000)
	book := openBytes(t, data)
	n := 0
	w := sheet.Window{Range: sheet.All(), Limit: 200}
	if err := book.Rows(t.Context(), 0, w, func(r *sheet.Row) bool {
		if n++; len(r.Cells) != 10 || string(r.Cells[9].Text) != fmt.Sprintf("customer number %d", r.Number) {
			t.Errorf("row %d: %+v", r.Number, r.Cells)
		}
		return n < 200
	}); err != nil {
		t.Fatal(err)
	}
	if got := book.strings.count; got > 1000 {
		t.Errorf("%d texts were read for 200 rows", got)
	}
	x, err := book.Extras(t.Context(), 0, sheet.Window{Range: sheet.Range{Top: 1, Bottom: 200, Right: 9}})
	if err != nil || !x.Unread {
		t.Errorf("%+v, %v", x, err)
	}
	last := sheet.Window{Range: sheet.Range{Top: 19_999, Bottom: 20_000, Right: 9}}
	if got := cells(t, book, 0, last); len(got) != 20 || got["J20000"] != "customer number 20000" {
		t.Errorf("%q", got)
	}
}
