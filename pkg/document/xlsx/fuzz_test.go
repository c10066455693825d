package xlsx

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzXLSX reads any file, and any sheet with any shared strings: rows and columns rise and
// the fast path reads what the scanner reads, whatever the bytes are.
func FuzzXLSX(f *testing.F) {
	for _, file := range []string{"features.xlsx", "openpyxl.xlsx"} {
		data, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, []byte(nil))
		f.Add(data[:len(data)*3/4], []byte(nil))
	}
	for _, part := range []string{
		`<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>45000.5</v></c></row><row r="2" hidden="1"><c r="A2" t="str"><f>A1&amp;"x"</f><v>y</v></c></row></sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells></worksheet>`,
		`<worksheet><sheetData><row r="3"><c t="inlineStr"><is><t xml:space="preserve"> a </t></is></c><c><f t="shared" si="0" ref="B3:B4">A3*2</f><v>1</v></c></row><row><c/><c r="B4"><f t="shared" si="0"/><v>2</v></c></row><row r="1"><c r="C1" t="d"><v>2024-02-29T12:00:00</v></c></row>`,
		`<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData><x:row r="1"><x:c r="A1" t="b"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
	} {
		f.Add([]byte(nil), []byte(part))
	}
	f.Fuzz(func(t *testing.T, file, part []byte) {
		if len(part) > 0 {
			file = workbook(t, part, part)
		}
		fast, _ := all(t, file, false)
		if plain, _ := all(t, file, true); fast != plain {
			t.Errorf("the fast path: %s\nthe scanner: %s", fast, plain)
		}
	})
}

// workbook returns a workbook of one sheet.
func workbook(t testing.TB, part, texts []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	write(t, w, "xl/workbook.xml", []byte(`<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets><sheet name="One" sheetId="1"/></sheets></workbook>`))
	write(t, w, "xl/styles.xml", []byte(`<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`))
	write(t, w, "xl/worksheets/sheet1.xml", part)
	write(t, w, "xl/sharedStrings.xml", texts)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
