package meta

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

func open(t testing.TB, data []byte) *object.File {
	t.Helper()
	f, err := object.Open(bytes.NewReader(data), int64(len(data)), "user")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// fixture opens a file of the package object, where the program that wrote each is named.
func fixture(t testing.TB, name string) *object.File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "object", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return open(t, data)
}

// objects opens a file of objects with numbers from 1, the catalog first. It has no table.
func objects(t testing.TB, objects ...string) *object.File {
	t.Helper()
	var b strings.Builder
	b.WriteString("%PDF-1.7\n")
	for i, o := range objects {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	b.WriteString("trailer<</Root 1 0 R/Info 2 0 R>>")
	return open(t, []byte(b.String()))
}

func written(f *object.File) string {
	var b strings.Builder
	for _, e := range Outline(f) {
		fmt.Fprintf(&b, "%s%s %d\n", strings.Repeat(" ", e.Level-1), e.Title, e.Page)
	}
	return b.String()
}

func TestOutline(t *testing.T) {
	const reportlab = "Chapter 1 1\nChapter 2 2\n Chapter 3 3\n"
	for name, want := range map[string]string{
		"reportlab.pdf": reportlab, "packed.pdf": reportlab, "aes-256.pdf": reportlab,
		"fpdf2.pdf":    "Section 1 1\nSection 2 2\nSection 3 3\n",
		"chromium.pdf": "",
	} {
		if got := written(fixture(t, name)); got != want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// Each way to name a page, and entries that form circles.
func TestOutlineDestinations(t *testing.T) {
	f := objects(t,
		"<</Pages 3 0 R/Outlines 6 0 R/Dests<</old[5 0 R/Fit]>>/Names<</Dests 9 0 R>>>>", "<<>>",
		"<</Kids[4 0 R 5 0 R]>>", "<</Type/Page>>", "<</Type/Page>>",
		"<</First 7 0 R>>",
		"<</Title(a\\rb  c)/Dest[4 0 R/XYZ 0 0 0]/Next 8 0 R>>",
		"<</Title<FEFF00e9>/A<</S/GoTo/D(new)>>/First 7 0 R/Next 11 0 R>>",
		"<</Kids[9 0 R 10 0 R]>>", "<</Names[(new)<</D[5 0 R/Fit]>>(loop)(loop)]/Limits[(loop)(new)]>>",
		"<</Title(old)/Dest/old/First 12 0 R/Next 13 0 R>>",
		"<</Title(web)/A<</S/URI/URI(http://a)>>/Parent 11 0 R/Next 14 0 R>>",
		"<</Title(loop)/Dest(loop)/Next 15 0 R>>", "<</Title(index)/Dest[1/Fit]/Next 12 0 R>>", "<</Title(lost)/Dest(none)/Next 8 0 R>>",
	)
	if got, want := written(f), "a b c 1\né 2\nold 2\n web 0\n index 2\nloop 0\nlost 0\n"; got != want {
		t.Errorf("%s", got)
	}
}

func TestInfo(t *testing.T) {
	for name, want := range map[string]string{
		"reportlab.pdf":         "Grüße aus Köln|Ann (the author)|3",
		"reportlab-updated.pdf": "Changed title||3",
		"aes-128-metadata.pdf":  "Grüße aus Köln|Ann (the author)|3",
		"fpdf2.pdf":             "日本語 title||3",
		"chromium.pdf":          "From a browser||2",
		"packed-linearized.pdf": "Grüße aus Köln|Ann (the author)|3",
	} {
		i := Info(fixture(t, name))
		if got := fmt.Sprintf("%s|%s|%d", i.Title, i.Author, i.Pages); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestInfoFromXMP(t *testing.T) {
	xmp := `<?xpacket begin="?" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:d="http://purl.org/dc/elements/1.1/"><d:title><rdf:Alt><rdf:li xml:lang="x-default">The
title</rdf:li><rdf:li xml:lang="de">Der Titel</rdf:li></rdf:Alt></d:title><d:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></d:creator>`
	f := objects(t, "<</Type/Catalog/Pages 3 0 R/Metadata 5 0 R>>", "<</Author( )>>", "<</Kids[4 0 R]>>", "<</Type/Page>>",
		fmt.Sprintf("<</Type/Metadata/Length %d>>stream\n%s\nendstream", len(xmp), xmp))
	if i := Info(f); i.Title != "The title" || i.Author != "Ann, Bob" {
		t.Errorf("%+v", i)
	}
}

func TestLinks(t *testing.T) {
	f := fixture(t, "reportlab.pdf")
	for p := range f.Pages() {
		got := Links(f, p)
		if len(got) != 1 || got[0].URI != "https://example.org/?a=(b)" || got[0].Rect != (object.Rect{X0: 50, Y0: 400, X1: 150, Y1: 420}) {
			t.Errorf("page %d: %+v", p.Number, got)
		}
	}
	f = fixture(t, "chromium.pdf")
	if got := Links(f, f.Page(1)); len(got) != 1 || got[0].URI != "https://example.org/" {
		t.Errorf("%+v", got)
	}
	for in, want := range map[string]string{" http://a/b c ": "http://a/b%20c", "http://\xe9": "http://é", "a\nb": "", "": ""} {
		if got := address(object.String(in)); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// What a damaged file says of itself ends, and stays within its limits.
func FuzzMeta(f *testing.F) {
	for _, name := range []string{"reportlab.pdf", "fpdf2.pdf", "chromium.pdf"} {
		data, err := os.ReadFile(filepath.Join("..", "object", "testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
		f.Add(bytes.ReplaceAll(data, []byte(" 0 R"), []byte(" 7 R")))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := object.Open(bytes.NewReader(data), int64(len(data)), "")
		if err != nil {
			return
		}
		i := Info(file)
		for _, e := range Outline(file) {
			if e.Page > i.Pages || e.Level > maxLevel || len(e.Title) > 4*maxTitle+len("…") {
				t.Fatalf("%+v", e)
			}
		}
		for p := range file.Pages() {
			Links(file, p)
			if p.Number == 10 {
				break
			}
		}
	})
}

// The nodes of a tree of names that lead to themselves are many, but not without end.
func TestEndlessNames(t *testing.T) {
	f := objects(t, "<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Kids 4 0 R>>>>/Outlines<</First 5 0 R>>>>", "<</Kids[3 0 R]>>", "<</Type/Page>>",
		"[<</Kids 4 0 R>><</Kids 4 0 R>>]", "<</Title(lost)/Dest(nowhere)>>")
	if got := fmt.Sprint(Outline(f)); got != "[{lost 1 0}]" {
		t.Error(got)
	}
}
