package search

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/search/pattern"
)

// TestDecoded reads a text in UTF-16 at random offsets, which its parts do not fit.
func TestDecoded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var want strings.Builder
	raw := []byte{0xff, 0xfe}
	for range 200_000 {
		c := []rune{'a', 'ß', '世', '\n', '\U0001f600'}[r.IntN(5)]
		want.WriteRune(c)
		if c >= 0x10000 {
			raw = append(raw, 0x3d, 0xd8, 0x00, 0xde)
			continue
		}
		raw = append(raw, byte(c), byte(c>>8))
	}
	raw = append(raw, 'x') // half a unit
	want.WriteRune(utf8.RuneError)
	mark, part := unwide(raw)
	d := newDecoded(memory(raw), mark, part)
	text := want.String()
	for i := range 300 {
		at := r.IntN(len(text) + 100)
		if i == 0 {
			at = len(text) - 10
		}
		buffer := make([]byte, r.IntN(300_000))
		n, err := d.ReadAt(buffer, int64(at))
		if err != nil {
			t.Fatal(err)
		}
		if exp := text[min(at, len(text)):min(at+len(buffer), len(text))]; string(buffer[:n]) != exp {
			t.Fatalf("%d bytes at %d: %d other bytes", len(buffer), at, n)
		}
	}
	if !d.damaged {
		t.Error("half a unit was not noticed")
	}
}

// TestIsDamaged cuts valid UTF-8 at every byte.
func TestIsDamaged(t *testing.T) {
	p, err := pattern.Compile("x", pattern.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := newMatcher(p, nil, nil)
	text := []byte("aé世\U0001f600b\U0001f600")
	for i := range text {
		for j := i; j <= len(text); j++ {
			if m.isDamaged(text[i:j]) {
				t.Errorf("%q is called damaged", text[i:j])
			}
		}
	}
	for _, bad := range []string{"a\xe9b", "caf\xe9 ", "\xe9b ", "é\xffé", "ab\xe9\xe9\xe9\xe9\xe9"} {
		if !m.isDamaged([]byte(bad)) {
			t.Errorf("%q is not called damaged", bad)
		}
	}
}

// FuzzUnwide decodes arbitrary bytes in parts of any size: what comes out must be UTF-8,
// the same as at once.
func FuzzUnwide(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00\x3d\xd8\x00\xde"), 4)
	f.Add([]byte("\x00\x00\xfe\xff\x00\x00\x00a\xff"), 5)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		if size < 4 || !wide(data) {
			return
		}
		mark, part := unwide(data)
		var got strings.Builder
		for at := mark; at < len(data); {
			end := min(at+size, len(data))
			text, used := part(data[at:end], end == len(data))
			if used == 0 {
				t.Fatalf("nothing was taken of %q", data[at:end])
			}
			got.Write(text)
			at += used
		}
		if want := string(transcode(data)); got.String() != want {
			t.Fatalf("%q in parts, %q at once", got.String(), want)
		}
	})
}
