package text

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []Line
	}{
		{"", []Line{}},
		{"a", []Line{{"a", ""}}},
		{"\n", []Line{{"", "\n"}}},
		{"a\nb", []Line{{"a", "\n"}, {"b", ""}}},
		{"a\r\nb\n", []Line{{"a", "\r\n"}, {"b", "\n"}}},
		{"a\rb\r", []Line{{"a", "\r"}, {"b", "\r"}}},
		{"a\rb\n", []Line{{"a\rb", "\n"}}},
		{"a\r\r\nb\r", []Line{{"a\r", "\r\n"}, {"b\r", ""}}},
		{"\r\n\r\n", []Line{{"", "\r\n"}, {"", "\r\n"}}},
		{"\r", []Line{{"", "\r"}}},
		{"a\u2028b\vc\fd\u0085e", []Line{{"a\u2028b\vc\fd\u0085e", ""}}},
	} {
		got := Lines(tt.in)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Lines(%q) (-want +got):\n%s", tt.in, diff)
		}
		if back := unsplit(got); back != tt.in {
			t.Errorf("unsplit(Lines(%q)) = %q", tt.in, back)
		}
	}
}

func TestDescribe(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want Profile
	}{
		{"", Profile{EOL: "none", Indent: Indent{Style: "none"}}},
		{"a", Profile{EOL: "none", Indent: Indent{Style: "none"}, TotalLines: 1}},
		{"a\n\tb\n", Profile{"lf", true, Indent{Style: "tab"}, 2, "\n"}},
		{"a\r\n  b\r\n", Profile{"crlf", true, Indent{"space", 2}, 2, "\r\n"}},
		{"a\r    b", Profile{"cr", false, Indent{"space", 4}, 2, "\r"}},
		{"a\nb\r\nc", Profile{"mixed", false, Indent{Style: "none"}, 3, "\n"}},
		{"a\r\nb\nc", Profile{"mixed", false, Indent{Style: "none"}, 3, "\r\n"}},
		{"a\nb\r\nc\r\n", Profile{"mixed", true, Indent{Style: "none"}, 3, "\r\n"}},
		{"a\rb\n", Profile{"lf", true, Indent{Style: "none"}, 1, "\n"}},
		{"{\n\t/*\n\t * x\n\t */\n\ta\n}\n", Profile{"lf", true, Indent{Style: "tab"}, 6, "\n"}},
		{"/*\n * x\n */\nif\n   a\n   b\n      c\n", Profile{"lf", true, Indent{"space", 3}, 7, "\n"}},
		{"a\n\tb\n  c\n\td\n  e\n", Profile{"lf", true, Indent{"mixed", 2}, 5, "\n"}},
		{"   \n\t\n\n", Profile{"lf", true, Indent{Style: "none"}, 3, "\n"}},
		{"a\n    b\n        c\n    d\n     e\n", Profile{"lf", true, Indent{"space", 4}, 5, "\n"}},
		{"a\n b\n  c\n", Profile{"lf", true, Indent{"space", 1}, 3, "\n"}},
	} {
		if diff := cmp.Diff(tt.want, Describe(tt.in)); diff != "" {
			t.Errorf("Describe(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

// randomText returns few different lines with all kinds of endings.
func randomText(rnd *rand.Rand, lines int) string {
	bodies := []string{"", "", "a", "b", "\tc", "  d", "\r", "x\r", "\rx", "é", "𝔘", "  ", "long line of text"}
	ends := []string{"\n", "\r\n", "\r", "\r\r\n", ""}
	// Few kinds of endings at a time, or all texts would be mixtures.
	kinds := ends[rnd.IntN(len(ends)):]
	kinds = kinds[:1+rnd.IntN(len(kinds))]
	var b strings.Builder
	for range lines {
		b.WriteString(bodies[rnd.IntN(len(bodies))])
		b.WriteString(kinds[rnd.IntN(len(kinds))])
	}
	return b.String()
}

// The profile of a text follows from its lines, however it is cut into pieces.
func TestDescribeAgreesWithLines(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		s := randomText(rnd, rnd.IntN(12))
		lines := Lines(s)
		counts, first := map[string]int{}, ""
		for _, l := range lines {
			if counts[l.EOL]++; first == "" {
				first = l.EOL
			}
		}
		final := len(lines) > 0 && lines[len(lines)-1].EOL != ""
		delete(counts, "")
		want := Profile{EOL: "mixed", TotalLines: len(lines), FinalNewline: final, Dominant: first}
		if len(counts) < 2 {
			want.EOL = map[string]string{"": "none", "\n": "lf", "\r\n": "crlf", "\r": "cr"}[first]
		}
		for eol, n := range counts {
			if n > counts[first] {
				want.Dominant = eol
			}
		}
		whole := Describe(s)
		want.Indent = whole.Indent
		if diff := cmp.Diff(want, whole); diff != "" {
			t.Fatalf("Describe(%q) (-want +got):\n%s", s, diff)
		}
		var p profiler
		for rest := s; rest != ""; {
			n := 1 + rnd.IntN(len(rest))
			p.add([]byte(rest[:n]))
			rest = rest[n:]
		}
		if diff := cmp.Diff(whole, p.profile()); diff != "" {
			t.Fatalf("in pieces %q (-whole +pieces):\n%s", s, diff)
		}
	}
}

// unsplit is the opposite of Lines.
func unsplit(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Body)
		b.WriteString(l.EOL)
	}
	return b.String()
}
