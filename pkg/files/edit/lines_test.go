package edit

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// TestFindLines has what each strategy takes for the same lines.
func TestFindLines(t *testing.T) {
	file := []string{"if a {", "\tbbbb()", "\t\tcccc()", "}  ", "", "“x  y” z", "b"}
	for name, c := range map[string]struct {
		block []string
		s     Strategy
		want  []int
	}{
		"nothing":                       {nil, Exact, nil},
		"more than the file has":        {slices.Repeat([]string{"b"}, 8), Exact, nil},
		"a strategy that is none":       {[]string{"b"}, Strategy("strange"), nil},
		"exactly":                       {[]string{"if a {"}, Exact, []int{0}},
		"exactly, blank":                {[]string{""}, Exact, []int{4}},
		"blank otherwise":               {[]string{" "}, Rtrim, nil},
		"blank, in other characters":    {[]string{" "}, Unicode, nil},
		"other ends":                    {[]string{"}"}, Rtrim, []int{3}},
		"other characters":              {[]string{"\"x  y\" z"}, Unicode, []int{5}},
		"other indentation":             {[]string{"bbbb()", "  cccc()"}, Indent, []int{1}},
		"other indentation, not alike":  {[]string{"bbbb()", "cccc()"}, Indent, nil},
		"any indentation":               {[]string{"bbbb()", "cccc()"}, IndentLoose, []int{1}},
		"any indentation, of one line":  {[]string{"bbbb()"}, IndentLoose, nil},
		"other indentation, too short":  {[]string{"  b"}, Indent, nil},
		"white space inside":            {[]string{"“x y”\tz"}, Whitespace, []int{5}},
		"white space inside, too short": {[]string{"b "}, Whitespace, nil},
	} {
		if got := FindLines(file, c.block, c.s); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := FindLines(slices.Repeat([]string{"x"}, 20_000), []string{"x"}, Exact); len(got) != maxBlocks+1 {
		t.Errorf("%d places", len(got))
	}
}

func TestFindLoose(t *testing.T) {
	file := []string{"aaaa()", "\t\tbbbb()", "  cccc()", "d  eeeee"}
	for name, c := range map[string]struct {
		path  string
		block []string
		s     Strategy
		want  []int
	}{
		"any indentation":                         {"a.go", []string{"aaaa()", "bbbb()", "cccc()"}, IndentLoose, []int{0}},
		"any indentation, where it counts":        {"a.py", []string{"aaaa()", "bbbb()", "cccc()"}, IndentLoose, nil},
		"consistent indentation, where it counts": {"a.py", []string{"aaaa()", " bbbb()"}, IndentLoose, []int{0}},
		"white space inside":                      {"a.go", []string{"d eeeee"}, Whitespace, []int{3}},
		"nothing":                                 {"a.go", []string{"d fffff"}, "", nil},
	} {
		if s, got := FindLoose(c.path, file, c.block); s != c.s || !slices.Equal(got, c.want) {
			t.Errorf("%s: %s %v", name, s, got)
		}
	}
}

// TestRewrite has new lines, and how the file would write them.
func TestRewrite(t *testing.T) {
	all := []diff.Region{{OldStart: 0, OldEnd: 1, NewStart: 0, NewEnd: 1}}
	for name, c := range map[string]struct {
		s              Strategy
		old, file, new []string
		changes        []diff.Region
		want           []string
	}{
		"as they are":                     {Exact, []string{"a"}, []string{"a"}, []string{"  b"}, all, []string{"  b"}},
		"with the file's characters":      {Unicode, []string{"\"a\" b"}, []string{"“a” b"}, []string{"\"a\" c"}, all, []string{"“a” c"}},
		"more lines than there were":      {Unicode, []string{"\"a\" b"}, []string{"“a” b"}, []string{"\"a\" c", "d"}, []diff.Region{{OldEnd: 1, NewEnd: 2}}, []string{"\"a\" c", "d"}},
		"lines that go":                   {Unicode, []string{"\"a\" b"}, []string{"“a” b"}, nil, []diff.Region{{OldEnd: 1}}, nil},
		"with the file's indentation":     {Indent, []string{"  aaaa", "b"}, []string{"\taaaa", "b"}, []string{"  cccc", "b"}, all, []string{"\tcccc", "b"}},
		"what stays is left alone":        {Indent, []string{"  aaaa", "b"}, []string{"\taaaa", "b"}, []string{"  aaaa", "c"}, []diff.Region{{OldStart: 1, OldEnd: 2, NewStart: 1, NewEnd: 2}}, []string{"  aaaa", "c"}},
		"without white space at the ends": {Rtrim, []string{"a ", "b "}, []string{"a", "b"}, []string{"c ", "b "}, all, []string{"c", "b"}},
		"with it, if only some had it":    {Rtrim, []string{"a ", "b"}, []string{"a", "b"}, []string{"c ", "b"}, all, []string{"c ", "b"}},
		"with it, if the file has it":     {Rtrim, []string{"a ", "b "}, []string{"a\t", "b"}, []string{"c ", "b "}, all, []string{"c ", "b "}},
	} {
		got, err := Rewrite(c.s, c.old, c.file, c.new, c.changes, strings.Join(c.file, "\n"))
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, d)
		}
	}
	_, err := Rewrite(Indent, []string{"  abcdef()"}, []string{"\tabcdef()"}, []string{"\tx()", "\ty()"}, []diff.Region{{OldEnd: 1, NewEnd: 2}}, "\tabcdef()\n")
	if !fault.Is(err, fault.IndentAmbiguous) {
		t.Errorf("no way to indent: %v", err)
	}
}

// TestTrimmed has edits whose old lines begin or end blank.
func TestTrimmed(t *testing.T) {
	for name, c := range map[string]struct {
		old, new, o, n []string
		ok             bool
	}{
		"no blank lines":             {[]string{"a"}, []string{"b"}, nil, nil, false},
		"only blank lines":           {[]string{"", " "}, []string{"b"}, nil, nil, false},
		"no lines":                   {nil, []string{"b"}, nil, nil, false},
		"blank at both ends":         {[]string{"", "a", "", "c", "\t"}, []string{"", "b", ""}, []string{"a", "", "c"}, []string{"b"}, true},
		"blank at the beginning":     {[]string{"", "", "a"}, []string{"", "", "", "b", ""}, []string{"a"}, []string{"", "b", ""}, true},
		"blank at the end":           {[]string{"a", ""}, []string{"", "b"}, []string{"a"}, []string{"", "b"}, true},
		"new lines that are blank":   {[]string{"", "", "a"}, []string{""}, []string{"a"}, []string{}, true},
		"no new lines":               {[]string{"", "a", ""}, []string{}, []string{"a"}, []string{}, true},
		"new lines blank at the end": {[]string{"a", "", ""}, []string{""}, []string{"a"}, []string{}, true},
	} {
		o, n, ok := Trimmed(c.old, c.new)
		if ok != c.ok || cmp.Diff(c.o, o) != "" || cmp.Diff(c.n, n) != "" {
			t.Errorf("%s: %q, %q, %t", name, o, n, ok)
		}
	}
}

// TestSpaced has blocks too small to be looked for with other blank lines.
func TestSpaced(t *testing.T) {
	file := []string{"aaaaaa", "", "bbbbbb", "c", "", "d"}
	for name, c := range map[string]struct {
		old  []string
		want [][2]int
	}{
		"two lines":                 {[]string{"aaaaaa", "bbbbbb"}, [][2]int{{0, 3}}},
		"one line, and a blank one": {[]string{"aaaaaa", "", ""}, nil},
		"too little to tell":        {[]string{"c", "d"}, nil},
	} {
		if _, got := Spaced(file, c.old, nil); cmp.Diff(c.want, got) != "" {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSolid(t *testing.T) {
	if got := solid(" \t\r\na ", "", "b中"); got != 5 {
		t.Errorf("%d bytes", got)
	}
}

func TestIsASCII(t *testing.T) {
	for s, want := range map[string]bool{"": true, "a \x00\x7f": true, "\x80": false, "é": false, "aé": false} {
		if got := isASCII(s); got != want {
			t.Errorf("%q: %t", s, got)
		}
	}
}
