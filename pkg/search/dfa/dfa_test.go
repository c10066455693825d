package dfa

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search/pattern"
)

func random(r *rand.Rand, depth int) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	if depth == 0 || r.IntN(3) == 0 {
		return pick("a", "b", "c", "ab", "k", "é", ".", "[ab]", "[^a]", "[b-k]", "x", "(?i:k)", "(?i:É)", "^", "$", `\pL`, "世", `[\x{4e00}-\x{4e17}]`, `[😀-😂]`, " ", "[^世]", `\p{Greek}`)
	}
	switch r.IntN(6) {
	case 0:
		return random(r, depth-1) + "|" + random(r, depth-1)
	case 1:
		return "(?:" + random(r, depth-1) + ")" + pick("*", "+", "?", "{2}", "{1,3}")
	}
	return random(r, depth-1) + random(r, depth-1)
}

func randomText(r *rand.Rand, size int) string {
	parts := []string{"a", "b", "c", "A", "k", "K", "\u212a", "é", "É", "x", "\n", " ", "世", "丗", "😀", "😁", "λ", "_", "0", "ß"}
	var b strings.Builder
	for range size {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// lineNumbers returns the numbers of the lines with the given offsets.
func lineNumbers(data []byte, hits []int) []int {
	numbers := []int{}
	for _, at := range hits {
		numbers = append(numbers, bytes.Count(data[:at], []byte{'\n'}))
	}
	return numbers
}

func splitLines(data []byte) [][]byte {
	lines := bytes.SplitAfter(data, []byte{'\n'})
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	for i, l := range lines {
		lines[i] = bytes.TrimSuffix(l, []byte{'\n'})
	}
	return lines
}

// TestLines compares which lines match with Go's regexp: with lanes and without,
// and with a budget that drops the states all the time and with one that does not.
func TestLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for i := range 3000 {
		text := random(r, 4)
		p, err := pattern.Compile(text, pattern.Options{})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		oracle := regexp.MustCompile("(?m:" + text + ")")
		d := New(p)
		if i%3 == 0 {
			d.budget = 20_000
		}
		for _, size := range []int{0, 1, 5, 20, 600} {
			data := []byte(randomText(r, size))
			want := []int{}
			for n, line := range splitLines(data) {
				if oracle.Match(line) {
					want = append(want, n)
				}
			}
			hits := d.Lines(data, nil, 1<<30)
			if diff := cmp.Diff(want, lineNumbers(data, hits)); diff != "" {
				t.Fatalf("%q in %q:\n%s", text, data, diff)
			}
			if few := d.Lines(data, nil, 2); !slices.Equal(few, hits[:min(2, len(hits))]) {
				t.Fatalf("%q in %q: first two %v of %v", text, data, few, hits)
			}
		}
	}
}

// TestText does the same with texts of several lines.
func TestText(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	for range 3000 {
		text := random(r, 4) + `\n?` + random(r, 2)
		p, err := pattern.Compile(text, pattern.Options{Multiline: true})
		if err != nil {
			t.Fatal(err)
		}
		oracle := regexp.MustCompile("(?ms:" + text + ")")
		d := New(p)
		for _, size := range []int{0, 1, 5, 20} {
			data := []byte(randomText(r, size))
			if _, got := d.Text(data); got != oracle.Match(data) {
				t.Fatalf("%q in %q: %v", text, data, got)
			}
			// CRLF is one character, so where lines end in it there is a match as well.
			crlf := bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
			if _, got := d.Text(crlf); !got && oracle.Match(data) {
				t.Fatalf("%q in %q: no match", text, crlf)
			}
		}
	}
}

// FuzzDFA compares the automaton with the machine on arbitrary bytes: words,
// invalid UTF-8, assertions.
func FuzzDFA(f *testing.F) {
	for _, s := range []string{`\bé\b`, `\w+\s\W`, `(?i)straße$`, `\B.`, `[^a]\z`, `\<世`, `(?-u)\b\w`, `^\PL*$`, `x\b{end-half}`} {
		f.Add(s, []byte("straße é世\n\xff\xe4\xb8 ab\xf0\x9f\x98\x80 x\xe4\n"), false)
		f.Add(s, []byte("\xe4\xb8a\xc3\xc3\xa9"), true)
	}
	f.Fuzz(func(t *testing.T, text string, data []byte, multiline bool) {
		p, err := pattern.Compile(text, pattern.Options{Multiline: multiline})
		if err != nil || len(p.Program.Inst) > 500 || len(data) > 1000 {
			return
		}
		data = bytes.ReplaceAll(data, []byte{'\r'}, nil) // see conditions
		m, d := pattern.NewMachine(p), New(p)
		d.budget = 50_000
		if p.Multiline {
			_, _, want := m.Find(data, 0, nil)
			if _, got := d.Text(data); got != want {
				t.Fatalf("%q in %q: %v, want %v", text, data, got, want)
			}
			return
		}
		for _, copies := range []int{1, 1200/(len(data)+1) + 1} {
			many := bytes.Repeat(append(slices.Clone(data), '\n'), copies)
			want := []int{}
			for n, line := range splitLines(many) {
				if _, _, ok := m.Find(line, 0, nil); ok {
					want = append(want, n)
				}
			}
			got := lineNumbers(many, d.Lines(many, nil, 1<<30))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%q in %q:\n%s", text, many, diff)
			}
		}
	})
}

func BenchmarkLanes(b *testing.B) {
	p, err := pattern.Compile(`\w{5}\s+\w{5}\s+\w{5}\s+\w{5}\s+\w{5}`, pattern.Options{})
	if err != nil {
		b.Fatal(err)
	}
	data := bytes.Repeat([]byte("static int foo(struct device *dev) { return 0; }\n"), 5000)
	d := New(p)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		d.Lines(data, nil, 1<<30)
	}
}
