package xls

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
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

func open(t testing.TB, data []byte, password string) *Book {
	t.Helper()
	b, err := Open(t.Context(), bytes.NewReader(data), int64(len(data)), password)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// cells returns every cell of a workbook by "sheet\trow\tcolumn", shown by a function.
func cells(t testing.TB, b *Book, w sheet.Window, show func(sheet.Cell) string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for i, s := range b.Sheets() {
		last := 0
		err := b.Rows(t.Context(), i, w, func(r *sheet.Row) bool {
			if r.Number <= last {
				t.Errorf("%s: row %d comes after row %d", s.Name, r.Number, last)
			}
			last = r.Number
			column := -1
			for _, c := range r.Cells {
				if c.Column <= column {
					t.Errorf("%s: column %d comes after column %d in row %d", s.Name, c.Column, column, r.Number)
				}
				column = c.Column
				if text := show(c); text != "" {
					all[fmt.Sprintf("%s\t%d\t%d", s.Name, r.Number, c.Column)] = text
				}
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// judged returns what another program reads in a workbook, by "sheet\trow\tcolumn".
func judged(t testing.TB, name string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for line := range strings.Lines(string(fixture(t, name))) {
		line = strings.TrimSuffix(line, "\n")
		at := strings.LastIndexByte(line, '\t')
		all[line[:at]] = line[at+1:]
	}
	return all
}

func displayed(b *Book) func(sheet.Cell) string {
	return func(c sheet.Cell) string {
		switch c.Content {
		case sheet.Number:
			if c.Format == nil {
				return string(numfmt.AppendGeneral(nil, c.Number))
			}
			return c.Format.Text(c.Number, numfmt.Options{Date1904: b.Date1904()})
		case sheet.Text:
			if c.Format != nil {
				return c.Format.TextOf(string(c.Text))
			}
		case sheet.Boolean:
			return strings.ToUpper(strconv.FormatBool(c.Number != 0))
		}
		return string(c.Text)
	}
}

// TestAgainstLibreOffice compares what cells display.
func TestAgainstLibreOffice(t *testing.T) {
	same, total := 0, 0
	for _, name := range []string{"excel2011", "formats", "formats1904", "gnumeric-biff7", "gnumeric-biff8", "libreoffice", "strings"} {
		b := open(t, fixture(t, name+".xls"), "")
		got := cells(t, b, sheet.Window{Range: sheet.All()}, displayed(b))
		for at, quoted := range judged(t, name+".shown") {
			var want string
			if err := json.Unmarshal([]byte(quoted), &want); err != nil {
				t.Fatal(err)
			}
			total++
			g := got[at]
			isTruth := g == "TRUE" && want == "1" || g == "FALSE" && want == "0" // LibreOffice reads truth values as numbers
			if isTruth || strings.TrimSpace(g) == strings.TrimSpace(want) || generalOf(g, want) {
				same++
			} else {
				t.Logf("%s: %s: got %.40q, want %.40q", name, at, g, want)
			}
		}
	}
	if total < 1000 || same*100 < total*99 {
		t.Errorf("%d of %d cells are displayed as LibreOffice does", same, total)
	}
}

// generalOf reports whether a number in the format General differs in digits only: it
// has those that fit eleven characters, while LibreOffice writes all of them to CSV.
func generalOf(got, want string) bool {
	g, err1 := strconv.ParseFloat(got, 64)
	w, err2 := strconv.ParseFloat(want, 64)
	return err1 == nil && err2 == nil && len(got) >= 10 && math.Abs(g-w) <= math.Abs(w)*1e-6
}

// TestAgainstXlrd compares the values themselves.
func TestAgainstXlrd(t *testing.T) {
	for _, name := range []string{"excel2011", "formats", "formats1904", "formulas", "gnumeric-biff7", "gnumeric-biff8", "libreoffice", "strings"} {
		b := open(t, fixture(t, name+".xls"), "")
		got := cells(t, b, sheet.Window{Range: sheet.All()}, func(c sheet.Cell) string {
			var value any = string(c.Text)
			switch c.Content {
			case sheet.Empty:
				return ""
			case sheet.Number:
				value = c.Number
			case sheet.Boolean:
				value = c.Number != 0
			}
			return marshal(t, value)
		})
		want := judged(t, name+".read")
		for at, quoted := range want {
			var value any
			if err := json.Unmarshal([]byte(quoted), &value); err != nil {
				t.Fatal(err)
			}
			want[at] = marshal(t, value)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: xlrd -, this package +\n%.2000s", name, diff)
		}
	}
}

func marshal(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFormulas compares formulas with the text that was written as one, in the column
// beside them.
func TestFormulas(t *testing.T) {
	for _, name := range []string{"formulas", "gnumeric-biff7", "gnumeric-biff8", "libreoffice"} {
		b := open(t, fixture(t, name+".xls"), "")
		var written string
		count := 0
		formula := map[int]string{}
		err := b.Rows(t.Context(), 0, sheet.Window{Range: sheet.All(), Formulas: true}, func(r *sheet.Row) bool {
			clear(formula)
			for _, c := range r.Cells {
				if c.Column == 1 {
					written = string(c.Text)
				}
				formula[c.Column] = string(c.Formula)
			}
			if r.Number == 1 {
				return true
			}
			if formula[0] != written && formula[0] != "" {
				t.Errorf("%s row %d: %s, written as %s", name, r.Number, formula[0], written)
			}
			if formula[0] != "" {
				count++
			}
			if want := fmt.Sprintf("A$1*B%d", r.Number-1); formula[3] != "" && formula[3] != want {
				t.Errorf("%s row %d: shared formula %s, want %s", name, r.Number, formula[3], want)
			}
			if formula[5] != "" && formula[5] != "A1:A3*2" {
				t.Errorf("%s row %d: array formula %s", name, r.Number, formula[5])
			}
			return true
		})
		if err != nil || count < 20 {
			t.Errorf("%s: %d formulas, %v", name, count, err)
		}
	}
}

// TestNoValues reads formulas that were never calculated.
func TestNoValues(t *testing.T) {
	b := open(t, fixture(t, "formulas.xls"), "")
	got := cells(t, b, sheet.Window{Range: sheet.Range{Top: 2, Left: 0, Bottom: 4, Right: 0}}, func(c sheet.Cell) string {
		return fmt.Sprint(c.Content, " ", string(c.Formula))
	})
	want := map[string]string{"Formulas\t2\t0": "0 A1+B1", "Formulas\t3\t0": "0 A1-B1*2", "Formulas\t4\t0": "0 (A1+B1)*2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestOldVersions reads BIFF2 to BIFF4, which have no container; their writer keeps no
// formats.
func TestOldVersions(t *testing.T) {
	want := judged(t, "formats.read")
	for version := 2; version <= 4; version++ {
		data := fixture(t, fmt.Sprintf("sheetjs-biff%d.xls", version))
		b := open(t, data, "")
		if !Is(data) || b.version != version {
			t.Errorf("BIFF%d is taken for BIFF%d", version, b.version)
		}
		got := cells(t, b, sheet.Window{Range: sheet.All()}, func(c sheet.Cell) string {
			if c.Content == sheet.Number {
				return marshal(t, c.Number)
			}
			return marshal(t, string(c.Text))
		})
		if len(got) != len(want) {
			t.Errorf("BIFF%d: %d cells, want %d", version, len(got), len(want))
		}
		for at, quoted := range want {
			var value any
			if err := json.Unmarshal([]byte(quoted), &value); err != nil {
				t.Fatal(err)
			}
			at = strings.Replace(at, "Formats", "Sheet1", 1)
			if got[at] != marshal(t, value) {
				t.Errorf("BIFF%d: %s is %s, want %s", version, at, got[at], quoted)
			}
		}
	}
}

func TestSheets(t *testing.T) {
	want := []sheet.Sheet{
		{Name: "Strings", State: sheet.Visible, Kind: sheet.Worksheet}, {Name: "Hidden", State: sheet.Hidden, Kind: sheet.Worksheet},
		{Name: "Very hidden", State: sheet.VeryHidden, Kind: sheet.Worksheet}, {Name: "Ünï 中文", State: sheet.Visible, Kind: sheet.Worksheet},
	}
	b := open(t, fixture(t, "strings.xls"), "")
	if diff := cmp.Diff(want, b.Sheets()); diff != "" {
		t.Error(diff)
	}
	s, err := b.Survey(t.Context(), 3)
	if err != nil || s.Used.String() != "A1:GS13" || !s.Exact {
		t.Errorf("used %s, exact %v, %v", s.Used, s.Exact, err)
	}
	if kind := open(t, fixture(t, "libreoffice.xls"), "").Sheets()[3].Kind; kind != sheet.Worksheet && kind != sheet.Chartsheet {
		t.Errorf("a sheet that is a chart is a %s", kind)
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"libreoffice", "gnumeric-biff8"} {
		names, err := open(t, fixture(t, name+".xls"), "").Names(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]string{}
		for _, n := range names {
			found[fmt.Sprint(n.Name, " ", n.Sheet)] = n.Refers
		}
		for key, want := range map[string]string{"Rng -1": "Formulas!$A$1:$A$10", "Local 1": "'Two words'!$B$2", "Print_Area 2": "Third!$A$1:$D$20"} {
			if found[key] != want {
				t.Errorf("%s: %s is %q, want %q", name, key, found[key], want)
			}
		}
	}
}

func TestExtras(t *testing.T) {
	for _, name := range []string{"libreoffice", "gnumeric-biff8", "gnumeric-biff7"} {
		b := open(t, fixture(t, name+".xls"), "")
		x, err := b.Extras(t.Context(), 2, sheet.Window{Range: sheet.All()})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]sheet.Range{{Top: 2, Left: 1, Bottom: 4, Right: 3}}, x.Merged); diff != "" {
			t.Errorf("%s: merged\n%s", name, diff)
		}
		if diff := cmp.Diff([]sheet.Span{{First: 10, Last: 10}}, x.HiddenRows); diff != "" {
			t.Errorf("%s: hidden rows\n%s", name, diff)
		}
		if diff := cmp.Diff([]sheet.Span{{First: 5, Last: 6}}, x.HiddenColumns); diff != "" {
			t.Errorf("%s: hidden columns\n%s", name, diff)
		}
		if len(x.Comments) != 1 || x.Comments[0].Cell.String() != "A12" || !strings.HasPrefix(x.Comments[0].Text, "A comment\nof two lines") {
			t.Errorf("%s: comments %v", name, x.Comments)
		}
		if b.version < 8 {
			continue
		}
		if x.Comments[0].Text != "A comment\nof two lines 中文" {
			t.Errorf("%s: comment %q", name, x.Comments[0].Text)
		}
		links := []sheet.Link{
			{Range: sheet.Range{Top: 14, Bottom: 14}, Target: "https://example.com/a?b=c#frag"},
			{Range: sheet.Range{Top: 15, Bottom: 15}, Target: "#'Two words'!B3"},
		}
		if diff := cmp.Diff(links, x.Links); diff != "" {
			t.Errorf("%s: links\n%s", name, diff)
		}
		if len(x.Charts) != 1 || x.Charts[0].Title != "My chart" || x.Charts[0].Type != "column" || x.Charts[0].Cell.Row < 10 {
			t.Errorf("%s: charts %v", name, x.Charts)
		}
		pictures(t, name, x.Pictures)
		if s, err := b.Survey(t.Context(), 2); err != nil || s.Images != 3 || s.Charts != 1 {
			t.Errorf("%s: %d images, %d charts, %v", name, s.Images, s.Charts, err)
		}
	}
}

// pictures compares the pictures of a sheet with those that were put in: the first and
// the last are the same.
func pictures(t *testing.T, name string, list []sheet.Picture) {
	t.Helper()
	var at []string
	var data [][]byte
	for _, p := range list {
		d, err := p.Data(t.Context())
		if err != nil || !bytes.HasPrefix(d, []byte("\x89PNG\r\n\x1a\n")) || !bytes.HasSuffix(d, []byte("IEND\xaeB`\x82")) {
			t.Errorf("%s: the picture at %s is no whole PNG file: %v", name, p.Cell, err)
		}
		at, data = append(at, p.Cell.String()), append(data, d)
	}
	if diff := cmp.Diff([]string{"H3", "B20", "D22"}, at); diff != "" {
		t.Fatalf("%s: pictures\n%s", name, diff)
	}
	if !bytes.Equal(data[0], data[2]) || bytes.Equal(data[0], data[1]) {
		t.Errorf("%s: the wrong pictures are the same", name)
	}
}

func TestWindow(t *testing.T) {
	b := open(t, fixture(t, "formats.xls"), "")
	got := cells(t, b, sheet.Window{Range: sheet.Range{Top: 3, Left: 2, Bottom: 4, Right: 3}}, func(sheet.Cell) string { return "x" })
	want := map[string]string{"Formats\t3\t2": "x", "Formats\t3\t3": "x", "Formats\t4\t2": "x", "Formats\t4\t3": "x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	rows := 0
	err := b.Rows(t.Context(), 0, sheet.Window{Range: sheet.All()}, func(*sheet.Row) bool { rows++; return rows < 2 })
	if err != nil || rows != 2 {
		t.Errorf("%d rows after saying that two are enough, %v", rows, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := open(t, fixture(t, "formats.xls"), "").Rows(ctx, 0, sheet.Window{}, func(*sheet.Row) bool { return true }); err == nil {
		t.Error("a call that was canceled reads on")
	}
}

// TestEncrypted reads workbooks of package officecrypt's tests.
func TestEncrypted(t *testing.T) {
	for _, c := range []struct{ name, password string }{
		{"cryptoapi-128", "secret"}, {"cryptoapi-40", "secret"}, {"xor", "secret"}, {"xor-odd", "fifteen letters"},
	} {
		data := fixture(t, "../../officecrypt/testdata/"+c.name+".xls")
		b := open(t, data, c.password)
		got := cells(t, b, sheet.Window{Range: sheet.Range{Top: 100, Left: 0, Bottom: 100, Right: 1}}, displayed(b))
		want := map[string]string{"One\t100\t0": "99", "One\t100\t1": "row 99 of the sheet"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", c.name, diff)
		}
		if _, err := Open(t.Context(), bytes.NewReader(data), int64(len(data)), ""); !fault.Is(err, fault.EncryptedDocument) {
			t.Errorf("%s without a password: %v", c.name, err)
		}
	}
	for name, password := range map[string]string{"rc4-libreoffice": "secret", "rc4-default": ""} {
		b := open(t, fixture(t, "../../officecrypt/testdata/"+name+".xls"), password)
		got := cells(t, b, sheet.Window{Range: sheet.All()}, displayed(b))
		want := map[string]string{"t\t1\t0": "A", "t\t1\t1": "B", "t\t2\t0": "1", "t\t2\t1": "2"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", name, diff)
		}
	}
}
