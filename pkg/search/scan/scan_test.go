package scan

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// oracle searches in the obvious way.
func oracle(data []byte, texts [][]byte, fold bool) bool {
	if fold {
		data = lower(data)
	}
	for _, t := range texts {
		if fold {
			t = lower(t)
		}
		if bytes.Contains(data, t) {
			return true
		}
	}
	return false
}

// check compares a finder with the oracle: it must find a text if there is one, and
// what it finds must be one.
func check(t *testing.T, data []byte, texts [][]byte, fold bool) {
	t.Helper()
	at := New(texts, fold).Index(data)
	if want := oracle(data, texts, fold); want != (at >= 0) {
		t.Fatalf("texts %q fold %v in %q: found at %d, there is one: %v", texts, fold, data, at, want)
	}
	if at < 0 {
		return
	}
	for _, text := range texts {
		if at+len(text) <= len(data) && oracle(data[at:at+len(text)], [][]byte{text}, fold) {
			if len(texts) == 1 && oracle(data[:at+len(text)-1], texts, fold) {
				t.Fatalf("text %q fold %v in %q: %d is not the first", text, fold, data, at)
			}
			return
		}
	}
	t.Fatalf("texts %q fold %v in %q: there is none at %d", texts, fold, data, at)
}

func FuzzFinder(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog, and PM_RESUME"), []byte("pm_res"), []byte("dog"), true)
	f.Add(bytes.Repeat([]byte("ab"), 100), []byte("abb"), []byte("b"), false)
	f.Add([]byte{0x40, 0x60, '[', '{', '@', '`'}, []byte("@"), []byte("["), true)
	f.Fuzz(func(t *testing.T, data, a, b []byte, fold bool) {
		if len(a) == 0 || len(b) == 0 {
			return
		}
		check(t, data, [][]byte{a}, fold)
		check(t, data, [][]byte{a, b}, fold)
	})
}

// TestFinder searches random buffers of sizes around the block size, with texts at
// any distance from their ends.
func TestFinder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	letters := []byte("abAB[{@`\n\xc3\xa9")
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = letters[r.IntN(len(letters))]
		}
		return b
	}
	for range 20_000 {
		texts := make([][]byte, 1+r.IntN(12))
		for i := range texts {
			texts[i] = random(1 + r.IntN(6))
		}
		check(t, random(r.IntN(200)), texts, r.IntN(2) == 0)
	}
}

// TestGeneric compares the assembly with the functions in Go.
func TestGeneric(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	data := make([]byte, 300)
	for range 5000 {
		for i := range data {
			data[i] = byte(r.IntN(256))
		}
		var s Set
		for range r.IntN(5) {
			s.Add(byte(r.IntN(256)))
		}
		from := r.IntN(len(data))
		if got, want := s.Index(data[from:]), setGeneric(data[from:], &s); got != want {
			t.Fatalf("set at %d, want %d", got, want)
		}
		p := pair{o1: r.IntN(20), o2: r.IntN(20), b1: data[r.IntN(300)], b2: data[r.IntN(300)]}
		if n := len(data) - from - 20; n > 0 {
			if got, want := pairIndex(data[from:], n, &p), pairGeneric(data[from:], n, &p); got != want {
				t.Fatalf("pair at %d, want %d", got, want)
			}
		}
		var tab tables
		for i := range tab {
			tab[i] = byte(r.IntN(256))
			tab[i] &= byte(r.IntN(256)) // fewer bits
		}
		if n := len(data) - from - 2; n > 0 {
			if got, want := teddyIndex(data[from:], n, &tab), teddyGeneric(data[from:], n, &tab); got != want {
				t.Fatalf("teddy at %d, want %d", got, want)
			}
		}
	}
}

func BenchmarkLiteral(b *testing.B) {
	data := bytes.Repeat([]byte("static int foo(struct device *dev) { return 0; }\n"), 4000)
	for _, fold := range []bool{false, true} {
		f := New([][]byte{[]byte("PM_RESUME")}, fold)
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			f.Index(data)
		}
	}
}

func BenchmarkTeddy(b *testing.B) {
	data := bytes.Repeat([]byte("static int foo(struct device *dev) { return 0; }\n"), 4000)
	f := New([][]byte{[]byte("ERR_SYS"), []byte("PME_TURN_OFF"), []byte("LINK_REQ_RST"), []byte("CFG_BME_EVT")}, false)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		f.Index(data)
	}
}
