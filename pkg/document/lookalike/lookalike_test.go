package lookalike

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func open(t testing.TB, data string) *Book {
	t.Helper()
	b, err := Open(t.Context(), strings.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// cells returns every cell of a sheet by its address, shown by a function.
func cells(t testing.TB, b *Book, index int, show func(sheet.Cell) string) map[string]string {
	t.Helper()
	all := map[string]string{}
	last := 0
	err := b.Rows(t.Context(), index, sheet.Window{Range: sheet.All(), Formulas: true}, func(r *sheet.Row) bool {
		if r.Number <= last {
			t.Errorf("row %d comes after row %d", r.Number, last)
		}
		last = r.Number
		for i, c := range r.Cells {
			if i > 0 && c.Column <= r.Cells[i-1].Column {
				t.Errorf("column %d comes after column %d", c.Column, r.Cells[i-1].Column)
			}
			all[sheet.Address{Row: r.Number, Column: c.Column}.String()] = show(c)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func valueOf(c sheet.Cell) string {
	switch c.Content {
	case sheet.Number:
		if len(c.Display) > 0 {
			return string(c.Display)
		}
		return string(numfmt.AppendExact(nil, c.Number))
	case sheet.Boolean:
		return fmt.Sprint(c.Number != 0)
	}
	return string(c.Text)
}

// judged returns what another program reads in a sheet, by address.
func judged(t testing.TB, name, sheetName string) map[string]any {
	t.Helper()
	all := map[string]any{}
	for line := range strings.Lines(string(fixture(t, "../../xls/testdata/"+name))) {
		part := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 4)
		var at sheet.Address
		var value any
		_, err := fmt.Sscan(part[1]+" "+part[2], &at.Row, &at.Column)
		if err == nil {
			err = json.Unmarshal([]byte(part[3]), &value)
		}
		if err != nil {
			t.Fatal(err)
		}
		if part[0] == sheetName {
			all[at.String()] = value
		}
	}
	return all
}

// TestAgainstXlrd compares values with those of the workbook that a file was made of.
func TestAgainstXlrd(t *testing.T) {
	for _, c := range []struct {
		name, read, sheet string
		index             int
	}{
		{"sheetjs-2003.xls", "formats.read", "Formats", 0},
		{"gnumeric-sylk.xls", "formats.read", "Formats", 0},
		{"sheetjs-2003-book.xls", "libreoffice.read", "Two words", 1},
		{"sheetjs-2003-book.xls", "libreoffice.read", "Third", 2},
	} {
		b := open(t, string(fixture(t, c.name)))
		got := map[string]any{}
		for i := range cells(t, b, c.index, valueOf) {
			got[i] = nil
		}
		err := b.Rows(t.Context(), c.index, sheet.Window{}, func(r *sheet.Row) bool {
			for _, cell := range r.Cells {
				at := sheet.Address{Row: r.Number, Column: cell.Column}.String()
				if got[at] = string(cell.Text); cell.Content == sheet.Number {
					got[at] = cell.Number
				}
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		want := judged(t, c.read, c.sheet)
		near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(a)) })
		if diff := cmp.Diff(want, got, near); diff != "" || len(want) == 0 {
			t.Errorf("%s, sheet %s: xlrd -, this package +\n%.1500s", c.name, c.sheet, diff)
		}
	}
}

// TestFormats compares what cells display with what LibreOffice displays of the
// workbook.
func TestFormats(t *testing.T) {
	b := open(t, string(fixture(t, "sheetjs-2003.xls")))
	got := cells(t, b, 0, func(c sheet.Cell) string {
		if c.Content == sheet.Number && c.Format != nil {
			return c.Format.Text(c.Number, numfmt.Options{})
		}
		return valueOf(c)
	})
	same, want := 0, judged(t, "formats.shown", "Formats")
	for at, value := range want {
		if strings.TrimSpace(got[at]) == strings.TrimSpace(fmt.Sprint(value)) {
			same++
		}
	}
	if same*100 < len(want)*97 {
		t.Errorf("%d of %d cells are displayed as LibreOffice does", same, len(want))
	}
}

// TestPages reads HTML of two programs: the words are those of the workbook.
func TestPages(t *testing.T) {
	for _, name := range []string{"gnumeric-html.xls", "libreoffice-html.xls"} {
		b := open(t, string(fixture(t, name)))
		var all []string
		for i := range b.Sheets() {
			for _, v := range cells(t, b, i, valueOf) {
				all = append(all, v)
			}
		}
		joined := strings.Join(all, "\n")
		for at, value := range judged(t, "excel2011.shown", "list-column") {
			isDate := name == "gnumeric-html.xls" && value == "1/1/2007" // gnumeric shows it otherwise
			if !isDate && !strings.Contains(joined, fmt.Sprint(value)) {
				t.Errorf("%s: %q of %s is missing", name, value, at)
			}
		}
	}
}

func TestHTML(t *testing.T) {
	b := open(t, `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><title>Sales  of March</title><meta charset="utf-8">
<!--[if gte mso 9]><xml><x:ExcelWorkbook><x:ExcelWorksheet><x:Name>Q1 &amp; Q2</x:Name></x:ExcelWorksheet></x:ExcelWorkbook></xml><![endif]-->
<style>td { color: red }</style></head><body><p>Report</p>
<table><tr><th colspan=2>Who<th rowspan=2>Sum</tr><tr><td>Ann<td>Lee</tr>
<tr style="display: none"><td>hid<td></td><td x:num="1234.5" x:fmla="=SUM(C1:C2)">1,234.50</td></tr>
<tr><td>two<br>lines</td><td><a href="https://example.com/">a  link</a><td><table><tr><td>in<td>ner</table></tr></table>after</body></html>`)
	want := map[string]string{
		"A1": "Report", "A2": "Who", "C2": "Sum", "A3": "Ann", "B3": "Lee", "A4": "hid", "C4": "1,234.50",
		"A5": "two\nlines", "B5": "a link", "C5": "in ner", "A6": "after",
	}
	if diff := cmp.Diff(want, cells(t, b, 0, valueOf)); diff != "" {
		t.Error(diff)
	}
	x, err := b.Extras(t.Context(), 0, sheet.Window{})
	if err != nil {
		t.Fatal(err)
	}
	wantExtras := &sheet.Extras{
		Merged:     []sheet.Range{{Top: 2, Left: 0, Bottom: 2, Right: 1}, {Top: 2, Left: 2, Bottom: 3, Right: 2}},
		HiddenRows: []sheet.Span{{First: 4, Last: 4}},
		Links:      []sheet.Link{{Range: sheet.Range{Top: 5, Left: 1, Bottom: 5, Right: 1}, Target: "https://example.com/"}},
	}
	if diff := cmp.Diff(wantExtras, x); diff != "" {
		t.Error(diff)
	}
	if b.Sheets()[0].Name != "Q1 & Q2" || b.Info().Title != "Sales of March" {
		t.Errorf("sheet %q, title %q", b.Sheets()[0].Name, b.Info().Title)
	}
	if s, err := b.Survey(t.Context(), 0); err != nil || s.Used.String() != "A1:C6" {
		t.Errorf("used %s, %v", s.Used, err)
	}
	if w := b.Warnings(); len(w) != 1 || !strings.Contains(w[0].String(), "HTML") {
		t.Errorf("warnings %v", w)
	}
}

func TestMHTML(t *testing.T) {
	b := open(t, strings.ReplaceAll(`MIME-Version: 1.0
Content-Type: multipart/related; boundary="b=1"

--b=1
Content-Location: file:///C:/x/Book1.htm
Content-Transfer-Encoding: quoted-printable
Content-Type: text/html; charset="us-ascii"

<html xmlns:x=3D"urn:schemas-microsoft-com:office:excel"><!--<x:Name>First</x:Name><x:Name>Se=
cond</x:Name>--><frameset></frameset></html>

--b=1
Content-Location: file:///C:/x/sheet001.htm
Content-Transfer-Encoding: base64
Content-Type: text/html; charset="utf-8"

PHRhYmxlPjx0cj48dGQ+w6Q8dGQ+MTI8L3RhYmxlPg==

--b=1
Content-Location: file:///C:/x/sheet002.htm
Content-Transfer-Encoding: 8bit
Content-Type: text/html

<table><tr><td>b</td></tr></table>
--b=1--
`, "\n", "\r\n"))
	if diff := cmp.Diff([]sheet.Sheet{{Name: "First", State: sheet.Visible, Kind: sheet.Worksheet}, {Name: "Second", State: sheet.Visible, Kind: sheet.Worksheet}}, b.Sheets()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"A1": "ä", "B1": "12"}, cells(t, b, 0, valueOf)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"A1": "b"}, cells(t, b, 1, valueOf)); diff != "" {
		t.Error(diff)
	}
}

func TestXML(t *testing.T) {
	b := open(t, `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet" xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns:o="urn:schemas-microsoft-com:office:office">
<o:DocumentProperties><o:Title>Budget</o:Title><o:Author>Ann</o:Author></o:DocumentProperties>
<Styles><Style ss:ID="d"><NumberFormat ss:Format="Short Date"/></Style><Style ss:ID="p"><NumberFormat ss:Format="0.0%"/></Style></Styles>
<Names><NamedRange ss:Name="All" ss:RefersTo="=Plan!R1C1:R3C2"/></Names>
<Worksheet ss:Name="Plan"><Table><Column ss:Hidden="1" ss:Index="3" ss:Span="1"/>
<Row><Cell ss:MergeAcross="1"><Data ss:Type="String">Title &amp; more</Data></Cell><Cell><Data ss:Type="Boolean">1</Data><Comment ss:Author="Bo"><ss:Data>why?</ss:Data></Comment></Cell></Row>
<Row ss:Index="3" ss:Hidden="1"><Cell ss:Index="2" ss:StyleID="p" ss:Formula="=R[-2]C*R1C1+SUM(R1C:R2C)"><Data ss:Type="Number">0.125</Data></Cell><Cell ss:StyleID="d" ss:HRef="https://example.com"><Data ss:Type="DateTime">2024-03-01T12:00:00.000</Data></Cell><Cell><Data ss:Type="Error">#N/A</Data></Cell></Row>
</Table></Worksheet>
<Worksheet ss:Name="Old"><Table><Row><Cell><Data ss:Type="Number">1</Data></Cell></Row></Table><x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions></Worksheet></Workbook>`)
	got := cells(t, b, 0, func(c sheet.Cell) string {
		if c.Format != nil {
			return c.Format.Text(c.Number, numfmt.Options{}) + " =" + string(c.Formula)
		}
		return valueOf(c)
	})
	want := map[string]string{"A1": "Title & more", "C1": "true", "B3": "12.5% =B1*$A$1+SUM(B$1:B$2)", "C3": "3/1/2024 =", "D3": "#N/A"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	x, err := b.Extras(t.Context(), 0, sheet.Window{})
	if err != nil {
		t.Fatal(err)
	}
	wantExtras := &sheet.Extras{
		Merged: []sheet.Range{{Top: 1, Left: 0, Bottom: 1, Right: 1}}, HiddenRows: []sheet.Span{{First: 3, Last: 3}}, HiddenColumns: []sheet.Span{{First: 2, Last: 3}},
		Links:    []sheet.Link{{Range: sheet.Range{Top: 3, Left: 2, Bottom: 3, Right: 2}, Target: "https://example.com"}},
		Comments: []sheet.Comment{{Cell: sheet.Address{Row: 1, Column: 2}, Author: "Bo", Text: "why?"}},
	}
	if diff := cmp.Diff(wantExtras, x); diff != "" {
		t.Error(diff)
	}
	names, err := b.Names(t.Context())
	if diff := cmp.Diff([]sheet.Name{{Name: "All", Sheet: -1, Refers: "Plan!$A$1:$B$3"}}, names); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if s := b.Sheets(); len(s) != 2 || s[1].State != sheet.Hidden || b.Info().Title != "Budget" || b.Info().Author != "Ann" {
		t.Errorf("%v, %v", s, b.Info())
	}
}

func TestSYLK(t *testing.T) {
	b := open(t, "ID;PWXL;N;E\r\nP;PGeneral\r\nP;P0.00%\r\nC;Y2;X1;K\"a;;b\"\r\nF;P1;X2\r\nC;K0.5;ER[-1]C1*2\r\nC;X3;KTRUE\r\nC;Y1;X1;K#N/A\r\nE\r\nC;Y9;X9;K1\r\n")
	got := cells(t, b, 0, func(c sheet.Cell) string {
		if c.Format != nil {
			return c.Format.Text(c.Number, numfmt.Options{}) + " =" + string(c.Formula)
		}
		return valueOf(c)
	})
	if diff := cmp.Diff(map[string]string{"A1": "#N/A", "A2": "a;b", "B2": "50.00% =$A1*2", "C2": "true"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestKindOf(t *testing.T) {
	for head, want := range map[string]Kind{
		"ID;PWXL": SYLK, "\xEF\xBB\xBF\n<table><tr>": HTML, "<!DOCTYPE html><body>": HTML, "\xFF\xFE<\x00t\x00a\x00b\x00l\x00e\x00>\x00": HTML,
		"MIME-Version: 1.0\nX: y": MHTML, `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>`: XML2003,
		`<html xmlns="urn:schemas-microsoft-com:office:spreadsheet"><table>`: HTML, "a,b\n1,2": None, "": None, "\xD0\xCF\x11\xE0": None,
	} {
		if got := kindOf([]byte(head)); got != want {
			t.Errorf("%q is %d, want %d", head, got, want)
		}
	}
}

func TestNoTable(t *testing.T) {
	for _, data := range []string{"<html><body>Please log in</body></html>", "a,b", "", "MIME-Version: 1.0\n\n", "<?xml version='1.0'?><Workbook xmlns='urn:schemas-microsoft-com:office:spreadsheet'/>"} {
		if _, err := Open(t.Context(), strings.NewReader(data), int64(len(data))); !fault.Is(err, fault.BadDocument) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func TestReferences(t *testing.T) {
	for from, want := range map[string]string{
		"RC": "B3", "R[1]C[-1]": "A4", "R5C6": "$F$5", "SUM(R1C1:R[-1]C)": "SUM($A$1:B2)", "C": "B:B", "R2": "$2:$2", `"RC"&RC`: `"RC"&B3`,
		"ROUND(RC,2)": "ROUND(B3,2)", "'R1C1'!R1C1": "'R1C1'!$A$1", "Rate*C2": "Rate*$B:$B", "RC(": "RC(", "R[": "R[",
	} {
		if got := toA1(from, 2, 1); got != want {
			t.Errorf("%s is %s, want %s", from, got, want)
		}
	}
}

// TestHostile reads what claims more than it holds.
func TestHostile(t *testing.T) {
	for name, data := range map[string]string{
		"spans":     "<table>" + strings.Repeat("<tr>"+strings.Repeat("<td colspan=1000000 rowspan=1000000>x", 20), 200),
		"XML spans": `<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet><Table><Column ss:Span="2000000000"/><Row ss:Index="2000000000" ss:Span="2000000000"><Cell ss:Index="-5" ss:MergeAcross="2000000000"><Data ss:Type="Number">1e999</Data></Cell></Row></Table></Worksheet></Workbook>`,
		"far cells": "ID;P\nC;Y1000000;X16000;K1\nC;Y99999999999;X3;K1\nC;Y2000000;X20000;K1\nC;Y0;X0;K5\nC;X-1;K1",
		"tables":    strings.Repeat("<table><tr><td>", 5000),
	} {
		b := open(t, data)
		total := 0
		for i := range b.Sheets() {
			total += len(cells(t, b, i, valueOf))
		}
		if total > 5000 {
			t.Errorf("%s: %d cells", name, total)
		}
	}
}

func FuzzLookalike(f *testing.F) {
	for _, name := range []string{"gnumeric-sylk.xls", "gnumeric-html.xls", "sheetjs-2003-book.xls"} {
		data := fixture(f, name)
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Add([]byte("MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<td>x\n--b--"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Open(t.Context(), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			if fault.As(err).Code == fault.Internal {
				t.Fatal(err)
			}
			return
		}
		for i := range b.Sheets()[:min(len(b.Sheets()), 20)] {
			for at, v := range cells(t, b, i, valueOf) {
				if len(v) > sheet.MaxText {
					t.Fatalf("%s has %d bytes", at, len(v))
				}
			}
		}
	})
}
