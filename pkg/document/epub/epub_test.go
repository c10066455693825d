package epub

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

// read returns a book as Markdown, and the warnings.
func read(t testing.TB, raw []byte) (string, []string, error) {
	t.Helper()
	d, err := Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return "", nil, err
	}
	var warnings []string
	q := document.Request{
		Image: func(i document.Image) string {
			return fmt.Sprintf("%s-%d", strings.TrimPrefix(i.MIME, "image/"), len(i.Data))
		},
		Warn: func(w fault.Text) { warnings = append(warnings, w.String()) },
	}
	w := markdown.NewWriter(markdown.Window{})
	err = d.Render(t.Context(), &q, w)
	return string(w.Bytes()), warnings, err
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name + ".epub")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

var programs = [...]string{"ebooklib", "libreoffice", "pandoc-epub2", "pandoc-epub3"}

// Books that several programs wrote are read as was checked by eye.
func TestBooks(t *testing.T) {
	for _, program := range programs {
		want, err := os.ReadFile("testdata/" + program + ".md")
		if err != nil {
			t.Fatal(err)
		}
		raw := fixture(t, program)
		text, warnings, err := read(t, raw)
		if err != nil || len(warnings) > 0 || text != string(want) {
			t.Errorf("%s: %v, %q\n%s", program, err, warnings, text)
		}
		d, err := Open(bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			t.Fatal(err)
		}
		entries, err := d.contents()
		if err != nil {
			t.Fatal(err)
		}
		var outline []string
		for _, e := range entries {
			outline = append(outline, strings.Repeat("  ", e.level-1)+e.title)
		}
		switch info, outline := d.Info(), strings.Join(outline, "\n"); program {
		case "pandoc-epub2", "pandoc-epub3":
			if info != (document.Info{Format: "epub", Title: "The Small Book", Author: "Ann Example, Bob Writer", Chapters: 4}) || !strings.HasSuffix(outline, "First chapter\n  A section\nSecond chapter\nDritte 第三章") {
				t.Errorf("%s: %+v\n%s", program, info, outline)
			}
		case "ebooklib":
			if info.Title != "Ebooklib & friends" || outline != "Titled by the contents\nPart two\n  Notes\n  Definitions" {
				t.Errorf("%s: %+v\n%s", program, info, outline)
			}
		}
	}
}

// Pictures are the bytes of their parts.
func TestPictures(t *testing.T) {
	raw := fixture(t, "ebooklib")
	want := partsOf(t, raw)["EPUB/images/red box.png"]
	d, err := Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	q := document.Request{Image: func(i document.Image) string {
		if n++; i.MIME != "image/png" || !bytes.Equal(i.Data, want) {
			t.Errorf("%s of %d bytes", i.MIME, len(i.Data))
		}
		return "p"
	}}
	if err := d.Render(t.Context(), &q, markdown.NewWriter(markdown.Window{})); err != nil || n != 2 || len(want) == 0 {
		t.Errorf("%d pictures, %v", n, err)
	}
}

var (
	word  = regexp.MustCompile(`[\p{L}\p{N}_]+`)
	marks = regexp.MustCompile(`\]\(.*?\)|&[a-z]+;|\x60\x60\x60.*`)
)

// The words are those that pandoc reads, but for its table of contents and the marks of notes.
func TestWords(t *testing.T) {
	raw, err := os.ReadFile("testdata/words.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string][]string
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	for _, program := range programs {
		text, _, err := read(t, fixture(t, program))
		if err != nil {
			t.Fatal(err)
		}
		got := word.FindAllString(marks.ReplaceAllString(text, " "), -1)
		count := map[string]int{}
		for _, w := range want[program] {
			count[w]++
		}
		same := 0
		for _, w := range got {
			if count[w] > 0 {
				count[w]--
				same++
			}
		}
		if score := 2 * float64(same) / float64(len(got)+len(want[program])); score < .88 {
			t.Errorf("%s: %.3f: %q, want %q", program, score, got, want[program])
		} else {
			t.Logf("%s: %.3f", program, score)
		}
	}
}

// partsOf returns the parts of a book.
func partsOf(t testing.TB, raw []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if parts[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return parts
}

// packed returns a book of parts.
func packed(t testing.TB, parts map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	var names []string
	for name := range parts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(parts[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
