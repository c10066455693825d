package edit

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/shown"
)

// After a miss, a caller that does literally what the hint says makes the right edit.
func TestDialogues(t *testing.T) {
	const loop = "func sum(all []int) int {\n\ttotal := 0\n\tfor _, n := range all {\n\t\ttotal += n\n\t}\n\treturn total\n}\n"
	pair := "a:\n  run: load\n  keep: yes\nb:\n  run: load\n  keep: yes\n"
	copied := func(e Edit, f Failure) Edit { // old_text copied from the first candidate
		e.Old = f.Candidates[0].Text
		return e
	}
	accepted := func(e Edit, f Failure) Edit { return Edit{Accept: f.Candidates[0].ID, New: e.New} }
	hinted := func(i int) func(Edit, Failure) Edit { // line_hint of the i-th match
		return func(e Edit, f Failure) Edit {
			e.LineHint = f.Matches[i].Start
			return e
		}
	}
	current := func(e Edit, f Failure) Edit { // old_text copied from what is there now
		e.Old = f.Current.Text
		return e
	}
	neighbour := func(line string) func(Edit, Failure) Edit {
		return func(e Edit, _ Failure) Edit {
			e.Old, e.New = line+e.Old, line+e.New
			return e
		}
	}
	was := func(text string) []shown.Version { return []shown.Version{{Text: text}} }
	tests := []struct {
		name, now string
		shown     []shown.Version
		edit      Edit
		code      fault.Code
		hint      string // words of the hint
		next      func(Edit, Failure) Edit
		old, new  string // what the right edit replaces, once
	}{
		{"other words, copied", loop, nil, Edit{Old: "\ttotal := 1\n\tfor _, n := range all {\n", New: "\ttotal := 5\n\tfor _, n := range all {\n"}, fault.TextNotFound, "copy old_text from the candidates", copied, "total := 0", "total := 5"},
		{"other words, accepted", loop, nil, Edit{Old: "\ttotal := 1\n\tfor _, n := range all {\n", New: "\ttotal := 5\n\tfor _, n := range all {\n"}, fault.TextNotFound, "repeat the edit with accept", accepted, "total := 0", "total := 5"},
		{"another case", loop, nil, Edit{Old: "\tReturn Total\n", New: "\treturn total + 1\n"}, fault.TextNotFound, "copy old_text", copied, "return total", "return total + 1"},
		{"two lines swapped by the caller", "alpha = compute(1)\nbeta = compute(2)\ngamma = compute(3)\n", nil, Edit{Old: "alpha = compute(1)\nbeta = compute(9)\n", New: "alpha = compute(1)\nbeta = compute(4)\n"}, fault.TextNotFound, "accept", accepted, "compute(2)", "compute(4)"},
		{"a line left out", loop, nil, Edit{Old: "\ttotal := 0\n\t\ttotal += n\n\t}\n", New: "\ttotal := 0\n\tfor _, n := range all {\n\t\ttotal += 2 * n\n\t}\n"}, fault.TextNotFound, "copy old_text", copied, "total += n", "total += 2 * n"},
		{"two places, a neighbour", pair, nil, Edit{Old: "  run: load\n", New: "  run: save\n"}, fault.TextAmbiguous, "add a neighbouring line", neighbour("b:\n"), "b:\n  run: load", "b:\n  run: save"},
		{"two places, the line of the second", pair, nil, Edit{Old: "  run: load\n", New: "  run: save\n"}, fault.TextAmbiguous, "line_hint", hinted(1), "b:\n  run: load", "b:\n  run: save"},
		{"two places, the number of the first", pair, nil, Edit{Old: "  run: load\n", New: "  run: save\n"}, fault.TextAmbiguous, "occurrence", func(e Edit, _ Failure) Edit { e.Occurrence = 1; return e }, "a:\n  run: load", "a:\n  run: save"},
		{"a wrong line, left out", loop, nil, Edit{Old: "\treturn total\n", New: "\treturn 2 * total\n", LineHint: 2}, fault.OutOfRange, "leave line_hint out", func(e Edit, _ Failure) Edit { e.LineHint = 0; return e }, "return total", "return 2 * total"},
		{"a wrong line, corrected", loop, nil, Edit{Old: "\treturn total\n", New: "\treturn 2 * total\n", LineHint: 2}, fault.OutOfRange, "pass line_hint 6", hinted(0), "return total", "return 2 * total"},
		{"a line between two places", pair, nil, Edit{Old: "  run: load\n", New: "  run: save\n", LineHint: 4}, fault.OutOfRange, "pass one of these lines as line_hint", hinted(1), "b:\n  run: load", "b:\n  run: save"},
		{"another number of places", "x(1)\ny()\n", nil, Edit{Old: "x(", New: "z(", Expected: 2}, fault.TextAmbiguous, "pass expected_replacements 1", func(e Edit, _ Failure) Edit { e.Expected = 1; return e }, "x(", "z("},
		{"an anchor that is wrong", loop, nil, Edit{Old: "total := 0", New: "total := 7", After: "return total"}, fault.TextNotFound, "leave it out", func(e Edit, _ Failure) Edit { e.After = ""; return e }, "total := 0", "total := 7"},
		{"an anchor that is not there", loop, nil, Edit{Old: "total := 0", New: "total := 7", Within: "func summe"}, fault.TextNotFound, "copy it from the file", func(e Edit, _ Failure) Edit { e.Within = loop; return e }, "total := 0", "total := 7"},
		{"changed since, copied", strings.Replace(loop, "total := 0", "total := start", 1), was(loop), Edit{Old: "\ttotal := 0\n", New: "\ttotal := 9\n"}, fault.Stale, "copy old_text from there", current, "total := start", "total := 9"},
		{"changed since, with a twin", "x = read()\nsave()\n\nx = load()\nother()\n", []shown.Version{{Text: "x = load()\nsave()\n\nx = load()\nother()\n", Lines: []shown.Lines{{Start: 1, End: 2}}}}, Edit{Old: "x = load()\n", New: "x = mine()\n"}, fault.Stale, "copy old_text from there", current, "x = read()", "x = mine()"},
		{"one of two changed since, a neighbour", strings.Replace(pair, "a:\n  run: load", "a:\n  run: other", 1), was(pair), Edit{Old: "  run: load\n", New: "  run: save\n"}, fault.TextAmbiguous, "add a neighbouring line", neighbour("b:\n"), "b:\n  run: load", "b:\n  run: save"},
		{"no line end, copied", loop, nil, Edit{Old: "\ttotal := 1\n\tfor _, n := range all {", New: "\ttotal := 5\n\tfor _, n := range all {"}, fault.TextNotFound, "copy old_text from the candidates", copied, "total := 0", "total := 5"},
		{"CRLF, copied", strings.ReplaceAll(loop, "\n", "\r\n"), nil, Edit{Old: "\ttotal := 1\n", New: "\ttotal := 5\n"}, fault.TextNotFound, "copy old_text from the candidates", copied, "total := 0", "total := 5"},
		{"the last line without an end, accepted", "func total() {\n\treturn first + second", nil, Edit{Old: "\treturn first - second\n", New: "\treturn first * second\n"}, fault.TextNotFound, "accept", accepted, "first + second", "first * second"},
		{"words for what was left out", loop, nil, Edit{Old: "\ttotal := 0\n", New: "\ttotal := 3\n\t// ... rest of the function\n"}, fault.Placeholder, "replace only the lines", func(e Edit, _ Failure) Edit { e.New = "\ttotal := 3\n"; return e }, "total := 0", "total := 3"},
		{"nothing changes", loop, nil, Edit{Old: "\ttotal := 0\n", New: "\ttotal := 0\n"}, fault.NoChange, "pass a new_text that differs", func(e Edit, _ Failure) Edit { e.New = "\ttotal := 4\n"; return e }, "total := 0", "total := 4"},
		{"places that differ in white space", "if (a) {\n\tcall( one );\n}\nif (a) {\n  call( one );\n}\n", nil, Edit{Old: "      call(  one );\n", New: "      call(  two );\n", ReplaceAll: true}, fault.TextAmbiguous, "pass expected_replacements 2", func(e Edit, _ Failure) Edit { e.Expected = 2; return e }, "call( one );", "call(  two );"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Path: "a.txt", Shown: tt.shown}
			_, err := Apply(tt.now, []Edit{tt.edit}, o)
			if !fault.Is(err, tt.code) || !strings.Contains(fault.As(err).Hint.In(fault.English), tt.hint) {
				t.Fatalf("%v (%s); want %s (%s)", err, fault.As(err).Hint, tt.code, tt.hint)
			}
			details, _ := fault.As(err).Details.(Failure)
			r, err := Apply(tt.now, []Edit{tt.next(tt.edit, details)}, o)
			if err != nil {
				t.Fatalf("then %v", err)
			}
			want := strings.Replace(tt.now, tt.old, tt.new, max(1, r.Replacements))
			if r.Text != want {
				t.Errorf("got\n%s\nwant\n%s", r.Text, want)
			}
		})
	}
}
