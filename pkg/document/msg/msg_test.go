package msg

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/compound"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/testing/compoundtest"
	"github.com/helve-dev/helve/pkg/testing/documenttest"
)

// storage collects the streams of one storage.
type storage struct {
	path    string
	header  int
	fixed   []byte
	streams []compoundtest.Stream
}

func (s *storage) put(property int, kind string, data []byte) *storage {
	s.streams = append(s.streams, compoundtest.Stream{Path: fmt.Sprintf("%s__substg1.0_%04X%s", s.path, property, kind), Data: data})
	return s
}

func (s *storage) text(property int, text string) *storage {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return s.put(property, "001F", b)
}

func (s *storage) number(property int, value uint64) *storage {
	s.fixed = binary.LittleEndian.AppendUint16(s.fixed, 3)
	s.fixed = binary.LittleEndian.AppendUint16(s.fixed, uint16(property))
	s.fixed = binary.LittleEndian.AppendUint32(s.fixed, 6)
	s.fixed = binary.LittleEndian.AppendUint64(s.fixed, value)
	return s
}

func (s *storage) all() []compoundtest.Stream {
	return append(s.streams, compoundtest.Stream{Path: s.path + "__properties_version1.0", Data: append(make([]byte, s.header), s.fixed...)})
}

// ticks is 2024-03-01 14:05:00 UTC.
const ticks = (11644473600 + 1709301900) * 10_000_000

func message() []byte {
	top := &storage{header: 32}
	top.text(subject, "Prices *2024*").text(senderName, "Ann").text(senderSMTP, "ann@example.com").number(sentAt, ticks).
		text(displayTo, "Bob; Cid").text(bodyText, "Dear Bob,\r\nhere they are.\r\n\r\n> quoted\r\n# no heading\r\n")
	to := &storage{path: "__recip_version1.0_#00000000/", header: 8}
	to.text(displayName, "Bob").text(addressSMTP, "bob@example.com").number(recipientType, 1)
	cc := &storage{path: "__recip_version1.0_#00000001/", header: 8}
	cc.text(displayName, "Cid").text(address, "/O=EXCHANGE/CN=CID").number(recipientType, 2)
	file := &storage{path: "__attach_version1.0_#00000000/", header: 8}
	file.text(longName, `C:\prices.xlsx`).put(attachedData, "0102", []byte("12345"))
	picture := &storage{path: "__attach_version1.0_#00000001/", header: 8}
	picture.text(shortName, "logo.png").text(attachedMIME, "image/png").put(attachedData, "0102", []byte("png"))
	outer := &storage{path: "__attach_version1.0_#00000002/", header: 8}
	inner := &storage{path: "__attach_version1.0_#00000002/__substg1.0_3701000D/", header: 24}
	inner.text(subject, "Re: old").put(bodyText, "001E", []byte("gr\xfc\xdfe")).number(messagePage, 1252)
	var streams []compoundtest.Stream
	for _, s := range []*storage{top, to, cc, file, picture, outer, inner} {
		streams = append(streams, s.all()...)
	}
	return compoundtest.Build(streams...)
}

func open(data []byte) (*Document, error) {
	file, err := compound.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	return Open(file)
}

func rendered(t *testing.T, data []byte) string {
	t.Helper()
	d, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	return documenttest.Render(t, d, &document.Request{Image: func(document.Image) string { return "saved.png" }})
}

func TestMessage(t *testing.T) {
	t.Parallel()
	const want = `# Prices \*2024\*

**From:** Ann \<ann@example.com>\
**To:** Bob \<bob@example.com>\
**Cc:** Cid\
**Date:** 2024-03-01 14:05:00 UTC

Dear Bob,\
here they are.

\> quoted\
\# no heading

**Attachments:**

- prices.xlsx (5 bytes)
- logo.png ![logo.png](saved.png) (3 bytes)

## Re: old

grüße
`
	if got := rendered(t, message()); got != want {
		t.Errorf("got\n%s", got)
	}
}

// compressed returns a text as compressed rich text, of which nothing is repeated.
func compressed(text string) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("size"), uint32(len(text)))
	b = append(b, "LZFusum "...)
	for part := range slices.Chunk([]byte(text), 8) {
		b = append(append(b, 0), part...)
	}
	return b
}

// The text is the plain one, or else that of the page, or else the rich one.
func TestBodies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  func(*storage)
		want string
	}{
		"page": {func(s *storage) {
			s.put(bodyHTML, "0102", []byte("<p>a <b>bold</b> <a href='https://example.com/'>link</a>"))
		}, "a **bold** [link](https://example.com/)"},
		"page in 936": {func(s *storage) { s.put(bodyHTML, "0102", []byte("<p>\xc4\xe3\xba\xc3")).number(internetPage, 936) }, "你好"},
		"rich":        {func(s *storage) { s.put(bodyRTF, "0102", compressed(`{\rtf1 some {\b rich} text\par}`)) }, "some **rich** text"},
		"russian": {func(s *storage) {
			s.put(bodyText, "001E", []byte("\xef\xf0\xe8\xe2\xe5\xf2")).number(messagePage, 1251)
		}, "привет"},
		"blank plain": {func(s *storage) { s.text(bodyText, " \r\n").text(bodyHTML, "<p>page") }, "page"},
	} {
		s := &storage{header: 32}
		c.set(s)
		if got := strings.TrimSpace(rendered(t, compoundtest.Build(s.all()...))); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The window of compressed text begins with words that texts refer to ([MS-OXRTFCP] 4.1.1).
func TestUnpacked(t *testing.T) {
	t.Parallel()
	packed := []byte("\x2d\x00\x00\x00\x2b\x00\x00\x00LZFu\xf1\xc5\xc7\xa7\x03\x00\x0a\x00rcpg125\x42\x32\x0a\xf3 hel\x09\x00 bw\x05\xb0ld}\x0a\x80\x0f\xa0")
	got, err := unpacked(packed)
	if want := "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
}

func check(t *testing.T, data []byte) {
	d, err := open(data)
	if err == nil {
		d.Info()
		w := markdown.NewWriter(markdown.Window{Bytes: 1 << 20})
		err = d.Render(context.Background(), &document.Request{}, w)
	}
	if err != nil && fault.Is(err, fault.Internal) {
		t.Error(err)
	}
}

func TestMutated(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	data := message()
	for range 300 {
		b := bytes.Clone(data)
		for range 1 + r.IntN(30) {
			b[r.IntN(len(b))] = byte(r.IntN(256))
		}
		check(t, b[:len(b)-r.IntN(2)*r.IntN(len(b))])
	}
}

func FuzzMsg(f *testing.F) {
	f.Add(message())
	f.Add(message()[:4000])
	f.Fuzz(check)
}

func FuzzUnpacked(f *testing.F) {
	f.Add(compressed("{\\rtf1 text}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if out, _ := unpacked(b); len(out) > 17*len(b) {
			t.Errorf("%d bytes of %d", len(out), len(b))
		}
	})
}
