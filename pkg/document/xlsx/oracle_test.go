package xlsx

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/sheet"
)

func open(t testing.TB, name string) *Book {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return openBytes(t, data)
}

func openBytes(t testing.TB, data []byte) *Book {
	t.Helper()
	b, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// displayed returns what a cell displays.
func displayed(b *Book, c *sheet.Cell) string {
	switch {
	case c.Content == sheet.Empty && c.Formula != nil:
		return "=" + string(c.Formula)
	case c.Content == sheet.Number:
		if c.Format == nil || c.Format.Class() == numfmt.Text {
			// Excel shows as many digits as fit; LibreOffice writes all fifteen.
			return string(numfmt.AppendExact(nil, c.Number))
		}
		return c.Format.Text(c.Number, numfmt.Options{Date1904: b.date1904})
	case c.Content == sheet.Boolean && c.Number != 0:
		return "TRUE"
	case c.Content == sheet.Boolean:
		return "FALSE"
	case c.Content == sheet.Text && c.Format != nil:
		return c.Format.TextOf(string(c.Text))
	}
	return string(c.Text)
}

// cells returns what the cells of a sheet display, by their addresses.
func cells(t testing.TB, b *Book, index int, w sheet.Window) map[string]string {
	t.Helper()
	all := map[string]string{}
	if w.Range == (sheet.Range{}) {
		w.Range = sheet.All()
	}
	if err := b.Rows(context.Background(), index, w, func(r *sheet.Row) bool {
		for i := range r.Cells {
			all[sheet.Address{Row: r.Number, Column: r.Cells[i].Column}.String()] = displayed(b, &r.Cells[i])
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// LibreOffice displays the same in the first sheet of each file.
func TestDisplayedAsByLibreOffice(t *testing.T) {
	files, err := filepath.Glob("testdata/*.csv")
	if err != nil || len(files) < 7 {
		t.Fatalf("%q, %v", files, err)
	}
	equal, all := 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".csv") + ".xlsx"
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil && !strings.Contains(err.Error(), "wrong number of fields") {
			t.Fatalf("%s: %v", file, err)
		}
		ours := cells(t, open(t, name), 0, sheet.Window{})
		for i, record := range records {
			for j, want := range record {
				at := sheet.Address{Row: i + 1, Column: j}.String()
				got := ours[at]
				delete(ours, at)
				if got == "" && want == "" || strings.HasPrefix(got, "=") || explained(name, at, want) {
					continue
				}
				if all++; strings.TrimSpace(got) == strings.TrimSpace(want) {
					equal++
				} else {
					t.Logf("%s %s: %q, not %q", name, at, got, want)
				}
			}
		}
		for at, text := range ours {
			if text != "" {
				t.Errorf("%s %s: %q is not there", name, at, text)
			}
		}
	}
	t.Logf("%d of %d cells are equal", equal, all)
	if all < 2000 || equal*100 < all*99 {
		t.Errorf("only %d of %d cells are equal", equal, all)
	}
}

// explained reports whether LibreOffice is known to differ from Excel in a cell: README.md
// of testdata says how.
func explained(name, at, want string) bool {
	if !strings.HasSuffix(name, "formats.xlsx") {
		return false
	}
	column := strings.TrimRight(at, "0123456789")
	return want == "#FMT" || column == "AC" || column == "AG"
}
