package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

// records writes the records of a binary part.
type records struct{ bytes.Buffer }

// add writes a record of a type with values: numbers of their width, and texts.
func (r *records) add(kind int, values ...any) *records {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case byte:
			b = append(b, v)
		case uint16:
			b = binary.LittleEndian.AppendUint16(b, v)
		case int:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case float64:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		case string:
			units := utf16.Encode([]rune(v))
			b = binary.LittleEndian.AppendUint32(b, uint32(len(units)))
			for _, u := range units {
				b = binary.LittleEndian.AppendUint16(b, u)
			}
		}
	}
	number := func(n int) {
		for n >= 0x80 {
			r.WriteByte(byte(n) | 0x80)
			n >>= 7
		}
		r.WriteByte(byte(n))
	}
	number(kind)
	number(len(b))
	r.Write(b)
	return r
}

// row begins a row of a binary sheet.
func (r *records) row(n int, flags byte) *records {
	return r.add(0, n, 0, uint16(300), byte(0), flags, byte(0), 0)
}

// binaryBook returns a binary workbook of one sheet, with a date format as style 1.
func binaryBook(t testing.TB, part, texts []byte) []byte {
	t.Helper()
	var book, styles records
	book.add(131).add(153, 1, 0, "").add(143).add(156, 0, 1, "rId1", "One & only").add(144)
	book.add(357).add(362, 1, 0, 0, 0).add(39, 0, byte(0), -1, "Tax", 15, byte(0x3B), uint16(0), 0, 1, uint16(0), uint16(1), 0, -1).add(132)
	styles.add(278).add(44, uint16(164), `yyyy"/"mm`).add(626).add(47, uint16(0), uint16(9)).add(627).
		add(617).add(47, uint16(0), uint16(0)).add(47, uint16(0), uint16(14)).add(618).add(279)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	write(t, w, "xl/workbook.bin", book.Bytes())
	write(t, w, "xl/_rels/workbook.bin.rels", []byte(`<Relationships><Relationship Id="rId1" Type="http://x/worksheet" Target="worksheets/sheet1.bin"/><Relationship Id="rId2" Type="http://x/styles" Target="styles.bin"/><Relationship Id="rId3" Type="http://x/sharedStrings" Target="sharedStrings.bin"/></Relationships>`))
	write(t, w, "xl/worksheets/_rels/sheet1.bin.rels", []byte(`<Relationships><Relationship Id="rId9" Type="http://x/hyperlink" Target="https://example.com/" TargetMode="External"/></Relationships>`))
	write(t, w, "xl/styles.bin", styles.Bytes())
	write(t, w, "xl/sharedStrings.bin", texts)
	write(t, w, "xl/worksheets/sheet1.bin", part)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// binarySheet is a sheet with a cell of each kind, and binaryTexts are its shared strings.
func binarySheet() (part, texts []byte) {
	var s, shared records
	s.add(129).add(148, 0, 3, 0, 9).add(60, 3, 4, 0, 0, uint16(1)).add(145)
	s.row(0, 0).add(7, 0, 0, 0).add(2, 1, 0, 12<<2|2).add(2, 2, 0, 1235<<2|3).add(5, 3, 0, 2.5).add(4, 4, 0, byte(1)).add(3, 5, 0, byte(0x2A)).add(6, 6, 0, " in <line>_x0041_ ")
	s.row(1, 0x10).add(9, 1, 1, 45000.0, uint16(0), 0, 0).add(8, 2, 0, "sum", uint16(0), 0, 0).add(10, 3, 0, byte(0), uint16(0), 0).add(11, 4, 0, byte(7), uint16(0), 0).add(1, 5, 0)
	s.row(3, 0).add(18, 0, 1).add(13, 0, 7<<2|2).add(17, 0, "short").add(62, 9, 0, byte(0), "rich")
	s.add(146).add(176, 0, 1, 0, 1).add(494, 0, 0, 0, 0, "rId9", "", "", "").add(130)
	shared.add(159, 2, 2).add(19, byte(0), "first").add(19, byte(0), "second\nline").add(160)
	return s.Bytes(), shared.Bytes()
}

// A binary workbook shows what the plain one of the same content does.
func TestBinary(t *testing.T) {
	t.Parallel()
	part, texts := binarySheet()
	file := binaryBook(t, part, texts)
	b, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	page, err := sheet.Show(t.Context(), b, sheet.Query{})
	if err != nil {
		t.Fatal(err)
	}
	const want = `## Sheet 1/1 "One & only" (A1:J4)
|   | A | B | C | D | E | F | G | J |
|---|---|---|---|---|---|---|---|---|
| 1 | first | 12 | 12.35 | 2.5 | TRUE | #N/A | in <line>_x0041_ | |
| 2 | | 2027-03-16 | sum | FALSE | #DIV/0! | | | |
| 3 | | | | | | | | |
| 4 | second<br>line | 7 | short | | | | | rich |
Merged: A1:B2 · Hidden: row 2, cols D–E · Columns without content here: H–I
Links: A1 → https://example.com/
`
	if page.Markdown != want {
		t.Errorf("got\n%s", page.Markdown)
	}
	if b.Info().Format != "xlsb" {
		t.Error(b.Info())
	}
	page, err = sheet.Show(t.Context(), b, sheet.Query{Range: "Tax"})
	if err != nil || !strings.Contains(page.Markdown, "(A1:J4, A1:B2 shown)") {
		t.Errorf("%v, %v", page, err)
	}
}

// A part that ends early says so, and shows what it has.
func TestBinaryCut(t *testing.T) {
	t.Parallel()
	part, texts := binarySheet()
	for cut := range part {
		file := binaryBook(t, part[:cut], texts)
		b, err := Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sheet.Show(t.Context(), b, sheet.Query{}); err != nil && !fault.Is(err, fault.BadDocument) {
			t.Errorf("cut after %d bytes: %v", cut, err)
		}
	}
}

// FuzzBinary reads any bytes as the parts of a binary workbook: its rows and columns rise.
func FuzzBinary(f *testing.F) {
	part, texts := binarySheet()
	f.Add(part, texts)
	f.Add(part[:len(part)/2], texts[:5])
	f.Add([]byte{0x80, 0x01, 0xff, 0xff, 0xff, 0x7f}, []byte{19, 0xff})
	f.Fuzz(func(t *testing.T, part, texts []byte) {
		all(t, binaryBook(t, part, texts), true)
	})
}
