package patch

import "testing"

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
		"x <<E@F": "E", "x <<E[F": "E", "x <<E`F": "E", "x <<E{F": "E", "x <<E/F": "E", "x <<E:F": "E", "x << ": "", "x": "", "x <EOF": "",
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
		"one line, with":            {"a", hunk(Line{Text: "x"}), true},
	} {
		if got := verbatim(c.src, c.hunks); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
