package epub

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

// small returns a book of chapters a.xhtml, b.xhtml, …
func small(chapters ...string) map[string][]byte {
	parts := map[string][]byte{}
	manifest, spine := "", ""
	for i, text := range chapters {
		name := string(rune('a' + i))
		parts["OEBPS/"+name+".xhtml"] = []byte(`<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body>` + text + `</body></html>`)
		manifest += fmt.Sprintf(`<item id="%s" href="%s.xhtml" media-type="application/xhtml+xml"/>`, name, name)
		spine += fmt.Sprintf(`<itemref idref="%s"/>`, name)
	}
	parts["META-INF/container.xml"] = []byte(`<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`)
	parts["OEBPS/book.opf"] = []byte(`<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>` + manifest + `</manifest><spine>` + spine + `</spine></package>`)
	return parts
}

func TestChapters(t *testing.T) {
	for _, c := range []struct {
		name     string
		chapters []string
		want     string
	}{
		{"empty elements", []string{`<p>a<i/> b<a id="x"/> c<span/></p><script src="s.js"/><p>d &lt;br/&gt; 1 < 2 / 3 <!-- <a/> --> e</p>`}, "a b c\n\nd &lt;br/&gt; 1 &lt; 2 / 3 e\n"},
		{"notes on another page", []string{`<p>x<a epub:type="noteref" href="b.xhtml#n1"><sup>1</sup></a> y<sup><a role="doc-noteref" href="b.xhtml#n2">2</a></sup></p>`, `<h2>Notes</h2><ol><li id="n2"><p>two <a role="doc-backlink" href="a.xhtml#r2">back</a></p></li><li id="n1"><p>one</p></li></ol>`},
			"x[^1] y[^2]\n\n## Notes\n\n[^1]: one\n[^2]: two\n"},
		{"notes without types", []string{`<p>x<sup><a href="#n" id="r">*</a></sup> y<sup><a href="#gone">2</a></sup> z</p><hr/><p><a id="n"></a><sup><a href="#r">*</a></sup> the note</p>`}, "x[^1] y<sup>2</sup> z\n\n* * *\n\n[^1]: the note\n"},
		{"hidden", []string{`<p>a <span style="color: red; Display : none">b</span>c</p><div hidden=""><p>d <i hidden="hidden">e</i></p></div><p style="display:block">f</p>`}, "a c\n\nf\n"},
		{"links", []string{`<p><a href="b.xhtml#x">inside</a> <a href="https://example.org">outside</a> <a href="javascript:x()">script</a></p>`, "<p>b</p>"}, "inside [outside](https://example.org) script\n\nb\n"},
		{"above and below the line", []string{`<p>10<sup>2</sup> H<sub>2</sub>O <ruby>漢<rt>kan</rt></ruby> <ruby>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby></p>`}, "10<sup>2</sup> H<sub>2</sub>O 漢(kan) 字(ji)\n"},
		{"equations", []string{`<p>x <math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi><mn>2</mn></mfrac></math> y</p><math display="block"><mi>z</mi></math>`}, "x $\\frac{a}{2}$ y\n\n$$z$$\n"},
		{"drawings", []string{`<p>x</p><svg xmlns="http://www.w3.org/2000/svg"><path d="M0"/><text>one <tspan>two</tspan></text><g><text>three</text></g></svg>`}, "x\n\none two three\n"},
		{"pictures", []string{`<p><img src="I.PNG" alt="a]b"/> <img src="none.png" alt="gone"/></p>`}, "![a)b](-3)\n"},
	} {
		parts := small(c.chapters...)
		parts["OEBPS/i.png"] = []byte("png")
		got, _, err := read(t, packed(t, parts))
		if err != nil && !fault.Is(err, fault.NotFound) || got != c.want {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
	}
}

// Tags that have no end take no time that grows with their square.
func TestEndlessTags(t *testing.T) {
	endless := strings.Repeat("<a ", 1_000_000)
	got := expand("<p/>x 1 < 2 <b/>" + endless)
	if want := "<p></p>x 1 < 2 <b></b>" + endless; got != want {
		t.Errorf("%d bytes of %d", len(got), len(want))
	}
}

// Books are read although their programs wrote them badly.
func TestBroken(t *testing.T) {
	const chapter = "<p>x</p>"
	replace := func(parts map[string][]byte, part, old, by string) map[string][]byte {
		changed := strings.ReplaceAll(string(parts[part]), old, by)
		if changed == string(parts[part]) {
			t.Fatalf("%s has no %s", part, old)
		}
		parts[part] = []byte(changed)
		return parts
	}
	move := func(parts map[string][]byte, from, to string) map[string][]byte {
		parts[to] = parts[from]
		delete(parts, from)
		return parts
	}
	const opf = "OEBPS/book.opf"
	for name, c := range map[string]struct {
		parts    map[string][]byte
		want     string
		warnings int
	}{
		"no container":        {move(small(chapter), "META-INF/container.xml", "x"), "x\n", 0},
		"percent-encoding":    {move(replace(small(chapter), opf, "a.xhtml", "ch%201%25.xhtml"), "OEBPS/a.xhtml", "OEBPS/ch 1%.xhtml"), "x\n", 0},
		"no percent-encoding": {move(replace(small(chapter), opf, "a.xhtml", "100%25.xhtml"), "OEBPS/a.xhtml", "OEBPS/100%25.xhtml"), "x\n", 0},
		"wrong case":          {replace(small(chapter), opf, "a.xhtml", "A.XHTML"), "x\n", 0},
		"no spine":            {replace(small(chapter, "<p>y</p>"), opf, "itemref", "other"), "x\n\ny\n", 0},
		"missing chapter":     {move(small(chapter, "<p>y</p>"), "OEBPS/a.xhtml", "lost"), "y\n", 1},
		"twice in the spine":  {replace(small(chapter), opf, `<itemref idref="a"/>`, `<itemref idref="a"/><itemref idref="a"/>`), "x\n", 0},
		"a chapter that is a picture": {move(replace(small(chapter), opf, "application/xhtml+xml", "image/png"), "OEBPS/a.xhtml", "OEBPS/A.xhtml"),
			fmt.Sprintf("![](png-%d)\n", len(small(chapter)["OEBPS/a.xhtml"])), 0},
		"a chapter that is a PDF": {replace(small(chapter), opf, "application/xhtml+xml", "application/pdf"), "", 1},
	} {
		got, warnings, err := read(t, packed(t, c.parts))
		if err != nil || got != c.want || len(warnings) != c.warnings {
			t.Errorf("%s: %v, %q\n%s", name, err, warnings, got)
		}
	}
}

// Pages are found without a manifest.
func TestDamagedPackage(t *testing.T) {
	parts := small("<p>x</p>", "<p>y</p>")
	parts["OEBPS/book.opf"] = parts["OEBPS/book.opf"][:60]
	if got, _, err := read(t, packed(t, parts)); !fault.Is(err, fault.BadDocument) || got != "x\n\ny\n" {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestEncrypted(t *testing.T) {
	encrypted := func(algorithm, part string) []byte {
		parts := small("<p>x</p>")
		parts["META-INF/encryption.xml"] = fmt.Appendf(nil, `<encryption><enc:EncryptedData xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptionMethod Algorithm="%s"/><enc:CipherData><enc:CipherReference URI="%s"/></enc:CipherData></enc:EncryptedData></encryption>`, algorithm, part)
		return packed(t, parts)
	}
	if _, _, err := read(t, encrypted("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/a.xhtml")); !fault.Is(err, fault.EncryptedDocument) {
		t.Errorf("%v", err)
	}
	for algorithm, part := range map[string]string{"http://www.idpf.org/2008/embedding": "OEBPS/a.xhtml", "http://www.w3.org/2001/04/xmlenc#aes128-cbc": "OEBPS/font.otf"} {
		if got, _, err := read(t, encrypted(algorithm, part)); err != nil || got != "x\n" {
			t.Errorf("%s: %v\n%s", part, err, got)
		}
	}
}

func TestNoBook(t *testing.T) {
	if _, _, err := read(t, packed(t, map[string][]byte{"photo.jpg": nil})); !fault.Is(err, fault.UnsupportedContent) {
		t.Errorf("%v", err)
	}
	if _, _, err := read(t, packed(t, small())); !fault.Is(err, fault.BadDocument) {
		t.Errorf("%v", err)
	}
	if _, _, err := read(t, []byte("PK")); !fault.Is(err, fault.BadDocument) {
		t.Errorf("%v", err)
	}
}

// Blocks joined with blank lines are the text again, and code is in one.
func TestSplit(t *testing.T) {
	const text = "# a\n\nb\nc\n\n```\nd\n\ne\n```\n\n- f"
	all := slices.Collect(blocks(text))
	if len(all) != 4 || strings.TrimSpace(all[2]) != "```\nd\n\ne\n```" {
		t.Errorf("%q", all)
	}
	w := markdown.NewWriter(markdown.Window{})
	for _, b := range all {
		w.Block(b)
	}
	if string(w.Bytes()) != text+"\n" {
		t.Errorf("%s", w.Bytes())
	}
}

// What a book is made to be like ends, and is bounded.
func TestHostile(t *testing.T) {
	for name, parts := range map[string]map[string][]byte{
		"deep":      small(strings.Repeat("<div>", 100_000) + "x"),
		"formats":   small(strings.Repeat("<b><i><p>x", 10_000)),
		"open tags": small(strings.Repeat(`<a "`, 100_000)),
		"empty":     small(strings.Repeat("<p/>", 100_000)),
		"notes":     small(strings.Repeat(`<a epub:type="noteref" href="#n">1</a>`, 10_000) + strings.Repeat(`<ol><li id="n">`, 500)),
		"picture":   small(strings.Repeat(`<img src="a.xhtml"/>`, 1_000)),
	} {
		got, _, err := read(t, packed(t, parts))
		if len(got) > 1<<20 || err != nil && !fault.Is(err, fault.BadDocument) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

// Books with damaged parts are read as far as they go.
func TestMutated(t *testing.T) {
	whole := partsOf(t, fixture(t, "pandoc-epub3"))
	var names []string
	for name := range whole {
		if strings.HasSuffix(name, "ml") || strings.HasSuffix(name, ".opf") || strings.HasSuffix(name, ".ncx") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(2, seed))
		parts := maps.Clone(whole)
		for range 1 + random.IntN(3) {
			name := names[random.IntN(len(names))]
			content := bytes.Clone(parts[name])
			for range 1 + random.IntN(4) {
				at := random.IntN(len(content) + 1)
				switch random.IntN(3) {
				case 0:
					content = content[:at]
				case 1:
					content = slices.Insert(content, at, `<>"/=&#`[random.IntN(7)])
				default:
					content = slices.Delete(content, at, min(at+random.IntN(40), len(content)))
				}
			}
			parts[name] = content
		}
		got, _, err := read(t, packed(t, parts))
		if err != nil && !fault.Is(err, fault.BadDocument) && !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.UnsupportedContent) || len(got) > 1<<20 {
			t.Errorf("seed %d: %d bytes, %v", seed, len(got), err)
		}
	}
}

// Whatever a chapter holds, reading it ends, twice the same.
func FuzzEPUB(f *testing.F) {
	for name, content := range partsOf(f, fixture(f, "pandoc-epub2")) {
		if strings.HasSuffix(name, "html") || strings.HasSuffix(name, ".opf") {
			f.Add(string(content))
			f.Add(string(content[:len(content)/2]))
		}
	}
	f.Fuzz(func(t *testing.T, content string) {
		parts := small("<p>x</p>")
		parts["OEBPS/a.xhtml"] = []byte(content)
		raw := packed(t, parts)
		got, _, err := read(t, raw)
		if err != nil && !fault.Is(err, fault.BadDocument) && !fault.Is(err, fault.NotFound) {
			t.Fatal(err)
		}
		if again, _, _ := read(t, raw); again != got {
			t.Errorf("%q and %q", got, again)
		}
	})
}
