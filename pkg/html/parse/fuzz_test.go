package parse

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// FuzzDocument compares the tree of any text with that of x/net/html.
func FuzzDocument(f *testing.F) {
	for i, text := range cases(f) {
		if i%8 == 0 {
			f.Add(text)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		f.Add(soup(r, 12))
	}
	f.Fuzz(func(t *testing.T, text string) { agrees(t, strings.ToValidUTF8(text, "\uFFFD")) })
}

// Damaged pages have the same trees.
func TestDamagedPages(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	texts := pages(t)
	for range 60 {
		b := []byte(texts[r.IntN(len(texts))])
		b = b[:min(len(b), 40_000)]
		for range 1 + r.IntN(40) {
			switch at := r.IntN(len(b)); r.IntN(3) {
			case 0:
				b[at] = "<>/!=\"' -\x00&;\r"[r.IntN(13)]
			case 1:
				b = append(b[:at], b[min(len(b), at+r.IntN(50)):]...)
			default:
				to := min(len(b), at+r.IntN(500))
				b = append(b, b[at:to]...)
			}
			if len(b) == 0 {
				break
			}
		}
		agrees(t, string(b))
	}
}
