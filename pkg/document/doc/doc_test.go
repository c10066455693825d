package doc

import (
	"bytes"
	"context"
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
	}{"Word 95": {2, 0x68, fault.UnsupportedContent}, "encrypted": {11, 0x13, fault.EncryptedDocument}, "no text": {0x1a6, 0, fault.BadDocument}} {
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
	f.Fuzz(check)
}
