package edit

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNumberedLine has lines of a listing, and such that only begin with a number.
func TestNumberedLine(t *testing.T) {
	for line, want := range map[string]struct {
		number     int
		mark, rest string
	}{
		"12|a": {12, "|", "a"}, "  90→\ta": {90, "→", "\ta"}, "7:": {7, ":", ""}, "5\t5": {5, "\t", "5"}, "3 | a": {3, " |", " a"}, "123456789|a": {123456789, "|", "a"},
		"1234567890|a": {0, "", "1234567890|a"}, "a|b": {0, "", "a|b"}, "12 a": {0, "", "12 a"}, "/1|a": {0, "", "/1|a"}, "": {0, "", ""},
	} {
		if number, mark, rest := numberedLine(line); number != want.number || mark != want.mark || rest != want.rest {
			t.Errorf("%q: %d, %q, %q", line, number, mark, rest)
		}
	}
}

// TestUnquote has lines in quotation marks or a fence, and such that are not.
func TestUnquote(t *testing.T) {
	for _, c := range []struct {
		lines, want []string
		mark        string
	}{
		{nil, nil, ""},
		{[]string{"```go", "a", "```"}, []string{"a"}, "```"},
		{[]string{"```go", "a", "b"}, nil, ""},
		{[]string{"a", "b", "```"}, nil, ""},
		{[]string{"```go", "```"}, []string{"``go", "``"}, "`"},
		{[]string{`"a`, `b"`}, []string{"a", "b"}, `"`},
		{[]string{`"a`, `b`}, nil, ""},
		{[]string{`a`, `b"`}, nil, ""},
		{[]string{` “a” `}, []string{"a"}, "“"},
	} {
		if got, mark := unquote(c.lines); !slices.Equal(got, c.want) || mark != c.mark {
			t.Errorf("%q: %q, %q", c.lines, got, mark)
		}
	}
}

// TestFoldKey has lines that differ in characters that hardly show, and in others.
func TestFoldKey(t *testing.T) {
	for line, want := range map[string]string{
		"a\u200db\ufeff": "ab", "“a” – ‘b’\u00a0": `"a" - 'b'`, "cafe\u0301": "café", "é\xff": "é\xff", "é\ufffd": "é\ufffd", "ﬁ x": "fi x", "a\u200e": "a\u200e", "a \t": "a",
	} {
		if got := foldKey(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestSurest has the longest part of a text that has no variants.
func TestSurest(t *testing.T) {
	for s, want := range map[string]string{
		"aaaa-bbbb": "aaaa", "aa'bbb": "bbb", `aa"bbb`: "bbb", "aa bbb": "bbb", "aa–bbb": "bbb", "aa\u00a0bbb–c": "bbb", "-": "", "": "", "a.b": "a.b",
	} {
		if start, end := surest(s); s[start:end] != want {
			t.Errorf("%q: %q, want %q", s, s[start:end], want)
		}
	}
}

func TestWords(t *testing.T) {
	for s, want := range map[string][]string{
		"":                    nil,
		"ab1 \t(x)\n  é_-- z": {"ab1", " \t", "(", "x", ")", "\n", "  ", "é_", "-", "-", " ", "z"},
		"\n\n":                {"\n", "\n"},
		"cafe\u0301 au":       {"cafe\u0301", " ", "au"},
	} {
		if d := cmp.Diff(want, words(s)); d != "" {
			t.Errorf("%q: %s", s, d)
		}
	}
}
