package doc

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/compound"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/testing/compoundtest"
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

func open(data []byte) (*Document, error) {
	file, err := compound.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	return Open(file)
}

func rendered(t *testing.T, name string, changes document.Changes) string {
	t.Helper()
	d, err := open(load(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return documenttest.Render(t, d, &document.Request{Changes: changes})
}

func TestRender(t *testing.T) {
	for _, name := range []string{"report.doc", "contract.doc"} {
		got := rendered(t, name, document.All)
		if *update {
			if err := os.WriteFile("testdata/"+name+".md", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := strings.ReplaceAll(string(load(t, name+".md")), "\r\n", "\n"); got != want {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
}

// The words are those that LibreOffice reads, but for the numbers of lists.
func TestWords(t *testing.T) {
	marks := regexp.MustCompile(`</?(?:ins|del|sub|sup)>|\]\(http[^)]*\)|\[\^|(?s:\n\[\^1\]:.*)`)
	number := regexp.MustCompile(`(?m)^ +(?:\d|[a-z])\. `)
	for _, name := range []string{"report.doc", "contract.doc"} {
		got := strings.ReplaceAll(rendered(t, name, document.All), "<br>", " ")
		got = strings.Replace(marks.ReplaceAllString(got, ""), "visible words", "hidden wordsvisible words", 1)
		if f1 := documenttest.WordsF1(got, number.ReplaceAllString(string(load(t, name+".txt")), "")); f1 < .97 {
			t.Errorf("%s: F1 of the words is %.3f", name, f1)
		}
	}
}

func TestChanges(t *testing.T) {
	for changes, want := range map[document.Changes]string{"": "The price is twelve euros.", document.Reject: "The price is ten euros."} {
		if got := rendered(t, "contract.doc", changes); !strings.Contains(got, want) {
			t.Errorf("%q: got\n%s", changes, got)
		}
	}
}

func TestRefuses(t *testing.T) {
	data := load(t, "report.doc")
	header := bytes.Index(data, []byte{0xec, 0xa5})
	for name, c := range map[string]struct {
		at   int
		byte byte
		code fault.Code
	}{"Word 2": {2, 0x2d, fault.UnsupportedContent}, "encrypted": {11, 0x13, fault.EncryptedDocument}, "no text": {0x1a6, 0, fault.BadDocument}} {
		b := bytes.Clone(data)
		b[header+c.at] = c.byte
		if c.at != 11 {
			b[header+c.at+1] = 0
		}
		if _, err := open(b); !fault.Is(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// check reads a document whose bytes may be anything.
func check(t *testing.T, data []byte) {
	d, err := open(data)
	if err == nil {
		d.Info()
		w := markdown.NewWriter(markdown.Window{Bytes: 1 << 20})
		err = d.Render(context.Background(), &document.Request{Changes: document.All}, w)
		if len(w.Bytes()) > 64<<20 {
			t.Errorf("%d bytes of %d", len(w.Bytes()), len(data))
		}
	}
	if err != nil && fault.Is(err, fault.Internal) {
		t.Error(err)
	}
}

func TestMutated(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	data := load(t, "report.doc")
	for range 400 {
		b := bytes.Clone(data)
		for range 1 + r.IntN(30) {
			b[r.IntN(len(b))] = byte(r.IntN(256))
		}
		if r.IntN(8) == 0 {
			b = b[:r.IntN(len(b))]
		}
		check(t, b)
	}
}

func FuzzDoc(f *testing.F) {
	f.Add(load(f, "report.doc"))
	f.Add(load(f, "contract.doc"))
	f.Add(load(f, "report.doc")[:12000])
	f.Add(load(f, "boxes.doc"))
	f.Add(old(0x68, 0x409, "main\r", "box\r"))
	f.Fuzz(check)
}

// The text of boxes follows the main text, and what is left out is said.
func TestBoxes(t *testing.T) {
	t.Parallel()
	d, err := open(load(t, "boxes.doc"))
	if err != nil {
		t.Fatal(err)
	}
	var warnings []string
	got := documenttest.Render(t, d, &document.Request{Warn: func(w fault.Text) { warnings = append(warnings, w.String()) }})
	const want = `Before the box.

Beside the box.

The end.[^1]

\<Click here> is a field.

In the first box.

Its second paragraph.

In the second box.

[^1]: A note.
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "comments of") {
		t.Errorf("warnings: %q", warnings)
	}
}

// old returns a document of Word 6 or 95: its main text and that of its boxes, in a language.
func old(version, language int, main, box string) []byte {
	b := make([]byte, 0x300)
	for at, v := range map[int]int{0: 0xa5dc, 2: version, oldLocale: language} {
		binary.LittleEndian.PutUint16(b[at:], uint16(v))
	}
	for at, v := range map[int]int{oldFirst: len(b), oldCounts: len(main), oldCounts + 4*boxes: len(box)} {
		binary.LittleEndian.PutUint32(b[at:], uint32(v))
	}
	return compoundtest.Build(compoundtest.Stream{Path: "WordDocument", Data: []byte(string(b) + main + box)})
}

func TestOldWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		data []byte
		want string
	}{
		{old(0x68, 0x409, "A title\rcaf\xe9 \x93quoted\x94\ra\ab\a\a1\a2\a\aend\r", "boxed\r"), "A title\n\ncafé “quoted”\n\na\tb\n\n1\t2\n\nend\n\nboxed\n"},
		{old(0x65, 0x419, "\xef\xf0\xe8\xe2\xe5\xf2\r", ""), "привет\n"},
		{old(0x68, 0x411, "\x93\xfa\x96\x7b\r", ""), "日本\n"},
		{old(0x68, 0x409, "See \x13MACROBUTTON NoMacro [here]\x15.\r", ""), "See [here].\n"},
		{old(0x68, 0x411, "\x13EQ \\* jc2 \\* hps10 \\o\\ad(\\s\\up 9(\x82\xc6),\x93\xfa\x96\x7b)\x15.\r", ""), "日本.\n"},
	} {
		d, err := open(c.data)
		if err != nil {
			t.Fatal(err)
		}
		if got := documenttest.Render(t, d, &document.Request{}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
