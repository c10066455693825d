package ppt

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"flag"
	"io"
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

// slides returns the presentation in testdata.
func slides(t testing.TB) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(load(t, "slides.ppt.gz")))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
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

func TestRender(t *testing.T) {
	d, err := open(slides(t))
	if err != nil {
		t.Fatal(err)
	}
	got := documenttest.Render(t, d, &document.Request{})
	if again := documenttest.Render(t, d, &document.Request{}); again != got {
		t.Errorf("a second time it is\n%s", again)
	}
	if *update {
		if err := os.WriteFile("testdata/slides.ppt.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := strings.ReplaceAll(string(load(t, "slides.ppt.md")), "\r\n", "\n"); got != want {
		t.Errorf("got\n%s", got)
	}
	if info := d.Info(); info.Slides != 4 || info.Title != "Review" {
		t.Errorf("got %+v", info)
	}
	got = documenttest.Render(t, d, &document.Request{Pages: "4"})
	if !strings.HasPrefix(got, "## Slide 4: Secret (hidden)\n") {
		t.Errorf("slide 4: got\n%s", got)
	}
}

// The words are those of the printed slides.
func TestWords(t *testing.T) {
	d, err := open(slides(t))
	if err != nil {
		t.Fatal(err)
	}
	marks := regexp.MustCompile(`(?m)^## Slide \d+:|^> Notes:.*\n(?:>.*\n)*`)
	got := marks.ReplaceAllString(documenttest.Render(t, d, &document.Request{Pages: "1-3"}), "")
	if f1 := documenttest.WordsF1(got, string(load(t, "slides.ppt.txt"))); f1 < .97 {
		t.Errorf("F1 of the words is %.3f", f1)
	}
}

func TestRefuses(t *testing.T) {
	data := slides(t)
	token := bytes.Index(data, binary.LittleEndian.AppendUint32(nil, 0xe391c05f))
	if token < 0 {
		t.Fatal("no header token")
	}
	b := bytes.Clone(data)
	binary.LittleEndian.PutUint32(b[token:], 0xf3d1c4df)
	if _, err := open(b); !fault.Is(err, fault.EncryptedDocument) {
		t.Errorf("encrypted: %v", err)
	}
	b = bytes.Clone(data)
	binary.LittleEndian.PutUint32(b[token+4:], 0xffffff00)
	if _, err := open(b); !fault.Is(err, fault.BadDocument) {
		t.Errorf("without a beginning: %v", err)
	}
}

// check reads a presentation whose bytes may be anything.
func check(t *testing.T, data []byte) {
	d, err := open(data)
	if err == nil {
		d.Info()
		w := markdown.NewWriter(markdown.Window{Bytes: 1 << 20})
		err = d.Render(context.Background(), &document.Request{}, w)
		if len(w.Bytes()) > 64<<20 {
			t.Errorf("%d bytes of %d", len(w.Bytes()), len(data))
		}
	}
	if err != nil && fault.Is(err, fault.Internal) {
		t.Error(err)
	}
}

func TestMutated(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	data := slides(t)
	for range 150 {
		b := bytes.Clone(data)
		for range 1 + r.IntN(300) {
			b[r.IntN(len(b))] = byte(r.IntN(256))
		}
		if r.IntN(8) == 0 {
			b = b[:r.IntN(len(b))]
		}
		check(t, b)
	}
}

func FuzzPPT(f *testing.F) {
	data := slides(f)
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Fuzz(check)
}

// A presentation beside the one that PowerPoint 95 reads is the same; that one alone is not read.
func TestOldPowerPoint(t *testing.T) {
	t.Parallel()
	file, err := compound.Open(bytes.NewReader(slides(t)), int64(len(slides(t))))
	if err != nil {
		t.Fatal(err)
	}
	old := compoundtest.Stream{Path: "PP40", Data: []byte("old")}
	streams := []compoundtest.Stream{old}
	for _, name := range []string{"PowerPoint Document", "Current User"} {
		data, err := stream(file, name)
		if err != nil {
			t.Fatal(err)
		}
		streams = append(streams, compoundtest.Stream{Path: "PP97_DUALSTORAGE/" + name, Data: data})
	}
	plain, err := open(slides(t))
	if err != nil {
		t.Fatal(err)
	}
	dual, err := open(compoundtest.Build(streams...))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := documenttest.Render(t, dual, &document.Request{}), documenttest.Render(t, plain, &document.Request{}); got != want {
		t.Errorf("got\n%s", got)
	}
	if _, err := open(compoundtest.Build(old)); !fault.Is(err, fault.UnsupportedContent) {
		t.Error(err)
	}
}
