package xlsx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

// one returns a workbook with rows as they are given.
func one(t testing.TB, rows, behind string) *Book {
	t.Helper()
	return openBytes(t, workbook(t, []byte("<worksheet><sheetData>"+rows+"</sheetData>"+behind+"</worksheet>"), nil))
}

func repeat(n int, format string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// Rows and cells may come without addresses and in any order.
func TestOrder(t *testing.T) {
	for rows, want := range map[string]string{
		`<row><c><v>1</v></c><c><v>2</v></c></row><row><c r="B9"><v>3</v></c><c><v>4</v></c></row>`:                                                                                                                                                                   "map[A1:1 B1:2 B9:3 C9:4]",
		`<row r="3"><c r="A3"><v>3</v></c></row><row r="1"><c r="B1"><v>2</v></c><c r="A1"><v>1</v></c></row>`:                                                                                                                                                        "map[A1:1 A3:3 B1:2]",
		`<row r="2"><c r="A2"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c><c r="B2"><v>3</v></c></row>`:                                                                                                                                                        "map[A2:2 B2:3]",
		`<row r="2"><c r="C2"><v>1</v></c><c r="C2"><v>2</v></c></row><row r="x"><c r="XFE1"><v>3</v></c></row>`:                                                                                                                                                      "map[A3:3 C2:2]",
		`<c r="A1"><v>1</v></c><c r="B2"><v>2</v></c></row><c r="A7"><v>7</v></c>`:                                                                                                                                                                                    "map[A1:1 A7:7 B2:2]",
		`<row r="1"><c r="A1"><v>1</v></c><row r="2"><c r="A2"><v>2</v></c></row>`:                                                                                                                                                                                    "map[A1:1 A2:2]",
		`<row r="1"><c r="A1" t="d"><v>2024-02-29T06:00:00</v></c><c r="B1" t="d" s="1"><v>1900-02-01</v></c></row>`:                                                                                                                                                  "map[A1:2024-02-29 06:00:00 B1:2/1/1900]",
		`<row r="1"><c r="A1" t="inlineStr"><is><r><t>a</t></r><rPh><t>x</t></rPh><r><t> b</t></r></is></c><c t="str"><v>_x0041__xD83D__xDE00__x5F_</v></c></row>`:                                                                                                    "map[A1:a b B1:A😀_x5F_]",
		`<row r="1"><c r="A1"><v>abc</v></c><c r="B1"><v>1e999</v></c><c r="C1"><v> 5 </v></c><c r="D1" t="b"><v>false</v></c><c r="E1" t="s"><v></v></c></row>`:                                                                                                      "map[A1:abc B1:1e999 C1:5 D1:FALSE]",
		`<row r="1"><c r="A1"><f t="shared" si="0" ref="A1:B2">$C1*2</f></c><c r="B1"><f t="shared" si="0"/></c></row><row r="2"><c r="B2"><f t="shared" si="0"/></c><c r="C2"><f t="dataTable" r1="A1" r2="A2"/></c><c r="D2"><f>_xlfn._xlws.SORT(A1)</f></c></row>`: "map[A1:=$C1*2 B1:=$C1*2 B2:=$C2*2 C2:=TABLE(A1,A2) D2:=SORT(A1)]",
	} {
		for _, plain := range []bool{false, true} {
			b := one(t, rows, "")
			b.plain = plain
			if got := fmt.Sprint(cells(t, b, 0, sheet.Window{})); got != want {
				t.Errorf("%s\nis %s", rows, got)
			}
		}
	}
}

// A large sheet is yielded as it is read: rows that come too late are missing, and said.
func TestOrderOfLargeSheet(t *testing.T) {
	b := one(t, repeat(20_000, `<row r="%[1]d"><c r="A%[1]d"><v>%[1]d</v></c><c r="B%[1]d"><v>%[1]d</v></c></row>`)+`<row r="7"><c r="A7"><v>0</v></c></row>`, "")
	n := 0
	err := b.Rows(t.Context(), 0, sheet.Window{Range: sheet.All()}, func(r *sheet.Row) bool {
		if n++; r.Number != n || len(r.Cells) != 2 {
			t.Fatalf("row %d: %v", n, r)
		}
		return true
	})
	if n != 20_000 || !fault.Is(err, fault.BadDocument) {
		t.Errorf("%d rows, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n = 0
	err = b.Rows(ctx, 0, sheet.Window{Range: sheet.All()}, func(*sheet.Row) bool {
		if n++; n == 100 {
			cancel()
		}
		return true
	})
	if !errors.Is(err, context.Canceled) || n > 5000 {
		t.Errorf("after its end %d rows, %v", n, err)
	}
}

// What is behind rows that nobody wants is read if it is near.
func TestBehindRows(t *testing.T) {
	b := one(t, repeat(30_000, `<row r="%[1]d"><c r="A%[1]d"><v>%[1]d</v></c></row>`), `<mergeCells><mergeCell ref="A3:B3"/><mergeCell ref="A9:B9"/></mergeCells>`)
	n := 0
	w := sheet.Window{Range: sheet.All(), Limit: 5}
	if err := b.Rows(t.Context(), 0, w, func(*sheet.Row) bool { n++; return n < 5 }); err != nil {
		t.Fatal(err)
	}
	shown := sheet.Window{Range: sheet.Range{Top: 1, Bottom: 5, Right: 1}}
	if b.tail.sheet != 0 || !b.tail.covers(0, shown.Range, false) {
		t.Errorf("%+v", b.tail)
	}
	if x, err := b.Extras(t.Context(), 0, shown); err != nil || x.Unread || fmt.Sprint(x.Merged) != "[A3:B3]" {
		t.Errorf("%+v, %v", x, err)
	}
}

func TestHostileSheets(t *testing.T) {
	rows := func(b *Book) (n, cells int, err error) {
		err = b.Rows(t.Context(), 0, sheet.Window{Range: sheet.All()}, func(r *sheet.Row) bool {
			n++
			cells += len(r.Cells)
			return true
		})
		return n, cells, err
	}
	const last = `<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>`
	for _, c := range []struct {
		name, rows string
		n, cells   int
		damaged    bool
	}{
		{"corners", `<row r="1"><c r="A1"><v>1</v></c></row>` + last, 2, 2, false},
		{"beyond the last row", last + `<row><c><v>1</v></c></row>`, 1, 1, false},
		{"beyond the last column", `<row r="1"><c r="XFD1"><v>1</v></c><c><v>2</v></c></row>`, 1, 1, false},
		{"the last column", repeat(2000, `<row r="%[1]d"><c r="XFD%[1]d"><v>1</v></c></row>`), 2000, 2000, false},
		{"one cell many times", `<row r="1">` + strings.Repeat(`<c r="A1"><v>1</v></c>`, 50_000) + `</row>`, 1, 1, false},
		{"nested", `<row r="1"><c r="A1"><v>1</v></c></row>` + strings.Repeat("<a>", 1000), 1, 1, true},
		{"a long text", `<row r="1"><c r="A1" t="str"><v>` + strings.Repeat("ä", sheet.MaxText) + `</v></c></row>`, 1, 1, false},
		{"a long address", `<row r="1"><c r="` + strings.Repeat("A", 100_000) + `"><v>1</v></c></row>`, 1, 1, false},
		{"hidden", repeat(5000, `<row r="%d" hidden="1"/>`), 0, 0, false},
		{"without a text", `<row r="1"><c r="A1" t="s"><v>99999999999</v></c><c r="B1" t="s"><v>-1</v></c><c r="C1"><v>1</v></c></row>`, 1, 1, true},
		{"styles", repeat(500, `<row r="%[1]d"><c r="A%[1]d" s="%[1]d"><v>1</v></c></row>`), 500, 500, false},
	} {
		n, cells, err := rows(one(t, c.rows, ""))
		if n != c.n || cells != c.cells || c.damaged != fault.Is(err, fault.BadDocument) {
			t.Errorf("%s: %d rows, %d cells, %v", c.name, n, cells, err)
		}
	}
}

func TestHostileExtras(t *testing.T) {
	b := one(t, `<row r="1"><c r="A1"><v>1</v></c></row>`, "<mergeCells>"+repeat(5000, `<mergeCell ref="A%[1]d:B%[1]d"/>`)+"</mergeCells>")
	if x := extras(t, b, 0); len(x.Merged) != sheet.MaxExtras || x.More != 4000 {
		t.Errorf("%d merged, %d more", len(x.Merged), x.More)
	}
	if x, err := b.Extras(t.Context(), 0, sheet.Window{Range: sheet.Range{Top: 4999, Bottom: 5000, Right: 5}}); err != nil || len(x.Merged) != 2 {
		t.Errorf("%+v, %v", x, err)
	}
	// What is behind the rows may have elements of the same names.
	b = one(t, `<row r="1"><c r="A1"><v>1</v></c></row>`, `<other><row>5</row><c r="B1"><v>2</v></c></other>`)
	if got := cells(t, b, 0, sheet.Window{}); len(got) != 1 {
		t.Errorf("%q", got)
	}
	// All parts lead to the sheet itself.
	self := `<Relationships>`
	for i, kind := range []string{"drawing", "vmlDrawing", "comments", "table", "threadedComment", "image", "drawing"} {
		self += fmt.Sprintf(`<Relationship Id="r%d" Type="http://x/%s" Target="sheet1.xml"/>`, i, kind)
	}
	data := withParts(t, `<row r="1"><c r="A1"><v>1</v></c></row>`, map[string]string{"xl/worksheets/_rels/sheet1.xml.rels": self + "</Relationships>"})
	if x := extras(t, openBytes(t, data), 0); len(x.Pictures) != 1 || len(x.Comments)+len(x.Tables) != 0 {
		t.Errorf("%+v", x)
	}
}

// A call that is ended while it reads texts leaves the next one all of them.
func TestEndedCall(t *testing.T) {
	b := openBytes(t, large(t, 20_000))
	ctx, cancel := context.WithCancel(t.Context())
	b.ctx = ctx
	b.text(0)
	cancel()
	if text, ok := b.text(20_000); ok {
		t.Errorf("%q", text)
	}
	last := sheet.Window{Range: sheet.Range{Top: 20_000, Bottom: 20_000, Right: 9}}
	if got := cells(t, b, 0, last); got["J20000"] != "customer number 20000" {
		t.Errorf("%q", got)
	}
}

// A part that is neither sheet nor texts is read up to a limit.
func TestLongPart(t *testing.T) {
	s := &source{ReadCloser: io.NopCloser(strings.NewReader(strings.Repeat("x", 100))), ctx: t.Context(), most: 60}
	data := make([]byte, 50)
	for range 2 {
		if _, err := s.Read(data); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Read(data); !fault.Is(err, fault.BadDocument) {
		t.Errorf("%v", err)
	}
}

// The texts are a table that takes little more than they do.
func TestManyTexts(t *testing.T) {
	const count = 300_000
	data := workbook(t, []byte(fmt.Sprintf(`<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>%d</v></c><c r="B1" t="s"><v>5</v></c></row></sheetData></worksheet>`, count)),
		[]byte("<sst>"+strings.Repeat("<si/>", count)+"<si><t>last</t></si></sst>"))
	b := openBytes(t, data)
	if got := cells(t, b, 0, sheet.Window{}); got["A1"] != "last" || len(got) != 1 {
		t.Errorf("%q", got)
	}
	if b.strings.bytes > 2<<20 {
		t.Errorf("%d bytes for %d empty texts", b.strings.bytes, count)
	}
}
