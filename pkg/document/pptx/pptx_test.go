package pptx

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

// read returns a presentation as Markdown.
func read(t testing.TB, raw []byte, q document.Request) (string, error) {
	t.Helper()
	d, err := Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return "", err
	}
	w := markdown.NewWriter(markdown.Window{})
	err = d.Render(t.Context(), &q, w)
	return string(w.Bytes()), err
}

func fixture(t testing.TB, program string) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + program + ".pptx")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Two programs wrote the same slides, and they are read the same.
func TestSlides(t *testing.T) {
	want, err := os.ReadFile("testdata/slides.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"python-pptx", "libreoffice"} {
		raw := fixture(t, program)
		parts := partsOf(t, raw)
		var pictures []string
		text, err := read(t, raw, document.Request{Image: func(i document.Image) string {
			pictures = append(pictures, fmt.Sprintf("%s %s %q", i.MIME, i.Anchor, i.Alt))
			for name, content := range parts {
				if strings.HasPrefix(name, "ppt/media/") && bytes.Equal(content, i.Data) {
					return "picture.png"
				}
			}
			t.Errorf("%s: a picture of %d bytes is no part", program, len(i.Data))
			return ""
		}})
		if err != nil || text != string(want) {
			t.Errorf("%s: %v\n%s", program, err, text)
		}
		if want := []string{`image/png slide 6 "a [red] box"`, `image/png slide 6 ""`, `image/png slide 6 "a blue box"`}; !slices.Equal(pictures, want) {
			t.Errorf("%s: %q", program, pictures)
		}
	}
}

func TestInfoAndOutline(t *testing.T) {
	raw := fixture(t, "python-pptx")
	d, err := Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := d.Info(), (document.Info{Format: "pptx", Title: "Annual review", Author: "Ann Example", Slides: 10}); got != want {
		t.Errorf("%+v", got)
	}
	entries, err := d.Outline(t.Context(), &document.Request{Pages: "7-"})
	want := []document.Entry{{Title: "Groups and emphasis", Level: 1, Page: 7}, {Title: "Hidden slide (hidden)", Level: 1, Page: 8}, {Title: "两栏 – Zwei Spalten", Level: 1, Page: 9}, {Title: "Slide 10", Level: 1, Page: 10}}
	if err != nil || !reflect.DeepEqual(entries, want) {
		t.Errorf("%+v, %v", entries, err)
	}
}

func TestPages(t *testing.T) {
	raw := fixture(t, "python-pptx")
	text, err := read(t, raw, document.Request{Pages: "10,2"})
	if want := "## Slide 10\n\nno title here\n\n## Slide 2: Agenda\n\n- Sales\n  - by region\n    - in detail\n  - by product\n- Costs\n"; err != nil || text != want {
		t.Errorf("%v\n%s", err, text)
	}
	if _, err = read(t, raw, document.Request{Pages: "11"}); !fault.Is(err, fault.OutOfRange) {
		t.Errorf("%v", err)
	}
}

var (
	slideHead = regexp.MustCompile(`(?m)^## Slide \d+:? ?`)
	word      = regexp.MustCompile(`[\p{L}\p{N}_]+`)
	mark      = regexp.MustCompile(`!\[.*|\]\(.*?\)|\*\(hidden\)\*|<br>|\\|(?m:^Chart.*$)`)
	marker    = regexp.MustCompile(`(?m:^ *[-0-9]+\.? )|a\) `)
)

// f1 is how well words agree, regardless of their order.
func f1(got, want []string) float64 {
	count := map[string]int{}
	for _, w := range want {
		count[w]++
	}
	same := 0
	for _, w := range got {
		if count[w] > 0 {
			count[w]--
			same++
		}
	}
	if len(got)+len(want) == 0 {
		return 1
	}
	return 2 * float64(same) / float64(len(got)+len(want))
}

// Each slide has the words that python-pptx finds, and those that people see on the page
// that LibreOffice prints.
func TestWords(t *testing.T) {
	raw, err := os.ReadFile("testdata/words.json")
	if err != nil {
		t.Fatal(err)
	}
	type slideWords struct{ Words, Notes []string }
	var judges map[string]struct {
		Parts   []slideWords `json:"python-pptx"`
		Printed [][]string   `json:"pdftotext"`
	}
	if err := json.Unmarshal(raw, &judges); err != nil {
		t.Fatal(err)
	}
	for program, want := range judges {
		text, err := read(t, fixture(t, program), document.Request{})
		if err != nil {
			t.Fatal(err)
		}
		slides := slideHead.Split(text, -1)[1:]
		if len(slides) != len(want.Parts) {
			t.Fatalf("%s: %d slides of %d", program, len(slides), len(want.Parts))
		}
		page := 0
		for i, s := range slides {
			body, notes, _ := strings.Cut(s, "> Notes:")
			body = mark.ReplaceAllString(body, " ")
			got := word.FindAllString(marker.ReplaceAllString(body, " "), -1)
			if score := f1(got, want.Parts[i].Words); score < 1 {
				t.Errorf("%s, slide %d: %.3f of python-pptx: %q, want %q", program, i+1, score, got, want.Parts[i].Words)
			}
			if score := f1(word.FindAllString(notes, -1), want.Parts[i].Notes); score < 1 {
				t.Errorf("%s, slide %d: notes %q", program, i+1, notes)
			}
			if strings.Contains(s, "*(hidden)*") {
				continue // it is not printed
			}
			got = word.FindAllString(body, -1)
			if score := f1(got, want.Printed[page]); score < .95 && !strings.Contains(s, "Chart") {
				t.Errorf("%s, slide %d: %.3f of the print: %q, want %q", program, i+1, score, got, want.Printed[page])
			}
			page++
		}
		if page != len(want.Printed) {
			t.Errorf("%s: %d pages of %d", program, page, len(want.Printed))
		}
	}
}

// partsOf returns the parts of a package.
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

// packed returns a package of parts.
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

// A strict presentation is read as a transitional one.
func TestStrict(t *testing.T) {
	parts := partsOf(t, fixture(t, "python-pptx"))
	strict := strings.NewReplacer(
		"http://schemas.openxmlformats.org/presentationml/2006/main", "http://purl.oclc.org/ooxml/presentationml/main",
		"http://schemas.openxmlformats.org/drawingml/2006/", "http://purl.oclc.org/ooxml/drawingml/",
		"http://schemas.openxmlformats.org/officeDocument/2006/", "http://purl.oclc.org/ooxml/officeDocument/",
	)
	want, err := read(t, packed(t, parts), document.Request{})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range parts {
		if strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".rels") {
			parts[name] = []byte(strict.Replace(string(content)))
		}
	}
	if !bytes.Contains(parts["ppt/presentation.xml"], []byte("purl.oclc.org")) {
		t.Fatal("not strict")
	}
	if got, err := read(t, packed(t, parts), document.Request{}); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}
