package change_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xlsx"
	"github.com/helve-dev/helve/pkg/document/xlsx/change"
	"github.com/helve-dev/helve/pkg/fault"
)

// apply changes cells of a workbook, which "Sheet!A1" names.
func apply(t testing.TB, raw []byte, cells map[string]change.Cell) ([]byte, *change.Result, error) {
	t.Helper()
	w, err := change.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, nil, err
	}
	var list []change.Cell
	for ref, c := range cells {
		name, at := sheet.SplitReference(ref)
		if c.Sheet, err = sheet.Find(w, name); err != nil {
			t.Fatal(err)
		}
		var ok bool
		if c.At, ok = sheet.ParseAddress(at); !ok {
			t.Fatal(ref)
		}
		list = append(list, c)
	}
	var out bytes.Buffer
	r, err := w.Apply(context.Background(), change.Request{Cells: list}, &out)
	return out.Bytes(), r, err
}

// cells reads all cells of a workbook, with formulas.
func cells(t testing.TB, raw []byte) map[string]string {
	t.Helper()
	b, err := xlsx.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for i, s := range b.Sheets() {
		err := b.Rows(context.Background(), i, sheet.Window{Range: sheet.All(), Formulas: true}, func(r *sheet.Row) bool {
			for _, c := range r.Cells {
				v := c.Shown(sheet.Auto, b.Date1904())
				if len(c.Formula) > 0 {
					v = "=" + string(c.Formula)
				}
				all[s.Name+"!"+sheet.Address{Row: r.Number, Column: c.Column}.String()] = v
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func entries(t testing.TB, raw []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name] = string(b)
	}
	return all
}

func TestApply(t *testing.T) {
	raw, err := os.ReadFile("../../../../testdata/documents/budget.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	was := cells(t, raw)
	out, r, err := apply(t, raw, map[string]change.Cell{
		"Sales!B2":  {Value: "Anna & <co>"},
		"Sales!C2":  {Value: "2026-05-06"},
		"Sales!D3":  {Value: 101.25},
		"Sales!D5":  {Formula: "SUM(D2:D4)*2"},
		"Sales!F9":  {Value: "=1+1"},
		"Rates!B1":  {Value: 0.2, Format: "0.00%"},
		"Rates!A30": {Value: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	is := cells(t, out)
	want := map[string]string{
		"Sales!B2": "Anna & <co>", "Sales!C2": "2026-05-06", "Sales!D3": "101.25 €", "Sales!D5": "=SUM(D2:D4)*2", "Sales!F9": "=1+1", "Rates!B1": "20.00%", "Rates!A30": "TRUE",
	}
	for k, v := range was {
		if want[k] == "" {
			want[k] = v
		}
	}
	for k, v := range want {
		if is[k] != v {
			t.Errorf("%s is %q, not %q", k, is[k], v)
		}
	}
	if len(is) != len(want) || !r.Recalculate || len(r.Changed) != 7 {
		t.Errorf("%d cells, %+v", len(is), r)
	}
	kept(t, raw, out, "xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml")
}

// kept holds that entries other than those named have the same packed bytes, time and place.
func kept(t testing.TB, before, after []byte, changed ...string) {
	t.Helper()
	a, b := directory(t, before), directory(t, after)
	for i, f := range a {
		g := b[min(i, len(b)-1)]
		if f.Name != g.Name || f.ModifiedDate != g.ModifiedDate || f.ModifiedTime != g.ModifiedTime {
			t.Fatalf("%s is %s", f.Name, g.Name)
		}
		if !slices.Contains(changed, f.Name) && !bytes.Equal(packed(t, f), packed(t, g)) {
			t.Errorf("%s has changed", f.Name)
		}
	}
}

func directory(t testing.TB, raw []byte) []*zip.File {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return z.File
}

func packed(t testing.TB, f *zip.File) []byte {
	t.Helper()
	r, err := f.OpenRaw()
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// pack makes a package of parts.
func pack(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, parts[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	main      = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	rels      = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	relation  = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	worksheet = "xl/worksheets/sheet1.xml"
)

// book makes a workbook with one sheet, of so many elements.
func book(t testing.TB, sheet string, parts map[string]string) []byte {
	t.Helper()
	all := map[string]string{
		"[Content_Types].xml":        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/calcChain.xml" ContentType="x"/></Types>`,
		"_rels/.rels":                rels + `<Relationship Id="r1" Type="` + relation + `officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":            `<workbook ` + main + `><workbookPr/><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets><definedNames><definedName name="N">S!$A$1:$B$2</definedName></definedNames></workbook>`,
		"xl/_rels/workbook.xml.rels": rels + `<Relationship Id="r1" Type="` + relation + `worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="` + relation + `calcChain" Target="calcChain.xml"/></Relationships>`,
		worksheet:                    `<worksheet ` + main + `>` + sheet + `</worksheet>`,
	}
	maps.Copy(all, parts)
	return pack(t, all)
}

func part(t testing.TB, raw []byte, name string) string {
	t.Helper()
	return entries(t, raw)[name]
}

const sharedRows = `<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="shared" ref="B1:B3" si="0">A1*2</f><v>2</v></c></row>` +
	`<row r="2"><c r="A2"><v>2</v></c><c r="B2"><f t="shared" si="0"/><v>4</v></c></row>` +
	`<row r="3"><c r="A3"><v>3</v></c><c r="B3"><f t="shared" si="0"/><v>6</v></c></row></sheetData>`

// A shared formula whose first cell changes passes on to the next one.
func TestSharedFormula(t *testing.T) {
	raw := book(t, sharedRows, map[string]string{"xl/calcChain.xml": `<calcChain ` + main + `><c r="B1" i="1"/><c r="B2"/><c r="B3"/></calcChain>`})
	out, r, err := apply(t, raw, map[string]change.Cell{"S!B1": {Value: 7.0}})
	if err != nil || !r.Recalculate {
		t.Fatal(r, err)
	}
	if got := fmt.Sprint(cells(t, out)); got != "map[S!A1:1 S!A2:2 S!A3:3 S!B1:7 S!B2:=A2*2 S!B3:=A3*2]" {
		t.Error(got)
	}
	if got := part(t, out, "xl/calcChain.xml"); got != `<calcChain `+main+`><c r="B2" i="1"/><c r="B3"/></calcChain>` {
		t.Error(got)
	}
	if got := part(t, out, "xl/workbook.xml"); !strings.Contains(got, `</definedNames><calcPr fullCalcOnLoad="1"/></workbook>`) {
		t.Error(got)
	}
	// With all formulas gone there is no order of calculation, which may not be empty.
	out, r, err = apply(t, raw, map[string]change.Cell{"S!B1": {Value: 7.0}, "S!B2": {Value: 7.0}, "S!B3": {}})
	if err != nil {
		t.Fatal(err)
	}
	all := entries(t, out)
	if all["xl/calcChain.xml"] != "" || strings.Contains(all["xl/_rels/workbook.xml.rels"]+all["[Content_Types].xml"], "calcChain") {
		t.Error(all)
	}
	if got := fmt.Sprint(cells(t, out)); got != "map[S!A1:1 S!A2:2 S!A3:3 S!B1:7 S!B2:7]" {
		t.Error(got, r)
	}
}

// What would need more than one cell's change is refused, and says why.
func TestRefused(t *testing.T) {
	const row = `<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>`
	table := map[string]string{
		"xl/worksheets/_rels/sheet1.xml.rels": rels + `<Relationship Id="r1" Type="` + relation + `table" Target="../tables/table1.xml"/></Relationships>`,
		"xl/tables/table1.xml":                `<table ` + main + ` id="1" name="T" displayName="T" ref="A1:B2"><tableColumns count="2"><tableColumn id="1" name="one"/><tableColumn id="2" name="two"/></tableColumns></table>`,
	}
	signed := map[string]string{"_xmlsignatures/sig1.xml": "<x/>"}
	for _, c := range []struct {
		sheet string
		parts map[string]string
		ref   string
		cell  change.Cell
		why   string
	}{
		{row + `<mergeCells><mergeCell ref="A1:B2"/></mergeCells>`, nil, "S!B2", change.Cell{Value: 1.0}, "merged cells A1:B2"},
		{`<sheetProtection sheet="1"/>` + row, nil, "S!A1", change.Cell{Value: 1.0}, "is protected"},
		{`<sheetData><row r="1"><c r="A1"><f t="array" ref="A1:A2">B1:B2</f><v>1</v></c></row></sheetData>`, nil, "S!A2", change.Cell{Value: 1.0}, "belongs to the formula of A1:A2"},
		{`<sheetData><row r="1"><c r="A1"><f t="array" ref="A1:A2">B1:B2</f><v>1</v></c></row></sheetData>`, nil, "S!A1", change.Cell{}, "belongs to the formula of A1:A2"},
		{row, signed, "S!A1", change.Cell{Value: 1.0}, "signed"},
		{row, table, "S!A1", change.Cell{Value: 1.0}, "heading"},
		{row, table, "S!A1", change.Cell{Value: "TWO"}, "heading"},
		{row, nil, "S!A1", change.Cell{Value: strings.Repeat("x", 40_000)}, "32767"},
		{`<sheetData><row r="2"/><row r="1"/></sheetData>`, nil, "S!A1", change.Cell{Value: 1.0}, "damaged"},
		{`<sheetData><row r="1"><c r="A1"></row></sheetData>`, nil, "S!A1", change.Cell{Value: 1.0}, "damaged"},
	} {
		_, _, err := apply(t, book(t, c.sheet, c.parts), map[string]change.Cell{c.ref: c.cell})
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s %s: %v", c.sheet, c.ref, err)
		}
	}
	out, _, err := apply(t, book(t, row, table), map[string]change.Cell{"S!A1": {Value: "uno"}})
	if err != nil || !strings.Contains(part(t, out, "xl/tables/table1.xml"), `<tableColumn id="1" name="uno"/>`) {
		t.Error(err)
	}
}

// Cells, rows and the end of a sheet that it does not have are put where they belong.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ sheet, want string }{
		{`<sheetData/>`, `<sheetData><row r="2"><c r="B2"><v>5</v></c></row></sheetData>`},
		{`<sheetData></sheetData>`, `<sheetData><row r="2"><c r="B2"><v>5</v></c></row></sheetData>`},
		{`<sheetData><row r="2" spans="1:1" s="1" /></sheetData>`, `<sheetData><row r="2" s="1"><c r="B2"><v>5</v></c></row></sheetData>`},
		{`<sheetData><row r="1"/><row r="2"><c r="A2"/><c r="C2"/></row><row r="3"/></sheetData>`, `<sheetData><row r="1"/><row r="2"><c r="A2"/><c r="B2"><v>5</v></c><c r="C2"/></row><row r="3"/></sheetData>`},
		{`<dimension ref="A3"/><sheetData><row r="3"/></sheetData>`, `<dimension ref="A2:B3"/><sheetData><row r="2"><c r="B2"><v>5</v></c></row><row r="3"/></sheetData>`},
		{`<sheetData><row><c/></row><row><c/><c s="3" t="str" cm="1"><f>A1</f><v>x</v></c></row></sheetData>`, `<sheetData><row><c/></row><row><c/><c s="3"><v>5</v></c></row></sheetData>`},
	} {
		out, _, err := apply(t, book(t, c.sheet, nil), map[string]change.Cell{"S!B2": {Value: 5.0}})
		if got := part(t, out, worksheet); err != nil || got != `<worksheet `+main+`>`+c.want+`</worksheet>` {
			t.Errorf("%s: %s, %v", c.sheet, got, err)
		}
	}
}

func request(t testing.TB, raw []byte, r change.Request) ([]byte, error) {
	t.Helper()
	w, err := change.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	_, err = w.Apply(context.Background(), r, &out)
	return out.Bytes(), err
}

// Rows move only where nothing else would have to.
func TestRows(t *testing.T) {
	const rows = `<sheetData><row r="1"><c r="A1" t="b"><v>1</v></c><c r="B1"><f>A1</f><v>1</v></c></row><row r="4"><c r="A4"><v>4</v></c><c r="B4"><f>A1</f><v>1</v></c></row><row r="5"><c r="A5"><v>5</v></c></row></sheetData>`
	raw := book(t, rows, map[string]string{"xl/calcChain.xml": `<calcChain ` + main + `><c r="B1" i="1"/><c r="B4"/></calcChain>`})
	out, err := request(t, raw, change.Request{Insert: sheet.Span{First: 3, Last: 4}})
	if got := fmt.Sprint(cells(t, out)); err != nil || got != "map[S!A1:TRUE S!A6:4 S!A7:5 S!B1:=A1 S!B6:=A1]" {
		t.Error(got, err)
	}
	if got := part(t, out, "xl/calcChain.xml"); !strings.Contains(got, `<c r="B1" i="1"/><c r="B6"/>`) {
		t.Error(got)
	}
	back, err := request(t, out, change.Request{Delete: sheet.Span{First: 3, Last: 4}})
	if err != nil || part(t, back, worksheet) != part(t, raw, worksheet) {
		t.Error(part(t, back, worksheet), err)
	}
	out, err = request(t, raw, change.Request{Delete: sheet.Span{First: 4, Last: 4}})
	if got := fmt.Sprint(cells(t, out)); err != nil || got != "map[S!A1:TRUE S!A4:5 S!B1:=A1]" {
		t.Error(got, err)
	}
	out, err = request(t, raw, change.Request{Append: [][]any{{1.0, nil, "x"}, {true}}})
	if got := fmt.Sprint(cells(t, out)); err != nil || got != "map[S!A1:TRUE S!A4:4 S!A5:5 S!A6:1 S!A7:TRUE S!B1:=A1 S!B4:=A1 S!C6:x]" {
		t.Error(got, err)
	}
	for what, sheetXML := range map[string]string{
		"formula of S!B1": `<sheetData><row r="1"><c r="B1"><f>SUM(A1:A9)</f></c></row><row r="9"><c r="A9"><v>1</v></c></row></sheetData>`,
		"mergeCell":       rows + `<mergeCells><mergeCell ref="A4:A5"/></mergeCells>`,
		"dataValidation":  rows + `<dataValidations><dataValidation sqref="C1:C9"><formula1>1</formula1></dataValidation></dataValidations>`,
		"rule":            rows + `<conditionalFormatting sqref="C1"><cfRule><formula>$A$9</formula></cfRule></conditionalFormatting>`,
		"page break":      rows + `<rowBreaks><brk id="7"/></rowBreaks>`,
		"share":           sharedRows,
	} {
		if _, err := request(t, book(t, sheetXML, nil), change.Request{Insert: sheet.Span{First: 3, Last: 3}}); err == nil || !strings.Contains(err.Error(), what) && what != "share" {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := request(t, raw, change.Request{Insert: sheet.Span{First: 2, Last: 2}}); err == nil || !strings.Contains(err.Error(), `"N"`) {
		t.Error(err)
	}
}

// A text that is in one cell names it.
func TestFind(t *testing.T) {
	raw, err := os.ReadFile("../../../../testdata/documents/budget.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	w, err := change.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		edit      change.Edit
		want, not string
	}{
		{change.Edit{Old: "Ann", New: "Bea"}, "Sales!B2 Bea", ""},
		{change.Edit{Old: "Söhne", New: "Töchter"}, "Sales!B3 Böhm | Töchter", ""},
		{change.Edit{Old: `Böhm \| Söhne`, New: "x"}, "Sales!B3 x", ""},
		{change.Edit{Old: "99.50 €", New: "100 €"}, "Sales!D3 100 €", ""},
		{change.Edit{Old: "=SUM(D2:D4)", New: "=SUM(D2:D3)"}, "Sales!D5 =SUM(D2:D3)", ""},
		{change.Edit{Old: "D2:D4", New: "D1:D4"}, "Sales!D5 =SUM(D1:D4)", ""},
		{change.Edit{Old: "13,349.50 €", New: "1"}, "", "formula"},
		{change.Edit{Old: "a", New: "b"}, "", "places"},
		{change.Edit{Old: "Totel", New: "b"}, "", "Sales!B5"},
		{change.Edit{Old: "Ann", New: "Ann"}, "", "same"},
		{change.Edit{Old: `| 3 | 2 | Böhm \| Söhne | 2026-03-04 |`, New: "| 3 | 2 | x | 2026-03-05 |"}, "Sales!B3 x Sales!C3 2026-03-05", ""},
		{change.Edit{Old: "| 3 | 2 | nobody |", New: "| 3 | 2 | x |"}, "", "row 3"},
	} {
		found, err := w.Find(context.Background(), -1, []change.Edit{c.edit})
		got := ""
		for _, f := range found {
			v := f.Value
			if f.Formula != "" {
				v = "=" + f.Formula
			}
			got += fmt.Sprintf(" %s %v", w.Ref(f.Sheet, f.At), v)
		}
		if c.want != strings.TrimSpace(got) || (c.not == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.not) {
			t.Errorf("%+v: %s, %v", c.edit, got, err)
		}
	}
}

// Any cells of any workbook change, and nothing else does.
func TestRandomCells(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.xlsx")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 8 * len(files) {
		raw, err := os.ReadFile(files[i%len(files)])
		if err != nil {
			t.Fatal(err)
		}
		random(t, r, files[i%len(files)], raw)
	}
}

// random changes some cells of a workbook at random.
func random(t *testing.T, r *rand.Rand, name string, raw []byte) {
	t.Helper()
	want := cells(t, raw)
	w, err := change.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(name, err)
	}
	asked := map[string]change.Cell{}
	for range 1 + r.IntN(6) {
		ref := w.Ref(r.IntN(len(w.Sheets())), sheet.Address{Row: 1 + r.IntN(40), Column: r.IntN(12)})
		switch r.IntN(5) {
		case 0:
			asked[ref] = change.Cell{}
		case 1:
			asked[ref] = change.Cell{Value: float64(r.IntN(1000)), Format: "0"}
		case 2:
			asked[ref] = change.Cell{Formula: "1+" + strconv.Itoa(r.IntN(9))}
		case 3:
			asked[ref] = change.Cell{Value: r.IntN(2) == 0}
		default:
			asked[ref] = change.Cell{Value: ` <&>"` + strconv.Itoa(r.IntN(9)) + "_x0041_\n", Format: "General"}
		}
	}
	out, done, err := apply(t, raw, asked)
	if fault.Is(err, fault.UnsupportedContent) || fault.Is(err, fault.NoChange) {
		return
	}
	if err != nil {
		t.Fatal(name, err)
	}
	for ref, c := range asked {
		index, at := sheet.SplitReference(ref)
		ref = index + "!" + at
		switch v := c.Value.(type) {
		case nil:
			if delete(want, ref); c.Formula != "" {
				want[ref] = "=" + c.Formula
			}
		case float64:
			want[ref] = strconv.Itoa(int(v))
		case bool:
			want[ref] = strings.ToUpper(strconv.FormatBool(v))
		case string:
			want[ref] = v
		}
	}
	if got := cells(t, out); !maps.Equal(got, want) {
		for k, v := range want {
			if got[k] != v {
				t.Errorf("%s: %s is %q, not %q", name, k, got[k], v)
			}
		}
		t.Fatalf("%s: %d cells, not %d; %v", name, len(got), len(want), done.Changed)
	}
	changed := []string{"xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml", "xl/calcChain.xml"}
	for ref := range asked {
		index, _ := sheet.SplitReference(ref)
		n, err := sheet.Find(w, index)
		if err != nil {
			t.Fatal(err)
		}
		changed = append(changed, w.Part(n))
	}
	kept(t, raw, out, changed...)
}

// FuzzApply changes a cell of a sheet that anything may be in: what is not refused has that
// cell, and no other one has changed.
func FuzzApply(f *testing.F) {
	f.Add(sharedRows, "B1")
	f.Add(`<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c></row><x:row xmlns:x="y"/></sheetData>`, "A1")
	f.Add(`<sheetData><row><c><f t="array" ref="A1:B2">1</f></c></row><!-- </row> --></sheetData>`, "C3")
	f.Fuzz(func(t *testing.T, sheetXML, ref string) {
		at, ok := sheet.ParseAddress(ref)
		if !ok || at.Row > 1000 {
			return
		}
		raw := book(t, sheetXML, nil)
		out, err := request(t, raw, change.Request{Cells: []change.Cell{{At: at, Value: 4711.0}}})
		if err != nil {
			return
		}
		want := cells(t, raw)
		want["S!"+at.String()] = "4711"
		if got := cells(t, out); !maps.Equal(got, want) {
			t.Fatalf("%v\n%v\n%s", got, want, part(t, out, worksheet))
		}
	})
}
