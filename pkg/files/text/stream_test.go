package text

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/helve-dev/helve/pkg/fault"
)

// A streamed page equals the page of the same bytes in memory, for any size of
// the blocks.
func TestStreamAgreesWithMemory(t *testing.T) {
	rnd := rand.New(rand.NewPCG(13, 14))
	encodings := []encoding.Encoding{
		unicode.UTF8, unicode.UTF8, unicode.UTF8BOM, charmap.ISO8859_1, simplifiedchinese.GBK, japanese.ShiftJIS,
		unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
		utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), japanese.ISO2022JP,
	}
	rounds := 2000
	if raceDetector {
		rounds /= 5
	}
	for range rounds {
		enc := encodings[rnd.IntN(len(encodings))]
		raw, err := encoding.ReplaceUnsupported(enc.NewEncoder()).Bytes([]byte(randomPageText(rnd)))
		if err != nil {
			t.Fatal(err)
		}
		if len(raw) > 0 && rnd.IntN(5) == 0 {
			raw[rnd.IntN(len(raw))] = byte(rnd.IntN(256))
		}
		q := Request{Limit: 1 + rnd.IntN(20), MaxBytes: 1 + rnd.IntN(1<<rnd.IntN(16))}
		switch rnd.IntN(5) {
		case 0:
			q.Ranges = fmt.Sprintf("%d-,-%d,1:%d-%d", 1+rnd.IntN(3), 1+rnd.IntN(5), 1+rnd.IntN(20), 20+rnd.IntN(3000))
		case 1:
			q.Offset = 1 + rnd.IntN(20)
		case 2:
			q.Offset = -1 - rnd.IntN(20)
		case 3:
			q.Encoding = []string{"gbk", "utf-8", "utf-16", "iso-2022-jp", "raw-8bit", "utf-32"}[rnd.IntN(6)]
		}
		compareStream(t, raw, q, 4+rnd.IntN(64))
	}
}

func compareStream(t *testing.T, raw []byte, q Request, step int) {
	t.Helper()
	want, wantErr := Read(t.Context(), bytes.NewReader(raw), int64(len(raw)), q)
	spans, err := q.spans()
	var got *Page
	if err == nil {
		var src lineSource
		if got, src, err = survey(t.Context(), bytes.NewReader(raw), int64(len(raw)), q.Encoding, step); err == nil {
			err = got.fill(src, spans, q)
		}
	}
	if wantErr != nil || err != nil {
		if fmt.Sprint(wantErr) != fmt.Sprint(err) {
			t.Fatalf("%+v of % x: in memory %v, streamed %v", q, raw, wantErr, err)
		}
		return
	}
	want.Document = nil
	opts := cmp.Options{cmp.AllowUnexported(Window{}, shown{}), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(want, got, opts); diff != "" {
		t.Fatalf("%+v of % x in blocks of %d (-memory +streamed):\n%s", q, raw, step, diff)
	}
}

// changing is a file whose content changes at the n-th read.
type changing struct {
	before, after io.ReaderAt
	reads         int
}

func (c *changing) ReadAt(p []byte, off int64) (int, error) {
	if c.reads--; c.reads < 0 {
		return c.after.ReadAt(p, off)
	}
	return c.before.ReadAt(p, off)
}

func TestFileChangesWhileRead(t *testing.T) {
	text := strings.Repeat("line\n", 100)
	for name, after := range map[string]string{
		"other": strings.Repeat("Line\n", 100), "empty": "", "shorter": text[:300],
	} {
		t.Run(name, func(t *testing.T) {
			r := &changing{strings.NewReader(text), strings.NewReader(after), 1 + len(text)/50}
			p, src, err := survey(t.Context(), r, int64(len(text)), "", 50)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.fill(src, []span{{from: 90}}, Request{}); !IsChanged(err) || !fault.Is(err, fault.Unavailable) {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("grown", func(t *testing.T) {
		p, src, err := survey(t.Context(), strings.NewReader(text+"more\n"), int64(len(text)), "", 64)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.fill(src, []span{{from: -1}}, Request{}); err != nil || p.TotalLines != 100 || p.Sum != Sum([]byte(text)) {
			t.Errorf("not the file as it was: %+v, %v", p, err)
		}
	})
	t.Run("shrunk before", func(t *testing.T) {
		p, src, err := survey(t.Context(), strings.NewReader(text[:50]), int64(len(text)), "", 64)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.fill(src, []span{{from: -1}}, Request{}); err != nil || p.TotalLines != 10 || p.Sum != Sum([]byte(text[:50])) {
			t.Errorf("not the file as it is: %+v, %v", p, err)
		}
	})
}

// endless is a file of one byte repeated endlessly.
type endless byte

func (e endless) ReadAt(p []byte, _ int64) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestSizesThatLie(t *testing.T) {
	text := "Name:\tx\nState:\tR\n"
	p, err := Read(t.Context(), strings.NewReader(text), 0, Request{})
	if err != nil || p.Windows[0].Content() != text || p.Bytes != int64(len(text)) {
		t.Errorf("a file that claims to be empty: %+v, %v", p, err)
	}
	if _, err = Read(t.Context(), endless('a'), 0, Request{}); !fault.Is(err, fault.TooLarge) {
		t.Errorf("an endless file: %v", err)
	}
	if _, err = Read(t.Context(), endless('a'), 10, Request{}); !IsChanged(err) {
		t.Errorf("a file that has grown out of memory: %v", err)
	}
}

func TestReadFailsWithItsReader(t *testing.T) {
	broken := errors.New("broken")
	failing := readerAtFunc(func(p []byte, off int64) (int, error) {
		n, _ := endless('a').ReadAt(p[:max(0, min(int64(len(p)), 9999-off))], off)
		if n < len(p) {
			return n, broken
		}
		return n, nil
	})
	for _, size := range []int64{20000, inMemory + 1} {
		if _, err := Read(t.Context(), failing, size, Request{}); !errors.Is(err, broken) {
			t.Errorf("size %d: %v", size, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, endless('a'), inMemory+1, Request{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

type readerAtFunc func([]byte, int64) (int, error)

func (f readerAtFunc) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }
