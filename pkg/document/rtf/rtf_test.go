package rtf

import (
	"bytes"
	"context"
	bigendian "encoding/binary"
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

func TestRender(t *testing.T) {
	for name, q := range map[string]*document.Request{"report.rtf": {}, "contract.rtf": {Changes: document.All}, "pandoc.rtf": {}} {
		var image []byte
		q.Image = func(i document.Image) string {
			image = i.Data
			return "image.png"
		}
		got := documenttest.Render(t, open(t, load(t, name)), q)
		file := "testdata/" + name + ".md"
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := strings.ReplaceAll(string(load(t, name+".md")), "\r\n", "\n"); got != want {
			t.Errorf("%s: got\n%s", name, got)
		}
		if name != "pandoc.rtf" && (len(image) < 24 || !bytes.HasPrefix(image, []byte("\x89PNG")) || bigendian.BigEndian.Uint32(image[16:]) != 16) {
			t.Errorf("%s: the image has %d bytes and is none of 16 pixels", name, len(image))
		}
	}
}

// The words are those that LibreOffice reads.
func TestWords(t *testing.T) {
	marks := regexp.MustCompile(`</?(?:ins|del|sub|sup)>|\]\(http[^)]*\)|!\[[^)]*\)|\[\^|(?s:\n\[\^1\]:.*)`)
	for name, q := range map[string]*document.Request{"report.rtf": {}, "contract.rtf": {Changes: document.All}} {
		got := strings.ReplaceAll(documenttest.Render(t, open(t, load(t, name)), q), "<br>", " ")
		got = strings.Replace(marks.ReplaceAllString(got, ""), "visible words", "hidden wordsvisible words", 1)
		if f1 := documenttest.WordsF1(got, string(load(t, name+".txt"))); f1 < .97 {
			t.Errorf("%s: F1 of the words is %.3f", name, f1)
		}
	}
}

func TestInfo(t *testing.T) {
	if got := open(t, load(t, "report.rtf")).Info(); got != (document.Info{Format: "rtf", Title: "Field report", Author: "Ann Lee"}) {
		t.Errorf("got %+v", got)
	}
}

func TestText(t *testing.T) {
	for name, c := range map[string]struct{ rtf, want string }{
		"code page":           {`{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8\'e2\'e5\'f2}`, "Привет"},
		"Shift JIS":           {`{\rtf1\ansi{\fonttbl{\f0 Arial;}{\f1\fcharset128 Mincho;}}{\f1\'93\'fa\'96\'7b}\'e9}`, "日本é"},
		"GBK":                 {`{\rtf1\ansi\ansicpg936 \'c4\'e3\'ba\'c3}`, "你好"},
		"Unicode":             {`{\rtf1\uc1 \u8364?\u-10179?\u-8704?\uc2 \u233\'c3\'a9x\uc0\u233 y}`, "€😀éxéy"},
		"signs":               {`{\rtf1 a\~b\_c\-d\{\}\\ \ldblquote x\rdblquote\emdash y\tab z}`, "a\u00a0b-cd{}\\ “x”—y\tz"},
		"hidden":              {`{\rtf1 a{\v NO}b{\*\unknown NO{\b NO}}c{\header NO}}`, "abc"},
		"style":               {`{\rtf1 a {\b b {\i c} d}\b0  e \strike f\strike0}`, "a **b** ***c*** **d** e ~~f~~"},
		"link":                {`{\rtf1 {\field{\*\fldinst{HYPERLINK "http://x.org/a b"}}{\fldrslt{\b here}}} {\field{\*\fldinst PAGE}{\fldrslt 7}} {\field{\*\fldinst HYPERLINK \\l "m"}{\fldrslt there}}}`, "[**here**](<http://x.org/a b>) 7 there"},
		"heading":             {`{\rtf1{\stylesheet{\s0 Normal;}{\s4\b heading 2;}}\pard\s4\b Two\par\pard\outlinelevel0 One\par}`, "## Two\n\n# One"},
		"star within a group": {`{\rtf1 {\fs20\*\cs7 shown} and {\*\cs7 not}}`, "shown and"},
		"binary":              {"{\\rtf1 a{\\*\\x\\bin3 }}}b}c}", "ac"},
		"footnote":            {`{\rtf1 a{\super\chftn{\footnote\pard\chftn  Note.\par Two.}} b}`, "a[^1] b\n\n[^1]: Note.\n\n    Two."},
		"comment":             {`{\rtf1 a{\*\atnid B}{\*\atnauthor Bob}{\*\annotation\pard Why?} b}`, "a b\n\n**Comments**\n\n- **Bob**: Why?"},
		"table":               {`{\rtf1\trowd\intbl a\cell\intbl b\par c\cell\row\trowd\intbl d|\cell\intbl\cell\row\pard e\par}`, "| a | b<br>c |\n| --- | --- |\n| d\\| | |\n\ne"},
		"list":                {`{\rtf1{\listtext 3)\tab}three\par\pard\ilvl1{\pntext\f1\'b7\tab}deep\par}`, "3) three\n   - deep"},
		"box":                 {`{\rtf1 a{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt\pard boxed\par}}}b\par}`, "ab\n\nboxed"},
		"text after its end":  {`{\rtf1 a}b`, "a"},
	} {
		if got := strings.TrimSpace(documenttest.Render(t, open(t, []byte(c.rtf)), &document.Request{})); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestChanges(t *testing.T) {
	for changes, want := range map[document.Changes]string{"": "a new", document.Reject: "a old", document.All: "a <del>old</del><ins>new</ins>"} {
		if got := documenttest.Render(t, open(t, []byte(`{\rtf1 a {\deleted old}{\revised new}}`)), &document.Request{Changes: changes}); strings.TrimSpace(got) != want {
			t.Errorf("%s: got %q", changes, got)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, data := range []string{"", "hello", "{\\html"} {
		if _, err := Open(strings.NewReader(data), int64(len(data))); !fault.Is(err, fault.BadDocument) {
			t.Errorf("%q: %v", data, err)
		}
	}
	w := markdown.NewWriter(markdown.Window{})
	if err := open(t, load(t, "report.rtf")[:27000]).Render(context.Background(), &document.Request{}, w); !fault.Is(err, fault.BadDocument) || !strings.Contains(string(w.Bytes()), "Field report") {
		t.Errorf("half a file: %v, %d bytes", err, len(w.Bytes()))
	}
}

// check reads a document whose bytes may be anything.
func check(t *testing.T, data []byte) {
	d, err := Open(bytes.NewReader(data), int64(len(data)))
	if err == nil {
		d.Info()
		w := markdown.NewWriter(markdown.Window{})
		q := &document.Request{Changes: document.All, Image: func(document.Image) string { return "x" }}
		err = d.Render(context.Background(), q, w)
		if len(w.Bytes()) > 100*len(data)+1<<20 {
			t.Errorf("%d bytes of %d", len(w.Bytes()), len(data))
		}
	}
	if err != nil && fault.Is(err, fault.Internal) {
		t.Error(err)
	}
}

// What is deep, endless or damaged costs little.
func TestHostile(t *testing.T) {
	check(t, []byte(`{\rtf1 `+strings.Repeat("{", 1_000_000)+"x"))
	check(t, []byte(`{\rtf1 `+strings.Repeat(`{\field{\*\fldinst HYPERLINK "x"}{\fldrslt `, 20_000)+"x"))
	check(t, []byte(`{\rtf1 `+strings.Repeat(`{\footnote `, 20_000)+"x"))
	check(t, []byte(`{\rtf1 `+strings.Repeat(`\trowd\cell`, 50_000)+`\row}`))
	check(t, []byte(`{\rtf1{\pict\pngblip\bin2000000000 x`))
	check(t, []byte(`{\rtf1\uc2000000000\u1 `+strings.Repeat(`a`, 100_000)))
	r := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"report.rtf", "pandoc.rtf"} {
		data := load(t, name)
		for range 200 {
			b := bytes.Clone(data)
			for range 1 + r.IntN(20) {
				b[5+r.IntN(len(b)-5)] = `{}\' 0b*`[r.IntN(8)]
			}
			check(t, b)
		}
	}
}

func FuzzRTF(f *testing.F) {
	f.Add(load(f, "pandoc.rtf"))
	f.Add(load(f, "report.rtf")[20000:])
	f.Add(load(f, "contract.rtf"))
	f.Add([]byte(`{\rtf1\trowd\intbl a{\footnote b\cell}\nestcell\nestrow\cell\row{\shp{\shptxt c}}}`))
	f.Fuzz(check)
}
