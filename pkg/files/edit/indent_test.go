package edit

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

func TestIndentMatters(t *testing.T) {
	for name, want := range map[string]bool{
		"a.py": true, "A.PY": true, "d/Makefile": true, `d\makefile`: true, "GNUmakefile": true, "Makefile.am": true, "x.mk": true, "a.yml": true,
		"makefiles": false, "mymakefile": false, "a.go": false, "py": false, "": false, "makefile/x.go": false,
	} {
		if got := indentMatters(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}

func TestDepth(t *testing.T) {
	for line, want := range map[string]int{"": 0, "x": 0, "  x": 2, "\tx": 8, "  \tx": 8, "\t x": 9, "        \tx": 16, "\t\t": 16, "x  ": 0} {
		if got := Depth(line); got != want {
			t.Errorf("%q: %d", line, got)
		}
	}
}

func TestSteps(t *testing.T) {
	o, f := []string{"a", "\tb", "", "\tc", "\td", "e"}, []string{"  a", "    b", "x", "    c", "      d", "  e"}
	all := steps(o, f)
	if d := cmp.Diff([]step{{"", "  "}, {"\t", "    "}, {"\t", "      "}}, all, cmp.AllowUnexported(step{})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]step{{"", "  "}}, unanimous(all), cmp.AllowUnexported(step{})); d != "" {
		t.Error(d)
	}
}

func TestConsistent(t *testing.T) {
	for _, c := range []struct {
		o, f []string
		want bool
	}{
		{[]string{"a", " b"}, []string{"\ta", "\t\tb"}, true},
		{[]string{"a", " b"}, []string{"\ta", "\tb"}, false},        // deeper becomes equal
		{[]string{"a", "b"}, []string{"a", " b"}, false},            // equal becomes deeper
		{[]string{" a", "b"}, []string{"a", " b"}, false},           // the reverse
		{[]string{"\ta", "        b"}, []string{" a", " b"}, false}, // as deep, but different
		{[]string{"a", "", " b"}, []string{"a", "zz", " b"}, true},
		{nil, nil, true},
	} {
		if got := consistent(c.o, c.f); got != c.want {
			t.Errorf("%q %q: %t", c.o, c.f, got)
		}
	}
	lines := func(n int) []string {
		all := make([]string, n)
		for i := range all {
			all[i] = string(slices.Repeat([]byte{' '}, i)) + "x"
		}
		return all
	}
	if !consistent(lines(64), lines(64)) || consistent(lines(65), lines(65)) {
		t.Error("not 64 different pairs are compared")
	}
}

func TestSpaceUnit(t *testing.T) {
	for want, lines := range map[int][]string{0: {"a", "\tb", "   "}, 2: {"  a", "      b"}, 4: {"    a", "        b", "\t   c"}, 1: {"  a", "   b"}} {
		if got := spaceUnit(lines[:1], lines[1:]); got != want {
			t.Errorf("%q: %d", lines, got)
		}
	}
}

// TestLevelWidth has the spaces of the caller that stand for tabs of the file.
func TestLevelWidth(t *testing.T) {
	for _, c := range []struct {
		unit  int
		known []step
		want  int
	}{
		{2, nil, 2},
		{2, []step{{"    ", "\t"}}, 4}, // aligned lines made the divisor too small
		{8, []step{{"    ", "\t"}}, 4}, // deep lines made it too large
		{4, []step{{"  ", "\t"}}, 4},   // a block that was moved
		{3, []step{{"  ", "\t"}}, 3},
		{5, []step{{"  ", "\t"}}, 2},
		{4, []step{{"    ", "\t"}}, 4},
		{4, []step{{" ", "\t"}}, 4},
		{8, []step{{" ", "\t"}}, 8},
		{2, []step{{"        ", "\t\t"}}, 4},
		{2, []step{{"     ", "\t\t"}}, 2},                  // no whole number
		{2, []step{{"    ", "\t"}, {"      ", "\t\t"}}, 2}, // they disagree
		{2, []step{{"    ", "\t"}, {"        ", "\t\t"}}, 4},
		{2, []step{{"", "\t"}, {"    ", ""}, {"\t", "\t"}, {"    ", "  "}, {"    ", "\t "}}, 2}, // these tell nothing
	} {
		if got := levelWidth(c.unit, c.known); got != c.want {
			t.Errorf("%d %q: %d and not %d", c.unit, c.known, got, c.want)
		}
	}
}

// TestNear has a block in which one indentation stands for two of the file's: what is
// nearer to a change decides.
func TestNear(t *testing.T) {
	in := indenter{
		o: []string{"a", " b", "", " c", "d", " e"},
		f: []string{"a", "\tb", "", "\t\tc", "d", "\t\t\te"},
	}
	in.steps = steps(in.o, in.f)
	for _, c := range []struct {
		r    diff.Region
		want []step
		torn []string
	}{
		{diff.Region{OldStart: 1, OldEnd: 2}, []step{{" ", "\t"}, {"", ""}}, nil},
		{diff.Region{OldStart: 3, OldEnd: 4}, []step{{" ", "\t\t"}, {"", ""}}, nil},
		{diff.Region{OldStart: 2, OldEnd: 3}, []step{{"", ""}}, []string{" "}}, // its neighbours disagree
		{diff.Region{OldStart: 5, OldEnd: 6}, []step{{" ", "\t\t\t"}, {"", ""}}, nil},
		{diff.Region{OldStart: 6, OldEnd: 6}, []step{{"", ""}}, []string{" "}},
		{diff.Region{OldStart: 0, OldEnd: 0}, []step{{"", ""}}, []string{" "}},
	} {
		known, torn := in.near(c.r)
		if d := cmp.Diff(c.want, known, cmp.AllowUnexported(step{})) + cmp.Diff(c.torn, torn); d != "" {
			t.Errorf("%+v: %s", c.r, d)
		}
	}
}

func TestTranslate(t *testing.T) {
	in := indenter{unit: 2, width: 4}
	for _, c := range []struct {
		lead  string
		known []step
		want  string
		ok    bool
	}{
		{"  ", []step{{"  ", "\t"}}, "\t", true},
		{"    ", []step{{"  ", "\t"}}, "\t\t", true},                       // one level deeper
		{"    ", []step{{"", ""}, {"  ", "\t"}}, "\t\t", true},             // from the deepest above
		{"", []step{{"  ", "\t"}}, "", true},                               // from the one below
		{"  ", []step{{"    ", "\t\t"}, {"      ", "\t\t\t"}}, "\t", true}, // from the nearest below
		{"   ", []step{{"  ", "\t"}}, "\t ", true},                         // alignment stays
		{"\t", []step{{"  ", "\t"}}, "", false},                            // of another kind
		{"", []step{{"    ", "\t"}}, "", false},                            // the file has less than that
		{"", nil, "", false},
		{"\t\t", []step{{"\t", "    "}}, "        ", true},
		{"  ", []step{{"\t", "    "}}, "", false},
		{"    ", []step{{"  ", "   "}, {" ", " "}}, "     ", true}, // from the deepest above, whichever comes first
		{"    ", []step{{" ", " "}, {"  ", "   "}}, "     ", true},
		{"", []step{{"   ", "     "}, {"  ", "  "}}, "", true}, // from the nearest below
		{"", []step{{"  ", "  "}, {"   ", "     "}}, "", true},
	} {
		got, ok := in.translate(c.lead, c.known, nil)
		if ok && got != c.want || ok != c.ok {
			t.Errorf("%q %q: %q %t", c.lead, c.known, got, ok)
		}
	}
}

// TestTorn has blocks with a comment that the file indents in another way than the caller
// does, and lines that are inserted there: they are indented in the only way, or in none.
func TestTorn(t *testing.T) {
	const margin = "function f() {\n// note\n    x();\n    y();\n}\n"
	for name, c := range map[string]struct{ src, old, new, want string }{
		"between the comment and code": {margin, "function f() {\n    // note\n    x();\n", "function f() {\n    // note\n    // more\n    x();\n", ""},
		"before the comment":           {margin, "function f() {\n    // note\n    x();\n", "function f() {\n    w();\n    // note\n    x();\n", ""},
		"deeper than both":             {margin, "function f() {\n    // note\n    x();\n", "function f() {\n    // note\n        z();\n    x();\n", ""},
		"between lines of code":        {margin, "    // note\n    x();\n    y();\n", "    // note\n    x();\n    // more\n    y();\n", "function f() {\n// note\n    x();\n    // more\n    y();\n}\n"},
		"the comment itself":           {margin, "    // note\n    x();\n", "    // another\n    x();\n", "function f() {\n// another\n    x();\n    y();\n}\n"},
		"consistent":                   {"\tif a {\n\t\tx()\n\t}\n", "if a {\n  x()\n}\n", "if a {\n  // c\n  x()\n}\n", "\tif a {\n\t\t// c\n\t\tx()\n\t}\n"},
	} {
		r, err := Apply(c.src, []Edit{{Old: c.old, New: c.new}}, Options{Path: "a.js"})
		if c.want == "" && !fault.Is(err, fault.IndentAmbiguous) || c.want != "" && (err != nil || r.Text != c.want) {
			t.Errorf("%s: %q, %v", name, r.Text, err)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		unit, width int
		known       []step
		old, file   string
	}{
		{0, 0, nil, "", ""},
		{2, 4, []step{{"  ", "\t"}, {"    ", "\t\t"}}, "  ", "\t"},
		{2, 4, []step{{"", ""}, {"    ", "\t\t"}}, "  ", "\t"},
		{2, 4, []step{{"", ""}, {"  ", "    "}, {"      ", "            "}}, "  ", "    "},
		{0, 4, []step{{"", ""}, {"  ", "    "}}, "  ", "    "},
		{2, 4, []step{{"", ""}, {"    ", "        "}}, "  ", "    "},     // two levels
		{2, 4, []step{{"", ""}, {"    ", "       "}}, "    ", "       "}, // seven are no two levels
		{2, 4, []step{{"  ", "\t"}}, "  ", "\t"},
		{1, 4, []step{{"  ", "\t"}}, "", ""},
		{2, 4, []step{{"\t", "\t"}}, "", ""},
		{2, 4, []step{{"\t", "  "}}, "\t", "    "},
		{2, 1, []step{{"\t", "  "}}, "", ""},
		{2, 4, []step{{"\t ", "  "}}, "", ""},
		{2, 4, []step{{"\t", ""}}, "", ""},
		{4, 4, []step{{"  ", "\t"}, {"    ", "    "}}, "    ", "\t"},               // the file's are not nested
		{2, 4, []step{{"", ""}, {"  ", "\t"}, {"      ", "\t\t\t\t"}}, "  ", "\t"}, // the smallest step tells most
		{2, 4, []step{{"      ", "\t\t\t\t"}, {"  ", "\t"}, {"", ""}}, "  ", "\t"},
		{2, 4, []step{{"", ""}, {"  ", "  "}}, "", ""}, // the same on both sides
		{2, 4, []step{{"", ""}, {" \t", "  "}}, "", ""},
	} {
		in := indenter{unit: c.unit, width: c.width}
		if old, file := in.units(c.known); old != c.old || file != c.file {
			t.Errorf("%d %d %q: %q %q", c.unit, c.width, c.known, old, file)
		}
	}
}

// TestAlreadyFits has new lines with the indentation of the file, and without.
func TestAlreadyFits(t *testing.T) {
	for name, c := range map[string]struct {
		o, f, n []string
		want    bool
	}{
		"all of them":                   {[]string{"  a", "  b"}, []string{"\ta", "\tb"}, []string{"\ta", "\tc"}, true},
		"one of them not":               {[]string{"  a", "  b"}, []string{"\ta", "\tb"}, []string{"\ta", "  c"}, false},
		"the old lines had it, too":     {[]string{"\ta"}, []string{"\ta"}, []string{"\tb"}, false},
		"a line in place of a blank":    {[]string{"  a", "", "  b"}, []string{"\ta", "", "\tb"}, []string{"\ta", "\tx", "\tb"}, true},
		"a blank in place of a line":    {[]string{"  a", "  x", "  b"}, []string{"\ta", "\tx", "\tb"}, []string{"\ta", "", "\tb"}, true},
		"lines that are only new":       {[]string{"  a"}, []string{"\ta"}, []string{"\ta", "    b", "    c"}, true},
		"only lines that are only new":  {[]string{"  a"}, []string{"\ta"}, []string{"x", "y"}, false},
		"a kept line in the wrong form": {[]string{"  a", "  b"}, []string{"\ta", "\tb"}, []string{"  a", "\tc"}, false},
	} {
		in := indenter{o: c.o, f: c.f, n: c.n}
		if got := in.alreadyFits(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestConvert(t *testing.T) {
	in := indenter{unit: 3, width: 3}
	for _, c := range []struct {
		piece string
		known []step
		want  string
	}{
		{"    ", []step{{"", ""}, {"  ", "    "}}, "        "},
		{"   ", []step{{"", ""}, {"  ", "    "}}, "   "}, // no whole level
		{" \t", []step{{"", ""}, {"  ", "    "}}, " \t"},
		{"   ", []step{{"", ""}, {"   ", "    "}}, "   "}, // nobody indents by three
		{"    ", []step{{"", ""}, {"    ", "   "}}, "    "},
		{"   ", []step{{"", ""}, {"   ", "\t"}}, "\t"},
		{"x", nil, "x"},
	} {
		if got := in.convert(c.piece, c.known); got != c.want {
			t.Errorf("%q %q: %q and not %q", c.piece, c.known, got, c.want)
		}
	}
}

// TestUnescaped has texts that were escaped once too often, or were meant so.
func TestUnescaped(t *testing.T) {
	for _, c := range []struct{ src, old, new, want string }{
		{"a\n\tb\n", `a\n\tb`, `a\n\tc`, "a\n\tc\n"},
		{"a\n\tb\n", `a\n\tb\n`, `a\n\tc\n`, "a\n\tc\n"},
		{"a\n\tb\n", "a\\n\n", "x", ""}, // it has real line ends too
		{"a\nb a\nb", `a\nb`, "x", ""},  // twice
		{"a\n\nb", `\n`, "x", ""},       // nothing solid
	} {
		r, err := Apply(c.src, []Edit{{Old: c.old, New: c.new}}, Options{Path: "x.txt"})
		if (err == nil) != (c.want != "") || err == nil && r.Text != c.want {
			t.Errorf("%q %q: %v %v", c.src, c.old, r, err)
		}
	}
}

// TestPlainRune has the first and last characters of each range, and their neighbours.
func TestPlainRune(t *testing.T) {
	for r, want := range map[rune]rune{
		'a': 'a', 0x7f: 0x7f, 0x80: 0x80, 0x200f: 0x200f, 0x2010: '-', 0x2015: '-', 0x2016: 0x2016, 0x2212: '-', 0x2017: 0x2017, 0x2018: '\'', 0x201b: '\'', 0x201c: '"',
		0x201f: '"', 0x2020: 0x2020, 0xa0: ' ', 0x2001: 0x2001, 0x2002: ' ', 0x200a: ' ', 0x200b: 0x200b, 0x202f: ' ', 0x205f: ' ', 0x3000: ' ', '中': '中',
	} {
		if got := plainRune(r); got != want {
			t.Errorf("%U: %U and not %U", r, got, want)
		}
	}
}
