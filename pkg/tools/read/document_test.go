package read

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/open"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
)

// samples calls try with each document that the readers are tested with: files that other
// programs wrote.
func samples(t *testing.T, try func(t *testing.T, name string, content []byte)) {
	t.Helper()
	const dir = "../../document"
	found := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(path, "testdata") || strings.Contains(path, "fuzz") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		k := kind.Of(content[:min(len(content), 8<<10)], path, strings.NewReader(string(content)), int64(len(content)))
		if k.Class != kind.Document || !open.Reads(k.MIME) {
			return nil
		}
		found++
		name, err := filepath.Rel(dir, path)
		t.Run(filepath.ToSlash(name), func(t *testing.T) { try(t, filepath.Base(path), content) })
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 30 {
		t.Errorf("there are only %d documents", found)
	}
}

// Paging to the end and joining the parts gives the whole, and no page cuts a block that
// fits into one.
func TestDocumentPages(t *testing.T) {
	samples(t, func(t *testing.T, name string, content []byte) {
		call, _ := world(t, map[string]string{name: string(content)})
		whole, err := run(t.Context(), call, args(Args{Path: name, MaxBytes: 1 << 20, Limit: 100_000}))
		if fault.Is(err, fault.EncryptedDocument) || fault.Is(err, fault.UnsupportedContent) {
			return
		}
		if err != nil || whole.Content == nil || whole.Truncated {
			t.Fatalf("%v, truncated: %v", err, whole.Truncated)
		}
		for _, size := range []Args{{Limit: 7, MaxBytes: 1 << 20}, {Limit: 100_000, MaxBytes: 1200}} {
			a := args(Args{Path: name, Limit: size.Limit, MaxBytes: size.MaxBytes})
			var pages []string
			for n := 0; ; n++ {
				r, err := run(t.Context(), call, a)
				if err != nil {
					t.Fatalf("page %d, %+v: %v", n+1, a, err)
				}
				if again, err := run(t.Context(), call, a); err != nil || again.Content.Content != r.Content.Content {
					t.Fatalf("page %d differs when it is read again: %v", n+1, err)
				}
				pages = append(pages, r.Content.Content)
				if !r.Truncated {
					break
				}
				if n > 2000 || r.NextOffset == 0 && r.NextRange == "" {
					t.Fatalf("page %d does not lead on: %+v", n+1, a)
				}
				if a.Offset, a.Range = r.NextOffset, r.NextRange; a.Offset == 0 {
					a.Offset, a.Sheet = 1, ""
				}
			}
			if len(pages) > 1 && whole.Document.Sheets == nil {
				if got := strings.Join(pages, ""); got != whole.Content.Content {
					t.Errorf("%+v: %d pages are not the whole:\n%s", size, len(pages), firstDifference(got, whole.Content.Content))
				}
			} else if whole.Document.Sheets != nil {
				if got, want := rowsOf(strings.Join(pages, "\n")), rowsOf(whole.Content.Content); !slices.Equal(got, want) {
					t.Errorf("%+v: %d pages have the rows\n%s\nand the whole\n%s", size, len(pages), strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		}
	})
}

// firstDifference shows where two texts part.
func firstDifference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-80)
	return "pages: " + a[from:min(len(a), i+80)] + "\nwhole: " + b[from:min(len(b), i+80)]
}

var (
	sheetHeading = regexp.MustCompile(`^## Sheet (\d+)/`)
	emptyCells   = regexp.MustCompile(`\|( \|)+`)
	sheetRow     = regexp.MustCompile(`^\| (\d+) \|`)
)

// rowsOf returns the rows of each sheet, in their order.
func rowsOf(markdown string) (rows []string) {
	sheet := ""
	for line := range strings.Lines(markdown) {
		if m := sheetHeading.FindStringSubmatch(line); m != nil {
			sheet = m[1]
		}
		if strings.HasPrefix(line, "Chart at ") {
			sheet = "" // its table has no rows of the sheet
		}
		if m := sheetRow.FindStringSubmatch(line); m != nil && sheet != "" {
			// A page has the columns that its rows have; a long row goes on in the next page.
			cells := strings.Trim(emptyCells.ReplaceAllString(strings.TrimSpace(line)[len(m[0]):], "|"), "| ")
			key := sheet + "!" + m[1] + ":"
			if n := len(rows); n > 0 && strings.HasPrefix(rows[n-1], key) {
				rows[n-1] += " | " + cells
				continue
			}
			rows = append(rows, key+" "+cells)
		}
	}
	slices.SortStableFunc(rows, func(a, b string) int { return strings.Compare(a, b) })
	return rows
}

// Every image is saved with the bytes that the document has, once, and nothing is written
// in a read-only run.
func TestDocumentImages(t *testing.T) {
	saved := 0
	samples(t, func(t *testing.T, name string, content []byte) {
		call, _ := world(t, map[string]string{name: string(content)})
		root, err := call.Env.Root()
		if err != nil {
			t.Fatal(err)
		}
		whole, err := run(t.Context(), call, args(Args{Path: name, MaxBytes: 1 << 20, Limit: 100_000, Images: saveImages}))
		if err != nil {
			return // TestDocumentPages knows which fail
		}
		seen := map[string]bool{}
		for _, m := range whole.Media {
			if m.Path == "" {
				continue
			}
			saved++
			info, err := os.Stat(filepath.Join(root.Dir(), filepath.FromSlash(m.Path)))
			if err != nil || info.Size() != m.Bytes || seen[m.Path] {
				t.Errorf("%+v: %v", m, err)
			}
			seen[m.Path] = true
			if !strings.Contains(whole.Content.Content, m.Path) {
				t.Errorf("%s is not in the text", m.Path)
			}
		}
		call, _ = world(t, map[string]string{name: string(content)})
		call.Env.ReadOnly = true
		listed, err := run(t.Context(), call, args(Args{Path: name, MaxBytes: 1 << 20, Limit: 100_000, Images: saveImages}))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range listed.Media {
			if m.Path != "" {
				t.Errorf("a read-only run says that it saved %s", m.Path)
			}
		}
		root, err = call.Env.Root()
		if err != nil {
			t.Fatal(err)
		}
		if entries, err := os.ReadDir(root.Dir()); err != nil || len(entries) != 1 {
			t.Errorf("a read-only run wrote %v, %v", entries, err)
		}
	})
	if saved < 5 {
		t.Errorf("only %d images were saved", saved)
	}
}

// Of several parts of a sheet, all are named, not the last one alone.
func TestSheetParts(t *testing.T) {
	call, _ := world(t, map[string]string{"a.csv": "1,2,3\n4,5,6\n"})
	r, err := run(t.Context(), call, args(Args{Path: "a.csv", Sheet: "1", Range: "A1:A2,Z9,C1:C2", Limit: 100, MaxBytes: 1 << 16}))
	if err != nil || len(r.Document.Sheets) != 1 || r.Document.Sheets[0].Range != "A1:A2,C1:C2" {
		t.Errorf("%v: %+v", err, r.Document)
	}
}
