package diff

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRegionsTurnOneListIntoTheOther(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"", "\n", "a\nb", "a", "b", " "}
	list := func() []string {
		var l []string
		for range r.IntN(30) {
			l = append(l, words[r.IntN(len(words))])
		}
		return l
	}
	for range 2000 {
		old, now := list(), list()
		var got []string
		at := 0
		for _, g := range Regions(old, now) {
			got = append(got, old[at:g.OldStart]...)
			if len(got) != g.NewStart {
				t.Fatalf("%q to %q: region %v begins at %d", old, now, g, len(got))
			}
			got = append(got, now[g.NewStart:g.NewEnd]...)
			at = g.OldEnd
		}
		if got = append(got, old[at:]...); !slices.Equal(got, now) {
			t.Fatalf("%q to %q: got %q", old, now, got)
		}
	}
}

func TestAlign(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		letters := 1 + rnd.IntN(20)
		random := func() []string {
			out := make([]string, rnd.IntN(30))
			for i := range out {
				out[i] = string(rune('a' + rnd.IntN(letters)))
			}
			return out
		}
		a, b := random(), random()
		last := -1
		for i, p := range Align(a, b) {
			if p < 0 {
				continue
			}
			if p <= last || a[p] != b[i] {
				t.Fatalf("Align(%q, %q): line %d has partner %d after %d", a, b, i, p, last)
			}
			last = p
		}
		for i, p := range Align(a, a) {
			if p != i {
				t.Fatalf("Align(%q, itself): line %d has partner %d", a, i, p)
			}
		}
	}
}
