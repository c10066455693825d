package patch

import (
	"slices"
	"testing"
)

// TestAscending has hunks whose places are known, or not yet.
func TestAscending(t *testing.T) {
	at := func(place, lines int) *finding { return &finding{at: place, old: make([]string, lines)} }
	for name, c := range map[string]struct {
		all  []*finding
		want bool
	}{
		"none":            {nil, true},
		"in order":        {[]*finding{at(0, 2), at(2, 1), at(9, 1)}, true},
		"overlap":         {[]*finding{at(0, 3), at(2, 1)}, false},
		"reverse":         {[]*finding{at(5, 1), at(0, 1)}, false},
		"unknown between": {[]*finding{at(0, 3), at(-1, 9), at(3, 1)}, true},
		"unknown hides":   {[]*finding{at(4, 3), at(-1, 1), at(3, 1)}, false},
	} {
		if got := ascending(c.all); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestHeredoc(t *testing.T) {
	for text, want := range map[string]string{
		"apply_patch <<EOF": "EOF", "apply_patch <<'EOF'": "EOF", `x << "end of it" y`: "end of it", "x <<-\tEOF": "EOF", "x <<azAZ09_)": "azAZ09_", "x <<EOF; y": "EOF",
		"x <<E@F": "E", "x <<E[F": "E", "x <<E`F": "E", "x <<E{F": "E", "x <<E/F": "E", "x <<E:F": "E", "x << ": "", "x": "", "x <EOF": "", "x <<)": "",
	} {
		if got := heredoc(text); got != want {
			t.Errorf("%q: %q and not %q", text, got, want)
		}
	}
}

// TestVerbatim has patches that say how lines end, and such that do not.
func TestVerbatim(t *testing.T) {
	hunk := func(lines ...Line) []Hunk { return []Hunk{{Lines: lines}} }
	for name, c := range map[string]struct {
		src   string
		hunks []Hunk
		want  bool
	}{
		"both":                      {"a\nb", hunk(Line{Text: "x\r"}, Line{Text: "y"}), true},
		"both, in two hunks":        {"a\nb", append(hunk(Line{Text: "x\r"}), hunk(Line{Text: "y"})...), true},
		"all with":                  {"a\nb", hunk(Line{Text: "x\r"}, Line{Text: "y\r"}), false},
		"all without":               {"a\nb", hunk(Line{Text: "x"}, Line{Text: "y"}), false},
		"blank line lost its mark":  {"a\nb", hunk(Line{Text: "x\r"}, Line{Bare: true}), false},
		"bare, but not blank":       {"a\nb", hunk(Line{Text: "x\r"}, Line{Text: "y", Bare: true}), true},
		"blank with its mark":       {"a\nb", hunk(Line{Text: "x\r"}, Line{}), true},
		"the last line has no end":  {"a\nb", hunk(Line{Text: "x\r"}, Line{Text: "y", NoEOL: true}), false},
		"only CR, none within":      {"a\rb", hunk(Line{Text: "x\r"}, Line{Text: "y"}), false},
		"only CR, and within lines": {"a\rb", hunk(Line{Text: "x\ry"}), true},
		"one line, without":         {"a", hunk(Line{Text: "x"}), false},
		"one line, with":            {"a", hunk(Line{Text: "x\r"}), true},
	} {
		if got := verbatim(c.src, c.hunks); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestDrift has hunks between others that are where their headers say, or further on.
func TestDrift(t *testing.T) {
	here := &finding{hunk: &Hunk{Numbered: true, OldStart: 50}, old: []string{"a"}, at: -1}
	moved := func(lines int) *finding {
		return &finding{hunk: &Hunk{Numbered: true, OldStart: 10}, old: []string{"a"}, at: 9 + lines}
	}
	unknown := &finding{hunk: &Hunk{Numbered: true, OldStart: 10}, old: []string{"a"}, at: -1}
	unnumbered := &finding{hunk: &Hunk{}, old: []string{"a"}, at: 3}
	insertion := &finding{hunk: &Hunk{Numbered: true, OldStart: 1}, at: 7}
	for name, c := range map[string]struct {
		before, after []*finding
		lines         int
		ok            bool
	}{
		"alone":                    {nil, nil, 0, true},
		"only one before":          {[]*finding{moved(3)}, nil, 3, true},
		"only one after":           {nil, []*finding{moved(-2)}, -2, true},
		"both agree":               {[]*finding{moved(3)}, []*finding{moved(3)}, 3, true},
		"they disagree":            {[]*finding{moved(3)}, []*finding{moved(2)}, 0, false},
		"the nearest count":        {[]*finding{moved(9), moved(3)}, []*finding{moved(3), moved(8)}, 3, true},
		"some say nothing":         {[]*finding{moved(3), unknown, unnumbered, insertion}, nil, 3, true},
		"some after say nothing":   {nil, []*finding{insertion, unnumbered, unknown, moved(4)}, 4, true},
		"at the first line":        {[]*finding{moved(-9)}, nil, -9, true},
		"first line after":         {nil, []*finding{moved(-9)}, -9, true},
		"none of them says a word": {[]*finding{unknown}, []*finding{unnumbered, insertion}, 0, true},
	} {
		all := append(append(slices.Clone(c.before), here), c.after...)
		if lines, ok := drift(all, len(c.before)); lines != c.lines || ok != c.ok {
			t.Errorf("%s: %d, %t", name, lines, ok)
		}
	}
}

// TestResembles has lines of a file that are nearly those of a hunk, or not.
func TestResembles(t *testing.T) {
	hunk := func(lines ...string) *finding {
		h := &Hunk{}
		for _, l := range lines {
			h.Lines = append(h.Lines, Line{Op: Op(l[0]), Text: l[1:]})
		}
		return &finding{hunk: h}
	}
	removed := make([]string, 16)
	for i := range removed {
		removed[i] = "-" + string(rune('a'+i))
	}
	file := func(wrong int) string {
		var lines []string
		for i, l := range removed {
			if i < wrong {
				l = "-?"
			}
			lines = append(lines, l[1:])
		}
		return text(lines...)
	}
	for name, c := range map[string]struct {
		src       string
		f         *finding
		at        int
		supported bool
		want      bool
	}{
		"all":                               {"a\nb\n", hunk("-a", "-b"), 0, false, true},
		"half":                              {"a\nx\n", hunk("-a", "-b"), 0, false, true},
		"less than half":                    {"a\nx\nx\n", hunk("-a", "-b", "-c"), 0, false, false},
		"all of the context":                {"a\nx\nx\n", hunk(" a", "-b", "-c"), 0, false, true},
		"some of the context":               {"a\nx\nx\ny\n", hunk(" a", "-b", "-c", "-d", " e"), 0, false, false},
		"nothing":                           {"x\nx\n", hunk(" a", "-b"), 0, false, false},
		"other indentation":                 {"\ta\n", hunk("-  a"), 0, false, true},
		"blank lines say nothing":           {"x\n\n\n", hunk("-a", "-", "-"), 0, false, false},
		"only blank lines":                  {"\n", hunk("-"), 0, false, false},
		"new lines do not count":            {"a\nb\n", hunk("-a", "+x", "+y", "+z", "-b"), 0, false, true},
		"further on":                        {"x\na\n", hunk("-a"), 1, false, true},
		"before the file":                   {"a\n", hunk("-a"), -1, false, false},
		"behind the file":                   {"a\n", hunk("-a"), 1, false, false},
		"half of it behind the file":        {"a\n", hunk("-a", "-b"), 0, false, true},
		"supported, one line wrong":         {"a\nx\n", hunk("-a", "-b"), 0, true, true},
		"supported, the only line wrong":    {"x\n", hunk("-a"), 0, true, false},
		"supported, two of few lines wrong": {"a\nx\nx\n", hunk("-a", "-b", "-c"), 0, true, false},
		"supported, two of sixteen wrong":   {file(2), hunk(removed...), 0, true, true},
		"supported, three of sixteen wrong": {file(3), hunk(removed...), 0, true, false},
	} {
		if got := newTarget(c.src, "", false).resembles(c.f, c.at, c.supported); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	f := hunk(" a", "-b")
	f.dropped = 1
	if !newTarget("a\nb\n", "", false).resembles(f, 1, false) {
		t.Error("the place of a hunk without its first line")
	}
}

// TestBlockEnd has the line, from 0, that begins the block after the first.
func TestBlockEnd(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  int
	}{
		"next function": {[]string{"func f() {", "\tx", "}", "", "func g() {"}, 4},
		"no other":      {[]string{"func f() {", "\tx", "}"}, 3},
		"last line":     {[]string{"func f() {"}, 1},
		"label":         {[]string{"func f() {", "again:", "\tx", "}", "type T int"}, 4},
		"other branch":  {[]string{"if a:", "    b", "else :", "    c", "d = 1"}, 4},
		"one word":      {[]string{"def f", "  x", "end"}, 2},
		"long label":    {[]string{"f() {", "zaAZ09_:", "g"}, 2},
		"deeper":        {[]string{"  class A", "    x", "  def b", "c"}, 2},
		"less deep":     {[]string{"    x", "a"}, 1},
		"underscore":    {[]string{"f() {", "_g() {"}, 1},
		"dollar":        {[]string{"f() {", "$g = 1"}, 1},
		"first letter":  {[]string{"f() {", "a b"}, 1},
		"last letter":   {[]string{"f() {", "Z b"}, 1},
		"signs":         {[]string{"f() {", "@a b", "[a b", "`a b", "{a b", "1 b", "# b"}, 7},
	} {
		if got := newTarget(text(c.lines...), "", false).blockEnd(0); got != c.want {
			t.Errorf("%s: %d and not %d", name, got, c.want)
		}
	}
}

func TestInside(t *testing.T) {
	f := &finding{places: []int{1, 2, 3, 4, 5, 8, 9, 10}}
	if got := f.inside([]region{{2, 4}, {9, 9}}); !slices.Equal(got, []int{2, 3, 4, 9}) {
		t.Errorf("%v", got)
	}
}

// TestReadings has lines of context that lost their leading space, and such that did not.
func TestReadings(t *testing.T) {
	context := func(bare bool, texts ...string) []Line {
		lines := []Line{{Op: Context, Text: "bare", Bare: bare}}
		for _, text := range texts {
			lines = append(lines, Line{Op: Context, Text: text})
		}
		return lines
	}
	for name, c := range map[string]struct {
		lines []Line
		ways  int
		lost  bool
	}{
		"none has lost it":                     {context(false, "a", " b"), 2, false},
		"one has certainly lost it":            {context(true, "a", " b"), 3, true},
		"only one, and it has lost it":         {context(true), 1, true},
		"a blank line says nothing":            {[]Line{{Op: Context, Bare: true}, {Op: Context, Text: "a"}}, 2, false},
		"lines that come and go have no space": {[]Line{{Op: Remove, Text: "a"}, {Op: Insert, Text: "b"}}, 1, false},
	} {
		if ways, lost := readings(c.lines); len(ways) != c.ways || lost != c.lost {
			t.Errorf("%s: %d, %t", name, len(ways), lost)
		}
	}
}
