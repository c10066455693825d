package odf

import (
	"archive/zip"
	"bytes"
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/testing/documenttest"
)

var update = flag.Bool("update", false, "renew the Markdown in testdata")

func load(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func open(t testing.TB, data []byte) *Document {
	t.Helper()
	d, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// showing returns a request whose images are named by their media type.
func showing(images *[]document.Image) *document.Request {
	return &document.Request{Image: func(i document.Image) string {
		*images = append(*images, i)
		return "image." + i.MIME[strings.IndexByte(i.MIME, '/')+1:]
	}}
}

func TestRender(t *testing.T) {
	for _, name := range []string{"report.odt", "contract.odt", "handbook.odt", "slides.odp"} {
		t.Run(name, func(t *testing.T) {
			var images []document.Image
			got := documenttest.Render(t, open(t, load(t, name)), showing(&images))
			golden(t, "testdata/"+name+".md", got)
			if len(images) != 1 || !bytes.Equal(images[0].Data, part(t, name, ".png")) {
				t.Errorf("%d images, or one that is not the file's", len(images))
			}
		})
	}
}

// golden compares a text with the content of a file, or writes the file.
func golden(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

// part returns the first part of a document in testdata whose name has an ending.
func part(t *testing.T, file, ending string) []byte {
	t.Helper()
	data := load(t, file)
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, ending) || strings.HasPrefix(f.Name, "Thumbnails/") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	t.Fatalf("%s has no part %s", file, ending)
	return nil
}

// The words are those that LibreOffice reads. Its text has no formulas, and no notes, only
// where they are; its slides have neither notes nor what is hidden.
func TestWords(t *testing.T) {
	note := regexp.MustCompile(`\[\^(\w+)\]`)
	slide := regexp.MustCompile(`(?m)^## Slide \d+:|^> Notes:.*\n(?:>.*\n)*|</?(?:ins|del|sub|sup)>|\]\(http[^)]*\)|\$[^$]+\$`)
	for name, q := range map[string]*document.Request{
		"report.odt":   {},
		"contract.odt": {Changes: document.All},
		"slides.odp":   {Pages: "1-3"},
	} {
		got, _, _ := strings.Cut(documenttest.Render(t, open(t, load(t, name)), q), "\n[^")
		got = strings.Replace(got, "visible words", "hidden wordsvisible words", 1) // LibreOffice's text has what is hidden
		got = note.ReplaceAllString(slide.ReplaceAllString(strings.ReplaceAll(got, "<br>", " "), ""), "$1")
		if f1 := documenttest.WordsF1(got, string(load(t, name+".txt"))); f1 < .97 {
			t.Errorf("%s: F1 of the words is %.3f", name, f1)
		}
	}
}

// A flat file says the same as the package.
func TestChanges(t *testing.T) {
	for changes, want := range map[document.Changes]string{
		"":              "The price is twelve euros.\n\nA merged\n\npair of paragraphs.\n\nKept. End.",
		document.Accept: "The price is twelve euros.\n\nA merged\n\npair of paragraphs.\n\nKept. End.",
		document.Reject: "The price is ten euros.\n\nA merged pair of paragraphs.\n\nKept. Removed sentence. End.",
		document.All:    "The price is <del>ten</del><ins>twelve</ins> euros.\n\nA merged\n\npair of paragraphs.\n\nKept. <del>Removed sentence.</del> End.",
	} {
		for _, name := range []string{"contract.odt", "contract.fodt"} {
			got := documenttest.Render(t, open(t, load(t, name)), &document.Request{Changes: changes})
			if !strings.Contains(got, want) {
				t.Errorf("%s %q: got\n%s", name, changes, got)
			}
		}
	}
}

func TestFlatImage(t *testing.T) {
	var images []document.Image
	documenttest.Render(t, open(t, load(t, "contract.fodt")), showing(&images))
	if len(images) != 1 || !bytes.Equal(images[0].Data, part(t, "contract.odt", ".png")) {
		t.Errorf("got %d images", len(images))
	}
}

func TestInfo(t *testing.T) {
	for name, want := range map[string]document.Info{
		"report.odt":    {Format: "odt", Title: "Field report", Author: "Ann Lee"},
		"contract.fodt": {Format: "fodt", Title: "Contract", Author: "Ann Lee"},
		"slides.odp":    {Format: "odp", Title: "Review", Author: "Ann Lee", Slides: 4},
		"locked.odt":    {Format: "odt"},
	} {
		if got := open(t, load(t, name)).Info(); got != want {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestPages(t *testing.T) {
	d := open(t, load(t, "slides.odp"))
	got := documenttest.Render(t, d, &document.Request{Pages: "2,4"})
	if strings.Count(got, "## Slide") != 2 || !strings.Contains(got, "## Slide 2: Agenda") || !strings.Contains(got, "## Slide 4: Secret (hidden)") {
		t.Errorf("got\n%s", got)
	}
	err := d.Render(context.Background(), &document.Request{Pages: "7"}, markdown.NewWriter(markdown.Window{}))
	if !fault.Is(err, fault.OutOfRange) {
		t.Errorf("slide 7: %v", err)
	}
}

func TestPassword(t *testing.T) {
	d := open(t, load(t, "locked.odt"))
	for _, password := range []string{"", "Geheim"} {
		w := markdown.NewWriter(markdown.Window{})
		if err := d.Render(context.Background(), &document.Request{Password: password}, w); !fault.Is(err, fault.EncryptedDocument) || len(w.Bytes()) > 0 {
			t.Errorf("%q: %v, %q", password, err, w.Bytes())
		}
	}
	if got := documenttest.Render(t, d, &document.Request{Password: "geheim"}); got != "# Top secret\n\nNobody reads *this*.\n" {
		t.Errorf("got %q", got)
	}
}

// flat returns a flat text with a body.
func flat(body string) []byte {
	return []byte(`<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 office:mimetype="application/vnd.oasis.opendocument.text">` + body + `</office:document>`)
}

// Documents that claim much cost little.
func TestHostile(t *testing.T) {
	text := func(s string) []byte { return flat("<office:body><office:text>" + s + "</office:text></office:body>") }
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	for name, data := range map[string][]byte{
		"repeated rows and columns": text(`<table:table><table:table-row table:number-rows-repeated="1000000000"><table:table-cell table:number-columns-repeated="1000000000"><text:p>` +
			many("x", 1000) + `</text:p></table:table-cell></table:table-row></table:table>`),
		"nested tables":     text(many(`<table:table><table:table-row table:number-rows-repeated="1000"><table:table-cell table:number-columns-repeated="1000">`, 60) + "<text:p>x</text:p>"),
		"nested lists":      text(many("<text:list><text:list-item>", 200) + "<text:p>x</text:p>"),
		"nested notes":      text(many("<text:p><text:note><text:note-body>", 100) + "<text:p>x</text:p>"),
		"nested boxes":      text(many("<text:p><draw:frame><draw:text-box>", 100) + "<text:p>x</text:p>"),
		"spaces":            text("<text:p>a" + many(`<text:s text:c="1000000000"/>`, 2_000) + "</text:p>"),
		"alternating style": text("<text:p>" + many(`a<text:span text:style-name="B"> </text:span>`, 20_000) + "</text:p>"),
		"one paragraph":     text("<text:p>" + many("word ", 200_000) + "</text:p>"),
		"itself as object":  text(many(`<text:p><draw:frame><draw:object xlink:href="."/></draw:frame></text:p>`, 100)),
		"a cycle of styles": flat(`<office:styles><style:style style:name="A" style:family="paragraph" style:parent-style-name="B"/>
<style:style style:name="B" style:family="paragraph" style:parent-style-name="A"/></office:styles><office:body><office:text>` + many(`<text:p text:style-name="A">x</text:p>`, 1000)),
		"a deletion again and again": flat(`<office:body><office:text><text:tracked-changes><text:changed-region text:id="c"><text:deletion><text:p>` + many("x", 10_000) +
			`</text:p></text:deletion></text:changed-region></text:tracked-changes><text:p>` + many(`<text:change text:change-id="c"/>`, 10_000) + "</text:p>"),
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, data)
			w := markdown.NewWriter(markdown.Window{})
			err := d.Render(context.Background(), &document.Request{Changes: document.All}, w)
			if err != nil && !fault.Is(err, fault.BadDocument) {
				t.Error(err)
			}
			if len(w.Bytes()) > markdown.MaxBytes+2*maxHeld {
				t.Errorf("%d bytes", len(w.Bytes()))
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		code fault.Code
	}{
		"empty":      {nil, fault.BadDocument},
		"text":       {[]byte("hello"), fault.BadDocument},
		"a database": {[]byte(`<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:mimetype="application/vnd.oasis.opendocument.base"/>`), fault.UnsupportedContent},
	} {
		if _, err := Open(bytes.NewReader(c.data), int64(len(c.data))); !fault.Is(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is damaged beside the content costs only itself.
func TestDamagedParts(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range map[string][]byte{"mimetype": []byte("application/vnd.oasis"), "styles.xml": []byte("<office:document-styles><x"), "content.xml": part(t, "report.odt", "content.xml")} {
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	warned := 0
	got := documenttest.Render(t, open(t, b.Bytes()), &document.Request{Warn: func(fault.Text) { warned++ }})
	if !strings.Contains(got, "# Introduction") || warned != 1 {
		t.Errorf("%d warnings, got\n%s", warned, got)
	}
}

// mutated returns a file with a few bytes changed, or its end cut off.
func mutated(r *rand.Rand, data []byte) []byte {
	b := bytes.Clone(data)
	for range 1 + r.IntN(8) {
		b[r.IntN(len(b))] = byte(r.IntN(256))
	}
	if r.IntN(8) == 0 {
		b = b[:r.IntN(len(b))]
	}
	return b
}

// Damaged files give what is left, or say that they are damaged.
func TestMutated(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	report := load(t, "report.odt")
	content := flat("")
	content = append(content[:bytes.LastIndex(content, []byte("</"))], part(t, "handbook.odt", "content.xml")...)
	check(t, report[:6000])
	for range 300 {
		check(t, mutated(r, report))
		check(t, mutated(r, content))
	}
}

// check reads a document whose bytes may be anything.
func check(t *testing.T, data []byte) {
	d, err := Open(bytes.NewReader(data), int64(len(data)))
	if err == nil {
		w := markdown.NewWriter(markdown.Window{Bytes: 1 << 20})
		d.Info()
		q := &document.Request{Changes: document.All, Image: func(document.Image) string { return "x" }}
		if err = d.Render(context.Background(), q, w); len(w.Bytes()) > 16<<20 {
			t.Errorf("%d bytes for a window of 1 MiB", len(w.Bytes()))
		}
	}
	if err != nil && fault.Is(err, fault.Internal) {
		t.Error(err)
	}
}

func FuzzODT(f *testing.F) {
	f.Add(load(f, "report.odt"))
	f.Add(load(f, "slides.odp"))
	f.Add(load(f, "report.odt")[:9000])
	f.Add(flat(`<office:body><office:text><text:list><text:list-item><text:p>x</text:p></text:list-item></text:list></office:text></office:body>`))
	f.Fuzz(check)
}
