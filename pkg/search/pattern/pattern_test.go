package pattern_test

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search/pattern"
)

// random returns a pattern from the part of the grammar that Go's regexp shares.
func random(r *rand.Rand, depth int) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	if depth == 0 || r.IntN(3) == 0 {
		return pick("a", "b", "c", "ab", "k", "S", "é", "ſ", ".", "[ab]", "[^a]", "[b-k]", `\.`, "x", "(?i:k)", "(?i:ab)", "(?i:É)", "^", "$", "", `\pL`, "[[:alpha:]]", "(?s:.)", "世", `\A`, `\z`)
	}
	switch r.IntN(6) {
	case 0:
		return random(r, depth-1) + "|" + random(r, depth-1)
	case 1:
		return "(?:" + random(r, depth-1) + ")" + pick("*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}")
	case 2:
		return "(" + random(r, depth-1) + ")"
	}
	return random(r, depth-1) + random(r, depth-1)
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(14) {
		b.WriteString([]string{"a", "b", "c", "A", "B", "k", "K", "\u212a", "s", "ſ", "é", "É", "x", ".", "\n", " ", "世", "ab"}[r.IntN(18)])
	}
	return b.String()
}

func all(m *pattern.Machine, text string) [][]int {
	var found [][]int
	for at := 0; at <= len(text); {
		start, end, ok := m.Find([]byte(text), at, nil)
		if !ok {
			break
		}
		if !(start == end && len(found) > 0 && found[len(found)-1][1] == start) {
			found = append(found, []int{start, end})
		}
		if at = end; start == end {
			at++
			for at < len(text) && (text[at]&0xc0 == 0x80 || text[at-1:at+1] == "\r\n") {
				at++
			}
		}
	}
	return found
}

// TestMachine compares where random patterns match with Go's regexp.
func TestMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 4000 {
		text := random(r, 4)
		p, err := pattern.Compile(text, pattern.Options{Multiline: true})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		want := regexp.MustCompile("(?ms:" + text + ")")
		m := pattern.NewMachine(p)
		for range 3 {
			in := randomText(r)
			if diff := cmp.Diff(want.FindAllStringIndex(in, -1), all(m, in)); diff != "" {
				t.Fatalf("%q in %q: regexp (-), machine (+)\n%s", text, in, diff)
			}
		}
	}
}

// TestWindows checks that a search in a text that arrives in windows finds the same.
func TestWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 3000 {
		text := random(r, 3)
		p, err := pattern.Compile(text, pattern.Options{Multiline: true})
		if err != nil {
			t.Fatal(err)
		}
		in := strings.ReplaceAll(randomText(r)+randomText(r)+randomText(r), "x", "\r\n")
		from := r.IntN(len(in) + 1)
		for from > 0 && from < len(in) && (in[from]&0xc0 == 0x80 || in[from] == '\n') {
			from--
		}
		m := pattern.NewMachine(p)
		start, end, ok := m.Find([]byte(in), from, nil)
		m.Begin(int64(from))
		for size := 14; ; size += r.IntN(3) {
			base := max(0, int(m.At())-pattern.Behind)
			to := min(len(in), base+size)
			if m.Feed([]byte(in[base:to]), int64(base), to == len(in), nil) {
				break
			}
		}
		s, e, found := m.Match()
		if found != ok || ok && (int(s) != start || int(e) != end) {
			t.Fatalf("%q in %q from %d: in windows %d-%d %v, at once %d-%d %v", text, in, from, s, e, found, start, end, ok)
		}
	}
}

// TestCRLF checks that a pattern matches the same where lines end in CRLF, and that the
// bounds which it states hold.
func TestCRLF(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 4000 {
		text := random(r, 4)
		p, err := pattern.Compile(text, pattern.Options{Multiline: true})
		if err != nil {
			t.Fatal(err)
		}
		lf := randomText(r)
		crlf := strings.ReplaceAll(lf, "\n", "\r\n")
		var back [][]int
		for _, at := range all(pattern.NewMachine(p), crlf) {
			back = append(back, []int{at[0] - strings.Count(crlf[:at[0]], "\r"), at[1] - strings.Count(crlf[:at[1]], "\r")})
		}
		want := all(pattern.NewMachine(p), lf)
		if diff := cmp.Diff(want, back); diff != "" {
			t.Fatalf("%q in %q: LF (-), CRLF (+)\n%s", text, lf, diff)
		}
		for _, at := range want {
			if n := strings.Count(lf[at[0]:at[1]], "\n"); p.Breaks >= 0 && n > p.Breaks || n > 0 && !p.Multiline {
				t.Fatalf("%q matches %q, with more line breaks than %d", text, lf[at[0]:at[1]], p.Breaks)
			}
		}
	}
}

// TestLiterals checks on random patterns that each match holds one of the
// literals, and that exact literals are matches.
func TestLiterals(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	some, exact := 0, 0
	for range 4000 {
		text := random(r, 4)
		p, err := pattern.Compile(text, pattern.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Literals) == 0 {
			continue
		}
		some++
		if p.Exact {
			exact++
		}
		m := pattern.NewMachine(p)
		for range 5 {
			in := strings.ReplaceAll(randomText(r), "\n", "")
			held := false
			for _, l := range p.Literals {
				low := in
				if p.Fold {
					low = strings.Map(func(r rune) rune {
						if r < 0x80 {
							return unicode.ToLower(r)
						}
						return r
					}, in)
				}
				held = held || strings.Contains(low, l)
			}
			start, _, matched := m.Find([]byte(in), 0, nil)
			if matched && p.Leads && !slices.ContainsFunc(p.Literals, func(l string) bool {
				return len(in) >= start+len(l) && (in[start:start+len(l)] == l || p.Fold && strings.EqualFold(in[start:start+len(l)], l))
			}) {
				t.Fatalf("%q in %q: match at %d does not start with any of %q", text, in, start, p.Literals)
			}
			for _, o := range p.Others {
				if matched && !slices.ContainsFunc(o.Texts, func(l string) bool {
					return strings.Contains(in, l) || o.Fold && strings.Contains(strings.ToLower(in), l)
				}) {
					t.Fatalf("%q in %q: matches, but holds none of %q", text, in, o.Texts)
				}
			}
			if matched && !held || p.Exact && held != matched {
				t.Fatalf("%q in %q: matches %v, literals %q fold %v exact %v held %v", text, in, matched, p.Literals, p.Fold, p.Exact, held)
			}
		}
	}
	if some < 1000 || exact < 300 {
		t.Errorf("only %d patterns had literals, %d exact", some, exact)
	}
}

func TestSyntax(t *testing.T) {
	tests := []struct {
		pattern, in string
		want        []string
	}{
		{`\w+`, "größe 世界 a_1", []string{"größe", "世界", "a_1"}},
		{`(?-u)\w+`, "größe", []string{"gr", "e"}},
		{`\bß\b`, "ß aß", []string{"ß"}},
		{`\<a`, "ab ba", []string{"a"}},
		{`a\>`, "ab ba", []string{"a"}},
		{`\d+`, "12 ٣", []string{"12", "٣"}},
		{`[a-z&&[^aeiou]]+`, "hello", []string{"h", "ll"}},
		{`[\w--\d]+`, "ab12cd", []string{"ab", "cd"}},
		{`[ab~~bc]+`, "abcca", []string{"a", "cca"}},
		{`(?x) a \ b # comment`, "a b", []string{"a b"}},
		{`interface{}`, "interface{}", []string{"interface{}"}},
		{`a{,2}b`, "aaab", []string{"aab"}},
		{`\Q.*\E`, "a.*b", []string{".*"}},
		{`\u{4e16}\x41\u0042`, "世AB", []string{"世AB"}},
		{`(?i)straſe`, "STRASE", []string{"STRASE"}},
		{`\p{Greek}+`, "αβγ abc", []string{"αβγ"}},
		{`\p{script=greek}`, "α", []string{"α"}},
		{`\p{Uppercase_Letter}`, "aB", []string{"B"}},
		{`\PL+`, "ab12", []string{"12"}},
		{`[]a]+`, "]a", []string{"]a"}},
		{`[^]a]+`, "]ab", []string{"b"}},
		{`[a\-z]+`, "a-z", []string{"a-z"}},
		{`[[:^alpha:]]+`, "a12", []string{"12"}},
		{`(?P<n>a)(?<m>b)`, "ab", []string{"ab"}},
		{`x$`, "x", []string{"x"}},
		{`.`, "a\xffb", []string{"a", "b"}},
		{`[^a]`, "a\xffb", []string{"b"}},
	}
	for _, test := range tests {
		p, err := pattern.Compile(test.pattern, pattern.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		var got []string
		for _, at := range all(pattern.NewMachine(p), test.in) {
			got = append(got, test.in[at[0]:at[1]])
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s in %q:\n%s", test.pattern, test.in, diff)
		}
	}
}

func TestWord(t *testing.T) {
	tests := []struct {
		pattern, in string
		want        bool
	}{
		{"foo", "a foo b", true}, {"foo", "foobar", false}, {"-foo", "x -foo", true}, {"-foo", "x-foo", false}, {"é", "éa", false}, {"foo|foobar", "foobar", true},
	}
	for _, test := range tests {
		p, err := pattern.Compile(test.pattern, pattern.Options{Word: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, got := pattern.NewMachine(p).Find([]byte(test.in), 0, nil); got != test.want {
			t.Errorf("word %s in %q: %v", test.pattern, test.in, got)
		}
	}
}

func TestBadPatterns(t *testing.T) {
	tests := []struct {
		pattern string
		offset  int
	}{
		{"a(b", 1}, {"ab)", 2}, {"[a", 0}, {"*a", 0}, {"a|+", 2}, {`a\`, 1}, {`\1`, 0}, {"(?=a)", 0}, {"(?<!a)", 0},
		{`\p{Nope}`, 0}, {"[z-a]", 1}, {"a{5,2}", 0}, {"x{1001}", 0}, {"(?q)", 2}, {`\xZZ`, 0}, {`\y`, 0}, {"a\xff", 1},
		{"((a{1000}){1000}){1000}", 0}, {strings.Repeat("(", 10_000), 250}, {`\x{d800}`, 0}, {"(?P<n", 0},
	}
	for _, test := range tests {
		_, err := pattern.Compile(test.pattern, pattern.Options{})
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.InvalidArguments || f.Hint.IsZero() {
			t.Errorf("%.20q: %v", test.pattern, err)
			continue
		}
		want := map[string]any{"pointer": "/pattern", "offset": test.offset}
		if diff := cmp.Diff(want, f.Details); diff != "" {
			t.Errorf("%.20q: %v\n%s", test.pattern, err, diff)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"a", `[a-z&&\w]+`, `(?ix) a # b`, `\p{L}{2,3}`, `(?:a|b)*?$`, `\b{start}x`} {
		f.Add(s, "a text", false, false, true)
	}
	f.Fuzz(func(t *testing.T, text, in string, fold, word, multiline bool) {
		p, err := pattern.Compile(text, pattern.Options{IgnoreCase: fold, Word: word, Multiline: multiline})
		if err != nil {
			if !fault.Is(err, fault.InvalidArguments) {
				t.Fatal(err)
			}
			return
		}
		if len(in) > 200 {
			in = in[:200]
		}
		start, end, ok := pattern.NewMachine(p).Find([]byte(in), 0, nil)
		if ok && (start < 0 || start > end || end > len(in)) {
			t.Fatalf("%d-%d of %d", start, end, len(in))
		}
	})
}
