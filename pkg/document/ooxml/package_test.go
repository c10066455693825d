package ooxml

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func opened(t *testing.T, parts ...string) (*Package, error) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		f, err := w.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(parts[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
}

func TestPackage(t *testing.T) {
	const strict = "http://purl.oclc.org/ooxml/officeDocument/relationships/"
	p, err := opened(t,
		"[Content_Types].xml", `<Types><Default Extension="PNG" ContentType="image/png"/><Override PartName="/odd/Main.xml" ContentType="main"/></Types>`,
		"_rels/.rels", `<Relationships><Relationship Id="rId1" Type="`+strict+`officeDocument" Target="/odd/main.xml"/><Relationship Id="c" Type="x/core-properties" Target="core"/></Relationships>`,
		"odd/main.xml", "<x/>",
		"odd/_rels/main.xml.rels", `<Relationships><Relationship Id="a" Type="x/image" Target="../media/i%201.png"/><Relationship Id="b" Type="x/hyperlink" Target="http://a/b#c" TargetMode="External"/><Relationship Id="up" Type="x/image" Target="../../../etc/passwd"/></Relationships>`,
		"core", `<cp:coreProperties><dc:title>T &amp; U</dc:title><dc:creator>Ann</dc:creator></cp:coreProperties>`,
		"media/i 1.png", "\x89PNG\r\n\x1a\n0000IHDR",
	)
	if err != nil {
		t.Fatal(err)
	}
	if about := p.Properties(); about != (Properties{"T & U", "Ann"}) || p.Main() != "odd/main.xml" || p.ContentType(p.Main()) != "main" || p.ContentType("media/x.png") != "image/png" {
		t.Errorf("%+v, %s", about, p.Main())
	}
	rels := p.Relations(p.Main())
	for id, want := range map[string]string{"a": "media/i 1.png", "b": "http://a/b#c", "up": "etc/passwd", "none": ""} {
		if r, ok := rels.Get(id); r.Target != want || ok != (want != "") || r.External != (id == "b") {
			t.Errorf("%s: %+v", id, r)
		}
	}
	image, _ := rels.Of("image")
	if i, err := p.Image(image, "alt"); err != nil || i.MIME != "image/png" || i.Alt != "alt" || len(i.Data) != 16 {
		t.Errorf("%+v, %v", i, err)
	}
}

// A package is read by the usual names if its own records are damaged, and something else
// is refused.
func TestDamagedPackage(t *testing.T) {
	p, err := opened(t, "_rels/.rels", "<Rela", "word/document.xml", "<w:document/>")
	if err != nil || p.Main() != "word/document.xml" {
		t.Errorf("%v", err)
	}
	if _, err = opened(t, "photo.jpg", "x"); !fault.Is(err, fault.UnsupportedContent) || !strings.Contains(err.Error(), "no main part") {
		t.Errorf("%v", err)
	}
}
