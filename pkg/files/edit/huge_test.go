package edit

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// inWindows makes edits as in a large file, which is read in small windows.
func inWindows(t *testing.T, src string, window int, edits ...Edit) (string, HugeResult, error) {
	t.Helper()
	var read bytes.Buffer
	h := huge{r: strings.NewReader(src), size: int64(len(src)), path: "f", window: window}
	r, err := applyHuge(context.Background(), h, edits, Options{Path: "f"}, func(b []byte) { read.Write(b) })
	if err != nil {
		return "", r, err
	}
	if read.String() != src {
		t.Fatalf("read were %d of %d bytes", read.Len(), len(src))
	}
	var b strings.Builder
	at := 0
	for _, s := range r.Splices {
		if got := src[s.At : int(s.At)+len(s.Old)]; got != string(s.Old) {
			t.Fatalf("at %d is %q, not %q", s.At, got, s.Old)
		}
		b.WriteString(src[at:s.At])
		b.Write(s.New)
		at = int(s.At) + len(s.Old)
	}
	b.WriteString(src[at:])
	return b.String(), r, nil
}

// What is found by exact text is edited as in a small file, whatever the windows.
func TestHugeLikeSmall(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := []string{"a", "b", "ab", "", "é", "if x {", "\t}", "  ", "aa"}
	ends := []string{"\n", "\n", "\r\n"}
	text := func(lines int, mixed bool) string {
		var b strings.Builder
		eol := ends[rnd.IntN(len(ends))]
		for range lines {
			if mixed {
				eol = ends[rnd.IntN(len(ends))]
			}
			b.WriteString(words[rnd.IntN(len(words))] + words[rnd.IntN(len(words))] + eol)
		}
		return b.String()
	}
	same := map[string]int{}
	for range 4000 {
		src := text(1+rnd.IntN(40), rnd.IntN(3) == 0)
		from := rnd.IntN(len(src))
		old := strings.ReplaceAll(src[from:min(len(src), from+1+rnd.IntN(12))], "\r\n", "\n")
		e := Edit{Old: strings.Trim(old, "\r"), New: text(rnd.IntN(3), false) + words[rnd.IntN(len(words))], ReplaceAll: rnd.IntN(2) == 0}
		if e.Old == "" {
			continue
		}
		if !e.ReplaceAll && rnd.IntN(2) == 0 {
			e.Occurrence = 1 + rnd.IntN(3)
		}
		want, err := Apply(src, []Edit{e}, Options{Path: "f"})
		got, r, hugeErr := inWindows(t, src, 1+rnd.IntN(30), e)
		switch {
		case err != nil && hugeErr != nil:
			same["refused"]++
		case hugeErr != nil:
			same[string(fault.As(hugeErr).Code)]++ // it may refuse more
		case err != nil:
			if fault.As(err).Code != fault.TextAmbiguous && fault.As(err).Code != fault.AlreadyApplied {
				t.Fatalf("%q: %+v: made, not %v", src, e, err)
			}
			same["made"]++
		case want.Edits[0].Strategy != Exact:
			t.Fatalf("%q: %+v: %s", src, e, want.Edits[0].Strategy)
		case got != want.Text:
			same["differs"]++
			if !e.ReplaceAll { // how whole lines end is decided for all places together there
				t.Fatalf("%q: %+v\ngot  %q\nwant %q", src, e, got, want.Text)
			}
		default:
			same["made"]++
			if len(want.Edits) <= hugeEdits {
				if d := cmp.Diff(want.Edits, r.Edits); d != "" {
					t.Fatalf("%q: %+v\n%s", src, e, d)
				}
			}
			if d := diff.FromSplices(diff.Modified("f"), src, want.Splices, diff.ResultLimit()); d.Added != r.Added || d.Removed != r.Removed {
				t.Fatalf("%q: %+v: +%d -%d, want +%d -%d\n%s", src, e, r.Added, r.Removed, d.Added, d.Removed, r.Diff.Text)
			}
		}
	}
	if same["made"] < 1000 || same["refused"] < 200 || same["differs"] > 40 || same[string(fault.TooLarge)] > 40 {
		t.Errorf("outcomes %v", same)
	}
}
