package xlsx

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

// all returns what a workbook holds, as far as it can be read, and the number of its cells.
func all(t testing.TB, data []byte, plain bool) (text string, cells int) {
	t.Helper()
	b, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		if fault.As(err).Code == fault.Internal {
			t.Errorf("no fault: %v", err)
		}
		return err.Error(), 0
	}
	b.plain = plain
	var out strings.Builder
	names, err := b.Names(t.Context())
	fmt.Fprintln(&out, b.Info(), b.Sheets(), len(names), err)
	for i := range b.Sheets() {
		w := sheet.Window{Range: sheet.All(), Formulas: true}
		last := 0
		err := b.Rows(t.Context(), i, w, func(r *sheet.Row) bool {
			if r.Number <= last || r.Number > sheet.MaxRows {
				t.Errorf("row %d after %d", r.Number, last)
			}
			last = r.Number
			column := -1
			for j := range r.Cells {
				c := &r.Cells[j]
				if c.Column <= column || c.Column >= sheet.MaxColumns {
					t.Errorf("row %d: column %d after %d", r.Number, c.Column, column)
				}
				column = c.Column
				cells++
				fmt.Fprintf(&out, "%d %d %q %q %v\n", r.Number, c.Column, displayed(b, c), c.Formula, c.Picture != nil)
			}
			return true
		})
		fmt.Fprintln(&out, err)
		x, err := b.Extras(t.Context(), i, w)
		fmt.Fprintln(&out, x.Merged, x.Links, x.Comments, len(x.Pictures), x.Charts, x.HiddenColumns, x.HiddenRows, err)
		v, err := b.Survey(t.Context(), i)
		fmt.Fprintln(&out, v.Used, v.Exact, err)
	}
	return out.String(), cells
}

func files(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.xlsx")
	if err != nil || len(names) < 7 {
		t.Fatalf("%q, %v", names, err)
	}
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	return names
}

// The fast path reads what the scanner reads.
func TestFastAsPlain(t *testing.T) {
	for _, file := range files(t) {
		data, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		fast, n := all(t, data, false)
		if plain, _ := all(t, data, true); n == 0 || fast != plain {
			t.Errorf("%s: %s\nand %s", file, fast, plain)
		}
	}
}

// damage changes the XML of a workbook a little: it drops, doubles or cuts tags, drops
// attributes, changes bytes, or cuts the part off.
func damage(r *rand.Rand, content []byte) []byte {
	tags := regexp.MustCompile(`<[^<>]*>`).FindAllIndex(content, -1)
	if len(tags) == 0 {
		return content
	}
	content = bytes.Clone(content)
	tag := tags[r.IntN(len(tags))]
	splice := func(from, to int, with string) []byte {
		return append(append(bytes.Clone(content[:from]), with...), content[to:]...)
	}
	switch r.IntN(8) {
	case 0:
		return splice(tag[0], tag[1], "")
	case 1:
		return splice(tag[0], tag[0], string(content[tag[0]:tag[1]]))
	case 2:
		return splice(tag[1]-1, tag[1], "")
	case 3:
		return content[:r.IntN(len(content))]
	case 4:
		if i := bytes.IndexByte(content[tag[0]:tag[1]], '"'); i >= 0 {
			return splice(tag[0]+i, tag[0]+i+1, "")
		}
	case 5:
		content[r.IntN(len(content))] = byte(r.IntN(256))
	case 6:
		i := r.IntN(len(content))
		return splice(i, i, []string{"&", "<", ">", "\x00", "&#x1;", "<![CDATA[x]]>", "<!-- -->", "<c/>", `<row r="1"/>`}[r.IntN(9)])
	case 7:
		i := r.IntN(len(content))
		return splice(i, min(len(content), i+1+r.IntN(40)), "")
	}
	return content
}

// Workbooks that are damaged a little still have content, and both paths read the same.
func TestDamagedXML(t *testing.T) {
	names := files(t)
	const count = 300
	read := 0
	for i := range count {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		data := rezip(t, names[i%len(names)], func(name string, content []byte) (string, []byte) {
			if strings.HasSuffix(name, ".xml") && r.IntN(2) == 0 {
				content = damage(r, content)
			}
			return name, content
		})
		fast, cells := all(t, data, false)
		if plain, _ := all(t, data, true); fast != plain {
			t.Errorf("%d of %s: %s\nand %s", i, names[i%len(names)], fast, plain)
		}
		if cells > 0 {
			read++
		} else {
			t.Logf("%d of %s: %s", i, names[i%len(names)], fast)
		}
	}
	if read*100 < count*97 {
		t.Errorf("only %d of %d have content", read, count)
	}
}

// Archives of which bytes are damaged end with a fault.
func TestDamagedArchive(t *testing.T) {
	names := files(t)
	for i := range 200 {
		data, err := os.ReadFile(filepath.Join("testdata", names[i%len(names)]))
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(i), 2))
		for range 1 + r.IntN(8) {
			data[r.IntN(len(data))] ^= byte(1 << r.IntN(8))
		}
		if r.IntN(4) == 0 {
			data = data[:r.IntN(len(data))]
		}
		all(t, data, false)
	}
}
