package csv

import (
	stdcsv "encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

// rows returns all cells of a book by row and column.
func rows(t *testing.T, b *Book) [][]string {
	t.Helper()
	var all [][]string
	err := b.Rows(t.Context(), 0, sheet.Window{Range: sheet.All()}, func(r *sheet.Row) bool {
		for len(all) < r.Number {
			all = append(all, nil)
		}
		for i := range r.Cells {
			for len(all[r.Number-1]) < r.Cells[i].Column {
				all[r.Number-1] = append(all[r.Number-1], "")
			}
			all[r.Number-1] = append(all[r.Number-1], string(r.Cells[i].Text))
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     [][]string
	}{
		{"plain", "a,b\nc,d\n", [][]string{{"a", "b"}, {"c", "d"}}},
		{"no last newline", "a,b\nc,d", [][]string{{"a", "b"}, {"c", "d"}}},
		{"quotes", "a,\"b \"\"x\"\", y\"\n\"line\nbreak\",d\n", [][]string{{"a", `b "x", y`}, {"line\nbreak", "d"}}},
		{"crlf", "a;b\r\nc;d\r\n", [][]string{{"a", "b"}, {"c", "d"}}},
		{"cr", "a\tb\rc\td\r", [][]string{{"a", "b"}, {"c", "d"}}},
		{"bars", "a|b\nc|d\n", [][]string{{"a", "b"}, {"c", "d"}}},
		{"decimal commas", "1,5;2,5\n3,5;4,5\n", [][]string{{"1,5", "2,5"}, {"3,5", "4,5"}}},
		{"lists within", "x,a;b,1\ny,c;d,2\n", [][]string{{"x", "a;b", "1"}, {"y", "c;d", "2"}}},
		{"declared", "sep=;\na,b;c\n", [][]string{{"a,b", "c"}}},
		{"one column", "a\nb\n", [][]string{{"a"}, {"b"}}},
		{"empty cells and lines", "a,,c\n\n,,\nd\n", [][]string{{"a", "", "c"}, nil, nil, {"d"}}},
		{"a quote within", "5\" disk,b\nc,d\n", [][]string{{`5" disk`, "b"}, {"c", "d"}}},
		{"a quote never closed", "\"a,b\nc,d\n", [][]string{{`"a`, "b"}, {"c", "d"}}},
		{"text after a quote", "\"a\" b,c\nd,e\n", [][]string{{`"a" b`, "c"}, {"d", "e"}}},
		{"empty quotes", "\"\",b\n", [][]string{{"", "b"}}},
		{"leading zeros", "007,1e5\n", [][]string{{"007", "1e5"}}},
		{"empty", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := Open([]byte(c.in), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, rows(t, b)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEncodings(t *testing.T) {
	const s = "名前,価格\n本,五百円\n辞書,二千円\n机と椅子,一万円\n"
	const chinese = "姓名,城市,说明\n张三,北京,这是一个测试文件\n李四,上海,中文内容应当正确显示\n"
	const german = "Name;Straße\nMüller;Görlitzer Straße\nGroß;Königsallee\nJäger;Überweg\n"
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	gb, err := simplifiedchinese.GB18030.NewEncoder().String(chinese)
	if err != nil {
		t.Fatal(err)
	}
	western, err := charmap.Windows1252.NewEncoder().String(german)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, in, want string }{
		{"utf-8 with a mark", "\ufeff" + s, "五百円"},
		{"utf-16", utf16, "五百円"},
		{"gb18030", gb, "北京"},
		{"windows-1252", western, "Görlitzer Straße"},
	} {
		b, err := Open([]byte(c.in), Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := rows(t, b); len(got) < 2 || got[1][1] != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	if _, err := Open([]byte("\x00\x01\x02\xff\xfe,\x00\x00"), Options{}); !fault.Is(err, fault.BinaryFile) {
		t.Errorf("bytes that are no text: %v", err)
	}
}

func TestShown(t *testing.T) {
	b, err := Open([]byte("id,name\n1,Ann\n2,Bob\n3,Eve\n"), Options{Name: "people"})
	if err != nil {
		t.Fatal(err)
	}
	page, err := sheet.Show(t.Context(), b, sheet.Query{Range: "B:B", Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := "## Sheet 1/1 \"people\" (A1:B4, B1:B2 shown)\n|   | B |\n|---|---|\n| 1 | name |\n| 2 | Ann |\n"
	if diff := cmp.Diff(want, page.Markdown); diff != "" || page.NextRange != "people!B3:B1048576" {
		t.Errorf("goes on with %q: %s", page.NextRange, diff)
	}
}

// TestLarge: more rows than a sheet has are said, and a long text is not counted.
func TestLarge(t *testing.T) {
	b, err := Open([]byte(strings.Repeat("a,b\n", sheet.MaxRows+1)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := b.Survey(t.Context(), 0); err != nil || s.Exact || s.Used != (sheet.Range{Top: 1, Bottom: sheet.MaxRows, Right: 1}) {
		t.Errorf("%+v, %v", s, err)
	}
	n := 0
	err = b.Rows(t.Context(), 0, sheet.Window{Range: sheet.All()}, func(*sheet.Row) bool { n++; return true })
	if !fault.Is(err, fault.TooLarge) || n != sheet.MaxRows {
		t.Errorf("%d rows: %v", n, err)
	}
}

// FuzzCSV: reading ends, cells are bounded and in order, and what the standard library reads
// without complaint is read the same.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n\"c\"\"d\",e\n", "\"a\nb;", "sep=|\r\na|b", "1,5;2\r3;4", "\ufeffx\ty\n", "\"\"\"", ",,,\n\n", "\xff\xfea\x00,\x00b\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := Open(raw, Options{})
		if err != nil {
			return
		}
		var all [][]string
		last := 0
		err = b.Rows(t.Context(), 0, sheet.Window{Range: sheet.All()}, func(r *sheet.Row) bool {
			if r.Number <= last || len(r.Cells) == 0 {
				t.Fatalf("row %d of %d cells after %d", r.Number, len(r.Cells), last)
			}
			last = r.Number
			var row []string
			column := -1
			for i := range r.Cells {
				c := &r.Cells[i]
				if c.Column <= column || len(c.Text) == 0 || len(c.Text) > sheet.MaxText {
					t.Fatalf("cell %d of %d bytes after %d", c.Column, len(c.Text), column)
				}
				column = c.Column
				row = append(row, string(c.Text))
			}
			all = append(all, row)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsRune(b.text, '\r') || strings.ContainsRune(b.text, '\u2028') {
			return // the standard library knows other line ends
		}
		r := stdcsv.NewReader(strings.NewReader(b.text))
		r.Comma, r.FieldsPerRecord = rune(b.delimiter), -1
		records, err := r.ReadAll()
		if err != nil {
			return
		}
		var want [][]string
		for _, record := range records {
			if record = slices.DeleteFunc(record, func(s string) bool { return s == "" }); len(record) > 0 {
				want = append(want, record)
			}
		}
		if diff := cmp.Diff(want, all); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestDeclared(t *testing.T) {
	for _, c := range []struct {
		in        string
		delimiter byte
		rows      int
	}{
		{"sep=;", ';', 0},
		{"sep=|\na|b", '|', 1},
		{"sep=\t\r\na\tb\r\n", '\t', 1},
		{"sep=,\ra;b", ',', 1},
		{"sep=ab\nc,d", ',', 2},
		{"sep=\n1,2", ',', 2},
		{"sep=é\n1,2", ',', 2},
	} {
		b, err := Open([]byte(c.in), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := rows(t, b); b.Delimiter() != c.delimiter || len(got) != c.rows {
			t.Errorf("%q: %q, %q", c.in, b.Delimiter(), got)
		}
	}
	b, err := Open([]byte("sep=;\na,b;c\n"), Options{Delimiter: ','})
	if got := rows(t, b); err != nil || len(got) != 1 || got[0][0] != "a" {
		t.Errorf("the caller's delimiter counts: %v, %q", err, got)
	}
}

// TestBounds: a cell keeps what a cell can hold, and a row the columns of a sheet.
func TestBounds(t *testing.T) {
	long := strings.Repeat("x", sheet.MaxText+10)
	b, err := Open([]byte(long+",\""+long+"\"\n"+strings.Repeat("y,", sheet.MaxColumns+5)+"z\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := rows(t, b)
	if len(got[0][0]) != sheet.MaxText || len(got[0][1]) != sheet.MaxText || len(got[1]) != sheet.MaxColumns {
		t.Errorf("%d, %d bytes; %d columns", len(got[0][0]), len(got[0][1]), len(got[1]))
	}
}
