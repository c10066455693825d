package odf

import (
	"bytes"
	"context"
	"encoding/csv"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

func openBook(t testing.TB, data []byte) *Book {
	t.Helper()
	b, err := OpenBook(bytes.NewReader(data), int64(len(data)), "")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func show(t testing.TB, b *Book, q sheet.Query) string {
	t.Helper()
	p, err := sheet.Show(context.Background(), b, q)
	if err != nil {
		t.Fatal(err)
	}
	return p.Markdown
}

func TestShow(t *testing.T) {
	for _, name := range []string{"sales.ods", "sales-gnumeric.ods"} {
		var image []byte
		got := show(t, openBook(t, load(t, name)), sheet.Query{Image: func(i document.Image) string {
			image = i.Data
			return "image.png"
		}})
		golden(t, "testdata/"+name+".md", got)
		if name == "sales.ods" && !bytes.Equal(image, part(t, name, ".png")) {
			t.Errorf("%s: the image has %d bytes that are not the file's", name, len(image))
		}
	}
}

// Cells show what LibreOffice exports. It does so from the values: of what Gnumeric wrote to
// be displayed, a minus sign, a large number and a line break are others.
func TestCells(t *testing.T) {
	for name, differ := range map[string]int{"sales.ods": 0, "sales-gnumeric.ods": 3} {
		want, err := csv.NewReader(bytes.NewReader(load(t, name+".csv"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		cells, same := 0, 0
		for _, row := range want {
			for _, text := range row {
				if text != "" {
					cells++
				}
			}
		}
		b := openBook(t, load(t, name))
		err = b.Rows(context.Background(), 0, sheet.Window{Range: sheet.All()}, func(r *sheet.Row) bool {
			for _, c := range r.Cells {
				got := string(c.Display)
				if c.Content == sheet.Number && c.Format != nil {
					// The format, too, gives what the file says.
					if shown := c.Format.Text(c.Number, numfmt.Options{}); shown != strings.ReplaceAll(got, "−", "-") {
						t.Errorf("%s row %d column %d: the format shows %q, the file %q", name, r.Number, c.Column, shown, got)
					}
				}
				if r.Number <= len(want) && c.Column < len(want[r.Number-1]) && want[r.Number-1][c.Column] == got {
					same++
				} else {
					t.Logf("%s row %d column %d: %q", name, r.Number, c.Column, got)
				}
			}
			return true
		})
		if err != nil || same != cells-differ || cells < 30 {
			t.Errorf("%s: %d of %d cells, %v", name, same, cells, err)
		}
	}
}

func TestFormulas(t *testing.T) {
	for formula, want := range map[string]string{
		"of:=SUM([.A1:.A3];2)":                          "SUM(A1:A3,2)",
		"of:=['My sheet'.$B$2]&\"a;[.b]\"":              "'My sheet'!$B$2&\"a;[.b]\"",
		"of:=[$Sales.A1:.B2]*{1;2|3;4}":                 "Sales!A1:B2*{1,2;3,4}",
		"oooc:=[.A1]":                                   "A1",
		"of:=IF([.A1]=\"x=y\";TRUE();[.#REF!])":         "IF(A1=\"x=y\",TRUE(),#REF!)",
		"of:==1+1":                                      "1+1",
		"of:=['it''s; a sheet'.A1:'it''s; a sheet'.B2]": "'it''s; a sheet'!A1:B2",
	} {
		if got := readable([]byte(formula)); got != want {
			t.Errorf("%s: got %s", formula, got)
		}
	}
}

// flatBook returns a flat spreadsheet with a body.
func flatBook(body string) []byte {
	return bytes.ReplaceAll(flat("<office:body><office:spreadsheet>"+body+"</office:spreadsheet></office:body>"), []byte("document.text"), []byte("document.spreadsheet"))
}

func TestRows(t *testing.T) {
	b := openBook(t, flatBook(`<table:table table:name="A&amp;B"><table:table-column table:number-columns-repeated="3"/>
<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
<table:table-row><table:table-cell office:value-type="date" office:date-value="1899-12-31"/><table:table-cell office:value-type="time" office:time-value="PT25H00M01S"/>
<table:table-cell office:value-type="boolean" office:boolean-value="true"/><table:table-cell table:formula="of:=[.A1]"/></table:table-row>
<table:named-expressions><table:named-range table:name="Local" table:cell-range-address="$'A&amp;B'.$A$1"/></table:named-expressions></table:table>
<table:table table:name="C"/><table:database-ranges><table:database-range table:name="DB" table:target-range-address="'A&amp;B'.A1:'A&amp;B'.B3"/></table:database-ranges>`))
	names, err := b.Names(context.Background())
	if err != nil || len(b.Sheets()) != 2 || len(names) != 2 || names[0].Sheet != 0 || names[0].Refers != "'A&B'!$A$1" || names[1].Table == nil {
		t.Errorf("sheets %+v, names %+v, %v", b.Sheets(), names, err)
	}
	want := `## Sheet 1/2 "A&B" (A1:D1000004)
|   | A | B | C | D |
|---|---|---|---|---|
| 1 | x | x | | |
| 2 | x | x | | |
| 3 | x | x | | |
| 4–1000003 | *(1000000 empty rows)* | | | |
| 1000004 | 1899-12-31 | 25:00:01 | TRUE | =A1 |
`
	if got := show(t, b, sheet.Query{Sheet: "1"}); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s", got)
	}
}

// Claims of a million rows and columns cost what is shown of them.
func TestHostileBook(t *testing.T) {
	all := `<table:table-cell office:value-type="string" table:number-columns-repeated="2000000000" table:number-columns-spanned="2000000000" table:number-rows-spanned="2000000000"><text:p>x</text:p></table:table-cell>`
	for name, body := range map[string]string{
		"full":          `<table:table><table:table-row table:number-rows-repeated="2000000000">` + all + `</table:table-row></table:table>`,
		"many merged":   `<table:table><table:table-row>` + strings.Repeat(`<table:table-cell table:number-columns-spanned="3"/>`, 5000) + `</table:table-row></table:table>`,
		"cut off":       `<table:table><table:table-row>` + all,
		"groups":        `<table:table>` + strings.Repeat("<table:table-row-group>", 240) + `<table:table-row>` + all,
		"negative":      `<table:table><table:table-row table:number-rows-repeated="-5"><table:table-cell table:number-columns-repeated="-1"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`,
		"sheet in cell": strings.Repeat(`<table:table><table:table-row><table:table-cell>`, 60),
	} {
		t.Run(name, func(t *testing.T) {
			checkBook(t, flatBook(body))
		})
	}
}

// checkBook reads a spreadsheet whose bytes may be anything.
func checkBook(t *testing.T, data []byte) {
	b, err := OpenBook(bytes.NewReader(data), int64(len(data)), "")
	if err == nil {
		var p *sheet.Page
		p, err = sheet.Show(context.Background(), b, sheet.Query{MaxBytes: 10_000, Limit: 50})
		if p != nil && len(p.Markdown) > 1<<20 {
			t.Errorf("%d bytes", len(p.Markdown))
		}
	}
	if err != nil && fault.Is(err, fault.Internal) {
		t.Error(err)
	}
}

func TestMutatedBook(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	packed := load(t, "sales-gnumeric.ods")
	content := bytes.TrimSpace(part(t, "sales.ods", "content.xml"))
	for range 150 {
		checkBook(t, mutated(r, packed))
		checkBook(t, mutated(r, content))
	}
}

func FuzzODS(f *testing.F) {
	f.Add(load(f, "sales-gnumeric.ods"))
	f.Add(load(f, "sales-gnumeric.ods")[:5000])
	f.Add(flatBook(`<table:table table:name="A"><table:table-row><table:table-cell office:value-type="float" office:value="1"/></table:table-row></table:table>`))
	f.Fuzz(checkBook)
}
