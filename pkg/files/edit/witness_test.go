package edit

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/shown"
)

const twins = "func a() {\n\tx = load()\n\tsave(x)\n}\n\nfunc b() {\n\tx = load()\n\tsave(x)\n}\n\nfunc c() {\n\tend()\n}\n"

// An edit means a place that the caller was shown, whatever else matches now.
func TestWitness(t *testing.T) {
	pair := "\tx = load()\n\tsave(x)\n"
	first, second := strings.Replace(twins, "load", "read", 1), strings.Replace(twins, "func b() {\n\tx = load", "func b() {\n\tx = read", 1)
	above := "// one\n// two\n// three\n// four\n"
	all := func(texts ...string) (v []shown.Version) {
		for _, text := range texts {
			v = append(v, shown.Version{Text: text})
		}
		return v
	}
	only := func(text string, from, to int) shown.Version {
		return shown.Version{Text: text, Lines: []shown.Lines{{Start: from, End: to}}}
	}
	tests := []struct {
		name  string
		shown []shown.Version // newest first
		now   string
		edit  Edit
		want  fault.Code
		lands int // line
	}{
		{"both were shown, the second has changed", all(twins), second, Edit{Old: pair}, fault.TextAmbiguous, 0},
		{"both were shown, the first has changed", all(twins), first, Edit{Old: pair}, fault.TextAmbiguous, 0},
		{"the changed one by line", all(twins), second, Edit{Old: pair, LineHint: 8}, fault.Stale, 0},
		{"the changed one by number", all(twins), second, Edit{Old: pair, Occurrence: 2}, fault.Stale, 0},
		{"the other one by line", all(twins), second, Edit{Old: pair, LineHint: 3}, "", 2},
		{"the other one by number", all(twins), first, Edit{Old: pair, Occurrence: 2}, "", 7},
		{"only the first was shown, and has changed", []shown.Version{only(twins, 1, 5)}, first, Edit{Old: pair}, fault.Stale, 0},
		{"only the first was shown, the second has changed", []shown.Version{only(twins, 1, 5)}, second, Edit{Old: pair}, "", 2},
		{"only the first was shown, and was removed", []shown.Version{only(twins, 1, 5)}, twins[strings.Index(twins, "func b"):], Edit{Old: pair}, fault.Stale, 0},
		{"only the first was shown, then its change", []shown.Version{only(first, 1, 3), only(twins, 1, 5)}, first, Edit{Old: pair}, "", 7},
		{"an error showed the change", []shown.Version{{Text: first, Lines: []shown.Lines{{Start: 2, End: 2}}, Aside: true}, only(twins, 1, 5)}, first, Edit{Old: pair}, fault.Stale, 0},
		{"all was shown after the change", all(first, twins), first, Edit{Old: pair}, "", 7},
		{"never shown, the changed place neither", []shown.Version{only(twins, 10, 13)}, first, Edit{Old: pair}, "", 7},
		{"the line as it was shown", all(twins), above + twins, Edit{Old: pair, LineHint: 8}, "", 11},
		{"the line of two places, as it was and as it is", all(twins), above + twins, Edit{Old: pair, LineHint: 7}, fault.TextAmbiguous, 0},
		{"the line as it is", all(twins), above + twins, Edit{Old: pair, LineHint: 12}, "", 11},
		{"moved as it was", all("a()\nb()\nc()\n"), "b()\nc()\na()\n", Edit{Old: "a()\n"}, "", 3},
		{"copied, and the original changed", all("a()\nb()\nc()\n"), "a(1)\nb()\nc()\na()\n", Edit{Old: "a()\n"}, fault.Stale, 0},
		{"laid out anew", all("if x {\n  y('a')\n}\n"), "if x {\n\ty(\"a\")\n}\n", Edit{Old: "y("}, "", 2},
		{"another layout, and a twin", all("  a()\n  b()\nend\nmore\nlines\n"), "\ta()\n\tb()\nend\nmore\nlines\n  a()\n  b()\n", Edit{Old: "  a()\n  b()\n"}, fault.Stale, 0},
		{"the formatted text, never shown", all("if (a) { b() }\n"), "if (a) {\n  b();\n}\n", Edit{Old: "if (a) {\n  b();\n}\n"}, "", 1},
		{"somebody has made the change", all("a = 1\nb = 2\n"), "changed = 1\nb = 2\na = 1 + 2\n", Edit{Old: "a = 1\n", New: "changed = 1\n"}, fault.AlreadyApplied, 0},
		{"gone and not found", all("alpha = 1\nbeta = 2\n"), "alpha = 3\nbeta = 2\n", Edit{Old: "alpha = 1\n", New: "alpha = 2\n"}, fault.Stale, 0},
		{"all, of which one has been rewritten", all("f(1)\ng()\nf(2)\n"), "f(1)\ng()\nf(2, changed)\n", Edit{Old: "f(", ReplaceAll: true}, fault.Stale, 0},
		{"all, and one more", all("f(1)\ng()\nf(2)\n"), "f(1)\ng()\nf(2)\nf(3)\n", Edit{Old: "f(", ReplaceAll: true}, "", 1},
		{"the one behind an anchor, and the next has changed", all(twins), second, Edit{Old: pair, After: "func a() {\n"}, "", 2},
		{"behind an anchor, where none was", all("x()\nanchor\n"), "x()\nanchor\nx()\n", Edit{Old: "x()", After: "anchor"}, "", 3},
		{"shown once, and there twice now", all("a()\nb()\n"), "a()\nb()\na()\n", Edit{Old: "a()"}, fault.TextAmbiguous, 0},
		{"both were shown and have changed, a third was not", []shown.Version{only(twins, 1, 13)}, strings.ReplaceAll(twins, "load", "read") + pair, Edit{Old: pair}, fault.Stale, 0},
		{"exactly one is expected, two were shown", all(twins), second, Edit{Old: pair, Expected: 1}, fault.TextAmbiguous, 0},
		{"laid out otherwise when it was shown, and changed", all("  aaaa(b)\n  cccc(d)\nmid\n"), "changed\nmid\n\taaaa(b)\n\tcccc(d)\n", Edit{Old: "\taaaa(b)\n\tcccc(d)\n"}, "", 3},
		{"CRLF then, LF now", all(strings.ReplaceAll(twins, "\n", "\r\n")), second, Edit{Old: pair}, fault.TextAmbiguous, 0},
		{"LF then, CRLF now", all(twins), strings.ReplaceAll(second, "\n", "\r\n"), Edit{Old: pair, LineHint: 7}, fault.Stale, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.edit.New == "" {
				tt.edit.New = strings.Replace(tt.edit.Old, "(", "(new", 1)
			}
			for _, sequential := range []bool{false, true} {
				r, err := Apply(tt.now, []Edit{tt.edit}, Options{Path: "a.go", Shown: tt.shown, Sequential: sequential})
				if tt.want != "" {
					f := failureOf(t, err, tt.want)
					if tt.want != fault.AlreadyApplied && f.Current == nil && f.Total < 2 {
						t.Errorf("nothing is shown: %+v", f)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if got := r.Edits[0].Old.Start; got != tt.lands {
					t.Errorf("landed at line %d, not %d", got, tt.lands)
				}
			}
		})
	}
}

// An edit of a sequence knows what those before it did.
func TestWitnessInTurn(t *testing.T) {
	r, err := Apply("new\n"+twins, []Edit{
		{Old: "func a() {\n\tx = load()", New: "func a() {\n\tx = read()"},
		{Old: "x = load()", New: "x = write()"},
		{Old: "x = read()", New: "x = call()"},
	}, Options{Shown: []shown.Version{{Text: twins}}, Sequential: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := "new\n" + strings.Replace(strings.Replace(twins, "load", "call", 1), "load", "write", 1); r.Text != want || !r.ChangedElsewhere {
		t.Errorf("elsewhere %v: %q", r.ChangedElsewhere, r.Text)
	}
}

// TestStaleOrApplied has places that changed. Whether somebody has made the change is
// told by lines that say enough, or by all of the place.
func TestStaleOrApplied(t *testing.T) {
	for name, c := range map[string]struct {
		was, now string
		edit     Edit
		want     fault.Code
	}{
		"a deletion":                       {"alpha = 1\nbeta = 2\n", "alpha = 3\nbeta = 2\n", Edit{Old: "alpha = 1\n"}, fault.Stale},
		"a short line among others":        {"a\nc\n", "x\nb\ny\nc\na\n", Edit{Old: "a\n", New: "b\n"}, fault.Stale},
		"a short line, and nothing else":   {"a\nc\n", "b\nc\na\n", Edit{Old: "a\n", New: "b\n"}, fault.AlreadyApplied},
		"a telling line among others":      {"a\nc\n", "x\nb = 12345\ny\nc\na\n", Edit{Old: "a\n", New: "b = 12345\n"}, fault.AlreadyApplied},
		"a telling part of a line":         {"a\nc\n", "x b = 12345\nc\na\n", Edit{Old: "a\n", New: "b = 12345\n"}, fault.Stale},
		"a telling beginning of a line":    {"a\nc\n", "b = 12345 x\nc\na\n", Edit{Old: "a\n", New: "b = 12345\n"}, fault.Stale},
		"somebody has made it, other ends": {"a\nc\n", "\tb = 12345  \nc\na\n", Edit{Old: "a\n", New: "b = 12345\n"}, fault.AlreadyApplied},
	} {
		_, err := Apply(c.now, []Edit{c.edit}, Options{Shown: []shown.Version{{Text: c.was}}})
		if !fault.Is(err, c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if also := strings.Contains(fault.As(err).Hint.In(fault.English), "also stands at line"); also != (c.want == fault.Stale && strings.HasSuffix(c.now, "\na\n")) {
			t.Errorf("%s: the hint names the twin: %t: %s", name, also, fault.As(err).Hint)
		}
	}
	// Of several places, the one that has changed is shown.
	second := strings.Replace(twins, "func b() {\n\tx = load", "func b() {\n\tx = read", 1)
	_, err := Apply(second, []Edit{{Old: "\tx = load()\n\tsave(x)\n", New: "x\n"}}, Options{Shown: []shown.Version{{Text: twins}}})
	if f := failureOf(t, err, fault.TextAmbiguous); f.Current == nil || f.Current.Start != 7 {
		t.Errorf("%+v", f.Current)
	}
}

// What an edit says about its place must be true of the match.
func TestContradictions(t *testing.T) {
	src := "one\ntwo\nthree\ntwo\n"
	for name, tt := range map[string]struct {
		edit Edit
		want fault.Code
		says string
	}{
		"line_hint, one match":             {Edit{Old: "three", New: "3", LineHint: 1}, fault.OutOfRange, "at line 3, not at line_hint 1"},
		"line_hint, two matches":           {Edit{Old: "two", New: "2", LineHint: 3}, fault.OutOfRange, "at lines 2, 4, not at line_hint 3"},
		"line_hint, no such line":          {Edit{Old: "two", New: "2", LineHint: 30}, fault.OutOfRange, "not at line_hint 30"},
		"occurrence and line_hint":         {Edit{Old: "two", New: "2", LineHint: 2, Occurrence: 2}, fault.OutOfRange, "at line 4, not at line_hint 2"},
		"occurrence and line_hint agree":   {Edit{Old: "two", New: "2", LineHint: 4, Occurrence: 2}, "", ""},
		"no such occurrence":               {Edit{Old: "two", New: "2", Occurrence: 3}, fault.OutOfRange, "no occurrence 3 of old_text; found 2"},
		"occurrence and expected":          {Edit{Old: "two", New: "2", Occurrence: 1, Expected: 1}, fault.TextAmbiguous, "found 2, at lines 2, 4; expected 1"},
		"after and line_hint":              {Edit{Old: "two", New: "2", After: "one", LineHint: 4}, fault.OutOfRange, "at line 2, not at line_hint 4"},
		"the new text stands at line_hint": {Edit{Old: "two", New: "three", LineHint: 3}, fault.AlreadyApplied, "already at line 3"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Apply(src, []Edit{tt.edit}, Options{Path: "a.txt"})
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !fault.Is(err, tt.want) || !strings.Contains(fault.As(err).Message.In(fault.English), tt.says) {
				t.Errorf("%v; want %s: %s", err, tt.want, tt.says)
			}
		})
	}
}
