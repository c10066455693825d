package xls

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

// record encodes a record.
func record(id int, data ...byte) []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(id))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(data)))
	return append(b, data...)
}

func bof(kind byte) []byte {
	return record(recBOF, 0, 6, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

// workbook builds a BIFF8 stream of globals and one sheet.
func workbook(globals, cells []byte) []byte {
	size := len(bof(5)) + len(globals) + len(record(recBoundSheet, make([]byte, 9)...)) + len(record(recEOF))
	sheet := record(recBoundSheet, byte(size), byte(size>>8), byte(size>>16), byte(size>>24), 0, 0, 1, 0, 'S')
	return bytes.Join([][]byte{bof(bofGlobals), globals, sheet, record(recEOF), bof(bofSheet), cells, record(recEOF)}, nil)
}

// readAll reads all there is to read, and returns how many cells and bytes of text that
// were.
func readAll(t testing.TB, data []byte) (cells, text int) {
	t.Helper()
	b, err := Open(t.Context(), bytes.NewReader(data), int64(len(data)), "")
	if err != nil {
		if code := fault.As(err).Code; code != fault.BadDocument && code != fault.EncryptedDocument {
			t.Fatal(err)
		}
		return 0, 0
	}
	if _, err := b.Names(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range b.Sheets() {
		if i > 20 {
			break
		}
		last := 0
		err := b.Rows(t.Context(), i, sheet.Window{Range: sheet.All(), Formulas: true}, func(r *sheet.Row) bool {
			if r.Number <= last || r.Number > sheetRows {
				t.Fatalf("row %d after row %d", r.Number, last)
			}
			last = r.Number
			for k, c := range r.Cells {
				if c.Column < 0 || c.Column >= sheetColumns || k > 0 && c.Column <= r.Cells[k-1].Column {
					t.Fatalf("column %d", c.Column)
				}
				text += len(c.Text) + len(c.Formula)
			}
			cells += len(r.Cells)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		x, err := b.Extras(t.Context(), i, sheet.Window{Range: sheet.All()})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range x.Pictures[:min(3, len(x.Pictures))] {
			if d, err := p.Data(t.Context()); err == nil && len(d) > maxPicture {
				t.Fatalf("a picture of %d bytes", len(d))
			}
		}
	}
	return cells, text
}

// TestHostile reads streams that claim more than they hold.
func TestHostile(t *testing.T) {
	for name, data := range map[string][]byte{
		"strings by the billion": workbook(record(recSST, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 'a', 'b'), record(recLabelSST, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F)),
		"phonetic text of 4 GB":  workbook(record(recSST, 9, 0, 0, 0, 9, 0, 0, 0, 1, 0, 4, 0xFF, 0xFF, 0xFF, 0xFF, 'a'), nil),
		"formula of itself":      workbook(nil, record(recFormula, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 5, 0, 1, 0, 0, 0, 0)),
		"array of 16 million":    workbook(nil, append(record(recFormula, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF), record(recString, 1, 0, 0, 'x')...)),
		"last column of MULRK":   workbook(nil, record(recMulRK, 0, 0, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0)),
		"short records":          workbook(bytes.Join([][]byte{record(recName), record(recSupBook, 1), record(recFormat, 0), record(recXF), record(recCountry)}, nil), bytes.Join([][]byte{record(recNote, 1), record(recHLink, 1, 2), record(recTXO), record(recOBJ, 0x15, 0), record(recRow), record(recNumber, 0, 0)}, nil)),
	} {
		cells, text := readAll(t, data)
		if cells > 10 || text > 1000 {
			t.Errorf("%s: %d cells with %d bytes", name, cells, text)
		}
	}
}

// TestUnsorted reads rows that are in no order; of two cells in one place the later one
// counts.
func TestUnsorted(t *testing.T) {
	label := func(row, column byte, text byte) []byte {
		return record(recLabel, row, 0, column, 0, 0, 0, 1, 0, 0, text)
	}
	data := workbook(nil, bytes.Join([][]byte{label(5, 1, 'a'), label(2, 3, 'b'), label(5, 0, 'c'), label(2, 3, 'd'), label(0, 0, 'e')}, nil))
	b := open(t, data, "")
	var got []byte
	err := b.Rows(t.Context(), 0, sheet.Window{}, func(r *sheet.Row) bool {
		for _, c := range r.Cells {
			got = append(got, byte('0'+r.Number), c.Text[0])
		}
		return true
	})
	if err != nil || string(got) != "1e3d6c6a" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestMutated changes bytes of real files.
func TestMutated(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	read := 0
	names := []string{"libreoffice.xls", "gnumeric-biff7.xls", "formulas.xls"}
	const rounds = 40
	for _, name := range names {
		whole := fixture(t, name)
		for range rounds {
			data := bytes.Clone(whole)
			for range 1 + random.IntN(20) {
				data[random.IntN(len(data))] = byte(random.Uint32())
			}
			if cells, _ := readAll(t, data); cells > 0 {
				read++
			}
		}
	}
	if read < rounds*len(names)*8/10 {
		t.Errorf("%d of %d damaged files give cells", read, rounds*len(names))
	}
}

// TestCut reads the beginnings of files.
func TestCut(t *testing.T) {
	whole := fixture(t, "strings.xls")
	for size := 0; size < len(whole); size += 1999 {
		readAll(t, whole[:size])
	}
	stream := workbook(nil, record(recLabel, 0, 0, 0, 0, 0, 0, 1, 0, 0, 'a'))
	b := open(t, stream[:len(stream)-2], "")
	got := cells(t, b, sheet.Window{}, displayed(b))
	if len(got) != 1 || len(b.Warnings()) != 1 {
		t.Errorf("a stream without its end: %v, %v", got, b.Warnings())
	}
}

// TestLostList reads a workbook whose list of sheets is damaged.
func TestLostList(t *testing.T) {
	stream := workbook(record(recCountry, 1, 0, 1, 0), record(recLabel, 0, 0, 0, 0, 0, 0, 1, 0, 0, 'a'))
	stream[len(bof(5))+2] = 0xFF // the length of a record before the list
	b := open(t, stream, "")
	if got := cells(t, b, sheet.Window{}, displayed(b)); len(got) != 1 || got["Sheet1\t1\t0"] != "a" {
		t.Errorf("%v", got)
	}
}

func FuzzXLS(f *testing.F) {
	for _, name := range []string{"libreoffice.xls", "gnumeric-biff7.xls", "formulas.xls", "excel2011.xls"} {
		data := fixture(f, name)
		f.Add(data)
		f.Add(data[:len(data)*3/4])
	}
	f.Add(workbook(record(recSST, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 9, 'a', 'b'), record(recLabelSST, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 1<<20 {
			readAll(t, data)
		}
	})
}
