package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

func extras(t testing.TB, b *Book, index int) *sheet.Extras {
	t.Helper()
	w := sheet.Window{Range: sheet.All()}
	if err := b.Rows(t.Context(), index, w, func(*sheet.Row) bool { return true }); err != nil {
		t.Fatal(err)
	}
	x, err := b.Extras(t.Context(), index, w)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestSheets(t *testing.T) {
	b := open(t, "features.xlsx")
	got := fmt.Sprint(b.Sheets())
	want := "[{Sales visible worksheet} {Other sheet hidden worksheet} {Secret very hidden worksheet} {Alone visible chart}]"
	if got != want {
		t.Errorf("%s", got)
	}
	if about := b.Info(); about.Title != "Sales of fruit" || about.Author != "Ann" || about.Format != "xlsx" {
		t.Errorf("%+v", about)
	}
	names, err := b.Names(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, n := range names {
		text := fmt.Sprintf("%s %d %s", n.Name, n.Sheet, n.Refers)
		if n.Table != nil {
			text += n.Table.Range.String() + strings.Join(n.Table.Columns, ",") + fmt.Sprint(n.Table.Headers, n.Table.Totals)
		}
		all = append(all, text)
	}
	if want := []string{"Local 1 'Other sheet'!$B$2", "Prices -1 Sales!$C$2:$C$5", "Orders 0 A1:D6Item,Count,Price,Total1 1"}; !slices.Equal(all, want) {
		t.Errorf("%q", all)
	}
	if !open(t, "dates1904.xlsx").Date1904() || b.Date1904() {
		t.Error("the wrong epoch")
	}
}

func TestCells(t *testing.T) {
	b := open(t, "features.xlsx")
	got := cells(t, b, 0, sheet.Window{})
	for at, want := range map[string]string{
		"F4": "a link", "F7": `plain bold and <more> & "quoted"`, "F8": "two\nlines",
		"F9": "control \x07 and _x0041_ and pipe | star *", "F10": "TRUE", "F11": "#DIV/0!", "F12": "Apples!", "C3": "$0.75",
	} {
		if got[at] != want {
			t.Errorf("%s is %q", at, got[at])
		}
	}
	if got := cells(t, b, 1, sheet.Window{}); len(got) != 1 || got["B2"] != "here" {
		t.Errorf("%q", got)
	}
	if got := cells(t, b, 3, sheet.Window{}); len(got) != 0 {
		t.Errorf("a chart has the cells %q", got)
	}
	if got := cells(t, b, 0, sheet.Window{Range: sheet.Range{Top: 2, Left: 1, Bottom: 3, Right: 2}}); len(got) != 4 || got["B2"] != "3" {
		t.Errorf("a window has %q", got)
	}
}

func TestFormulas(t *testing.T) {
	formulas := func(name string) map[string]string {
		all := map[string]string{}
		b := open(t, name)
		if err := b.Rows(t.Context(), 0, sheet.Window{Range: sheet.All(), Formulas: true}, func(r *sheet.Row) bool {
			for _, c := range r.Cells {
				if len(c.Formula) > 0 {
					all[sheet.Address{Row: r.Number, Column: c.Column}.String()] = string(c.Formula)
				}
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	if got := formulas("features.xlsx"); got["F12"] != `A2:A2&"!"` || got["F11"] != "1/0" || got["F6"] != `HYPERLINK("https://example.org/x","made")` {
		t.Errorf("%q", got)
	}
	for _, name := range []string{"libreoffice.xlsx", "gnumeric.xlsx"} {
		if got := formulas(name); len(got) != 50 || got["B25"] != "A25*A$1+LOG10(100)" || got["C7"] != `TEXT(A7,"0.00")&" A1"` {
			t.Errorf("%s: %q", name, got)
		}
	}
	// Without a value a cell has its formula, wanted or not.
	if got := cells(t, open(t, "openpyxl.xlsx"), 0, sheet.Window{}); got["D2"] != "=B2*2" || got["A2"] != "2024-01-01" || got["F5"] != "TRUE" {
		t.Errorf("%q %q %q", got["D2"], got["A2"], got["F5"])
	}
}

func TestExtras(t *testing.T) {
	b := open(t, "features.xlsx")
	x := extras(t, b, 0)
	if got := fmt.Sprint(x.Merged); got != "[F1:H2]" {
		t.Errorf("merged: %s", got)
	}
	if got := fmt.Sprint(x.Links); got != "[{F4 https://example.com/a?b=1&c=2#top} {F5 #'Other sheet'!B2} {F6 https://example.org/x}]" {
		t.Errorf("links: %s", got)
	}
	if got := fmt.Sprint(x.Comments); got != "[{A2 Ann red ones false false}]" {
		t.Errorf("comments: %s", got)
	}
	if got := fmt.Sprint(x.HiddenColumns, x.HiddenRows); got != "[{10 11}] [{21 21}]" {
		t.Errorf("hidden: %s", got)
	}
	if len(x.Tables) != 1 || x.Tables[0].Name != "Orders" {
		t.Errorf("tables: %v", x.Tables)
	}
	if len(x.Charts) != 1 || x.Charts[0].Title != "Fruit" || x.Charts[0].Cell.String() != "M2" ||
		fmt.Sprint(x.Charts[0].Rows) != "[[ Count] [Apples 3] [Pears 5] [Plums 8] [Figs 1]]" {
		t.Errorf("charts: %+v", x.Charts)
	}
	if x := extras(t, b, 3); len(x.Charts) != 1 || len(x.Charts[0].Rows) != 3 {
		t.Errorf("a sheet that is a chart: %+v", x.Charts)
	}
	// A window has what is in it.
	w := sheet.Window{Range: sheet.Range{Top: 5, Left: 0, Bottom: 6, Right: 9}}
	if x, err := b.Extras(t.Context(), 0, w); err != nil || len(x.Merged)+len(x.Comments)+len(x.Charts) != 0 || len(x.Links) != 2 || len(x.Tables) != 1 {
		t.Errorf("%+v, %v", x, err)
	}
	x = extras(t, open(t, "openpyxl.xlsx"), 0)
	if got := fmt.Sprint(x.Merged, x.Links, x.Comments, x.HiddenColumns, x.Tables[0].Range, x.Charts[0].Cell, x.Charts[0].Rows, x.Pictures[0].Cell); got !=
		"[H1:I2] [{A3 https://example.net/}] [{A2 Bob first\nsecond false false}] [{2 2}] A1:D31 K10 [[ ='数据 ünïcode'!B1] [1 ='数据 ünïcode'!$B$2:$B$10]] K2" {
		t.Errorf("openpyxl: %s", got)
	}
}

func TestSurvey(t *testing.T) {
	for _, c := range []struct {
		file  string
		index int
		want  string
	}{
		{"features.xlsx", 0, "A1:J15 true 1 3 1"},
		{"features.xlsx", 3, " true 0 0 1"},
		{"openpyxl.xlsx", 0, "A1:H31 true 1 1 1"},
		{"openpyxl.xlsx", 1, " true 0 0 0"},
		{"stream.xlsx", 0, "A1:E200 true 0 0 0"},
	} {
		v, err := open(t, c.file).Survey(t.Context(), c.index)
		if got := fmt.Sprint(v.Used, v.Exact, len(v.Tables), v.Images, v.Charts); err != nil || got != c.want {
			t.Errorf("%s %d: %s, %v", c.file, c.index, got, err)
		}
	}
}

// Every picture has the bytes of its part.
func TestPictures(t *testing.T) {
	var got []string
	for _, file := range []string{"features.xlsx", "openpyxl.xlsx"} {
		b := open(t, file)
		pictures := extras(t, b, 0).Pictures
		if err := b.Rows(t.Context(), 0, sheet.Window{Range: sheet.All()}, func(r *sheet.Row) bool {
			for _, c := range r.Cells {
				if c.Picture != nil {
					pictures = append(pictures, *c.Picture)
				}
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		parts := media(t, file)
		for _, p := range pictures {
			data, err := p.Data(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			name := ""
			for part, content := range parts {
				if bytes.Equal(content, data) {
					name = part
				}
			}
			got = append(got, fmt.Sprint(p.Cell, " ", p.Alt, " ", p.MIME, " ", name))
		}
	}
	slices.Sort(got)
	want := []string{
		"A1 header: p4 image/png image4.png", "J15 In the cell image/png image1.png", "J3 A small square image/png image2.png",
		"J10 p2.png image/png image3.png", "K2 Picture image/png image1.png",
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func media(t testing.TB, file string) map[string][]byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, f := range z.File {
		if !strings.HasPrefix(f.Name, "xl/media/") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if all[filepath.Base(f.Name)], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestMacros(t *testing.T) {
	data := rezip(t, "stream.xlsx", func(name string, content []byte) (string, []byte) {
		return name, bytes.ReplaceAll(content, []byte("officedocument.spreadsheetml.sheet.main"), []byte("ms-excel.sheet.macroEnabled.main"))
	})
	if b := openBytes(t, data); b.Info().Format != "xlsm" || len(cells(t, b, 0, sheet.Window{})) == 0 {
		t.Errorf("%+v", b.Info())
	}
}

func TestRefuses(t *testing.T) {
	binary := rezip(t, "features.xlsx", func(name string, content []byte) (string, []byte) {
		if name == "_rels/.rels" {
			return name, bytes.ReplaceAll(content, []byte("xl/workbook.xml"), []byte("xl/workbook.bin"))
		}
		return strings.Replace(name, "workbook.xml", "workbook.bin", 1), content
	})
	if _, err := Open(bytes.NewReader(binary), int64(len(binary))); !fault.Is(err, fault.BadDocument) {
		t.Errorf("XML as a binary workbook: %v", err)
	}
	none := rezip(t, "features.xlsx", func(name string, content []byte) (string, []byte) {
		switch {
		case strings.HasPrefix(name, "xl/worksheets/"):
			return "", nil
		case name == "xl/workbook.xml":
			return name, []byte("<workbook><sheets/></workbook>")
		}
		return name, content
	})
	if _, err := Open(bytes.NewReader(none), int64(len(none))); !fault.Is(err, fault.BadDocument) {
		t.Errorf("no sheets: %v", err)
	}
	photos := rezip(t, "features.xlsx", func(name string, content []byte) (string, []byte) {
		if !strings.HasPrefix(name, "xl/media") {
			return "", nil
		}
		return name, content
	})
	if _, err := Open(bytes.NewReader(photos), int64(len(photos))); !fault.Is(err, fault.UnsupportedContent) {
		t.Errorf("photos: %v", err)
	}
}

// rezip returns a workbook with its parts changed; those without a name are left out.
func rezip(t testing.TB, file string, change func(name string, content []byte) (string, []byte)) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if name, content := change(f.Name, content); name != "" {
			write(t, w, name, content)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func write(t testing.TB, w *zip.Writer, name string, content []byte) {
	t.Helper()
	f, err := w.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(content); err != nil {
		t.Fatal(err)
	}
}

// A strict file, one with prefixes and one in UTF-16 hold the same.
func TestVariants(t *testing.T) {
	want := cells(t, open(t, "features.xlsx"), 0, sheet.Window{})
	strict := rezip(t, "features.xlsx", func(name string, content []byte) (string, []byte) {
		content = bytes.ReplaceAll(content, []byte("http://schemas.openxmlformats.org/spreadsheetml/2006/main"), []byte("http://purl.oclc.org/ooxml/spreadsheetml/main"))
		return name, bytes.ReplaceAll(content, []byte("http://schemas.openxmlformats.org/officeDocument/2006/relationships"), []byte("http://purl.oclc.org/ooxml/officeDocument/relationships"))
	})
	prefixed := rezip(t, "features.xlsx", func(name string, content []byte) (string, []byte) {
		if strings.HasPrefix(name, "xl/worksheets/sheet") || name == "xl/sharedStrings.xml" {
			content = bytes.ReplaceAll(content, []byte("</"), []byte("\x00"))
			content = bytes.ReplaceAll(content, []byte("<"), []byte("<x:"))
			content = bytes.ReplaceAll(content, []byte("\x00"), []byte("</x:"))
			content = bytes.ReplaceAll(content, []byte("<x:?"), []byte("<?"))
			content = bytes.ReplaceAll(content, []byte("xmlns="), []byte("xmlns:x="))
		}
		return name, content
	})
	wide := rezip(t, "features.xlsx", func(name string, content []byte) (string, []byte) {
		if strings.HasPrefix(name, "xl/worksheets/sheet") || name == "xl/sharedStrings.xml" {
			units := utf16.Encode([]rune("\ufeff" + strings.Replace(string(content), "UTF-8", "UTF-16", 1)))
			content = make([]byte, 0, 2*len(units))
			for _, u := range units {
				content = binary.LittleEndian.AppendUint16(content, u)
			}
		}
		return name, content
	})
	for name, data := range map[string][]byte{"strict": strict, "prefixed": prefixed, "UTF-16": wide} {
		b := openBytes(t, data)
		if got := cells(t, b, 0, sheet.Window{}); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v", name, got)
		}
		if x := extras(t, b, 0); len(x.Merged) != 1 || len(x.Links) != 3 || len(x.Pictures) != 3 {
			t.Errorf("%s: %+v", name, x)
		}
	}
}
