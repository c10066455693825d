package text

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/helve-dev/helve/pkg/fault"
)

// counted counts the bytes that are read.
type counted struct {
	io.ReaderAt
	bytes int
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	c.bytes += n
	return n, err
}

// logged is an endless log of lines of 32 bytes with their numbers, in an encoding with
// so many bytes a character.
type logged struct {
	unit      int64
	bigEndian bool
}

func (l logged) ReadAt(p []byte, off int64) (int, error) {
	var line []byte
	for i := range p {
		at := off + int64(i)
		char := at / l.unit
		if line == nil || char%32 == 0 && at%l.unit == 0 {
			line = fmt.Appendf(nil, "%010d: the line has its number\n", char/32+1)[:32]
			line[31] = '\n'
		}
		significant := int64(0)
		if l.bigEndian {
			significant = l.unit - 1
		}
		if p[i] = 0; at%l.unit == significant {
			p[i] = line[char%32]
		}
	}
	return len(p), nil
}

// What is not shown is not read: neither what follows a window, nor what precedes the
// last lines.
func TestHugeFilesAreNotRead(t *testing.T) {
	const size = 2 << 30
	const last = size / 32
	line := func(n int) string { return string(fmt.Appendf(nil, "%010d: the line has its number\n", n)[:31]) + "\n" }
	three := func(n int) string { return line(n) + line(n+1) + line(n+2) }
	for _, c := range []struct {
		name    string
		request Request
		start   int
		content string
		next    int
		most    int // bytes
	}{
		{"the end", Request{Offset: -3}, -3, three(last - 2), 0, 300 << 10},
		{"near the end", Request{Offset: -2000, Limit: 3}, -2000, three(last - 1999), -1997, 400 << 10},
		{"the beginning", Request{Offset: 1, Limit: 3}, 1, three(1), 4, 300 << 10},
		{"a window", Request{Offset: 200_001, Limit: 3}, 200_001, three(200_001), 200_004, 200_000*32 + 2<<20},
		{"two windows", Request{Ranges: "200001-200003,-3"}, 200_001, three(200_001), 0, 200_000*32 + 2<<20},
		{"characters of the last line", Request{Ranges: "-1:1-10"}, -1, fmt.Sprintf("%010d", last), 0, 300 << 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &counted{ReaderAt: logged{unit: 1}}
			p, err := Read(t.Context(), r, size, c.request)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Windows[0].Content(); got != c.content || p.Windows[0].Start != c.start || p.NextOffset != c.next {
				t.Errorf("line %d, next %d, %q", p.Windows[0].Start, p.NextOffset, got)
			}
			if r.bytes > c.most {
				t.Errorf("%d bytes were read, more than %d", r.bytes, c.most)
			}
			if !p.Partial || p.Sum != "" || p.TotalLines != unknownLines || p.EOL != "lf" || !p.FinalNewline || p.Encoding != UTF8 {
				t.Errorf("%+v", p)
			}
		})
	}
	for name, r := range map[string]logged{UTF16LE: {2, false}, UTF16BE: {2, true}, UTF32LE: {4, false}, UTF32BE: {4, true}} {
		t.Run(name, func(t *testing.T) {
			r := &counted{ReaderAt: r}
			p, err := Read(t.Context(), r, size, Request{Offset: -2})
			if err != nil {
				t.Fatal(err)
			}
			lines := size / 32 / int(r.ReaderAt.(logged).unit)
			if got := p.Windows[0].Content(); got != line(lines-1)+line(lines) || p.Encoding != name || r.bytes > 500<<10 {
				t.Errorf("%s, %d bytes, %q", p.Encoding, r.bytes, got)
			}
		})
	}
	t.Run("beyond", func(t *testing.T) {
		_, err := glance(t.Context(), strings.NewReader("a\nb\n"), 4, Request{}, []span{{from: 3}}, 16)
		if !fault.Is(err, fault.OutOfRange) || !strings.Contains(err.Error(), "the file has 2 lines") {
			t.Errorf("%v", err)
		}
	})
	t.Run("canceled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Read(ctx, logged{unit: 1}, size, Request{Offset: -1 << 40}); !fault.Is(fault.As(err), fault.Canceled) {
			t.Errorf("%v", err)
		}
	})
}

// A page of which only a part was read has the text of the page of a file in memory.
func TestHugeAgreesWithMemory(t *testing.T) {
	rnd := rand.New(rand.NewPCG(17, 18))
	encodings := []encoding.Encoding{
		unicode.UTF8, unicode.UTF8, unicode.UTF8BOM, charmap.ISO8859_1, simplifiedchinese.GBK, japanese.ShiftJIS,
		unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), unicode.UTF16(unicode.BigEndian, unicode.UseBOM), utf32.UTF32(utf32.LittleEndian, utf32.UseBOM),
	}
	rounds, compared := 3000, 0
	if raceDetector {
		rounds /= 5
	}
	for range rounds {
		enc := encodings[rnd.IntN(len(encodings))]
		raw, err := encoding.ReplaceUnsupported(enc.NewEncoder()).Bytes([]byte(randomPageText(rnd)))
		if err != nil {
			t.Fatal(err)
		}
		q := Request{Limit: 1 + rnd.IntN(20), MaxBytes: 1 + rnd.IntN(1<<rnd.IntN(16))}
		switch rnd.IntN(4) {
		case 0:
			q.Ranges = fmt.Sprintf("%d-,-%d,-%d:%d-%d", 1+rnd.IntN(3), 1+rnd.IntN(5), 1+rnd.IntN(5), 1+rnd.IntN(20), 20+rnd.IntN(3000))
		case 1:
			q.Offset = 1 + rnd.IntN(20)
		case 2:
			q.Offset = -1 - rnd.IntN(20)
		}
		want, wantErr := Read(t.Context(), bytes.NewReader(raw), int64(len(raw)), q)
		spans, err := q.spans()
		if err != nil || len(raw) < 4 || wantErr == nil && want.TotalLines == 0 {
			continue
		}
		got, err := glance(t.Context(), bytes.NewReader(raw), int64(len(raw)), q, spans, 4+4*rnd.IntN(16))
		if wantErr != nil || err != nil {
			if !fault.Is(wantErr, fault.BinaryFile) && fault.Is(wantErr, fault.OutOfRange) != fault.Is(err, fault.OutOfRange) {
				t.Fatalf("%+v of %.200q: in memory %v, in part %v", q, raw, wantErr, err)
			}
			continue
		}
		if got == nil || got.Encoding != want.Encoding {
			continue // a short text says too little about its encoding
		}
		compared++
		var a, b []string
		for i := range want.Windows {
			a = append(a, want.Windows[i].Content())
		}
		for i := range got.Windows {
			b = append(b, got.Windows[i].Content())
		}
		if d := cmp.Diff(a, b); d != "" || want.TruncatedBy != got.TruncatedBy || (want.NextOffset == 0) != (got.NextOffset == 0) || want.FinalNewline != got.FinalNewline {
			t.Fatalf("%+v of %.200q (%s; %s, %d and %s, %d)\n%.2000s", q, raw, want.Encoding, want.TruncatedBy, want.NextOffset, got.TruncatedBy, got.NextOffset, d)
		}
		if n := got.NextOffset; n < 0 && want.TotalLines+1+n != want.NextOffset {
			t.Fatalf("%+v: next is %d, not %d of %d", q, n, want.NextOffset, want.TotalLines)
		}
	}
	if compared < rounds/2 {
		t.Errorf("only %d pages were compared", compared)
	}
}
