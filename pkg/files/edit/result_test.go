package edit

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/shown"
)

const sample = `package a

func first() {
	one()
	two()
	three()
}

func second() {
	if ready {
		one()
	}
}
`

func TestResult(t *testing.T) {
	r, err := Apply(sample, []Edit{
		{Old: "\tthree()\n", New: ""},
		{Old: "    if ready {\n        one()\n", New: "    if ready && willing {\n        one()\n        more()\n"},
		{Old: "package a", New: "package b"},
	}, Options{Path: "a.go"})
	if err != nil {
		t.Fatal(err)
	}
	want := Result{
		Text:         strings.NewReplacer("package a", "package b", "\tthree()\n", "", "if ready {\n\t\tone()\n", "if ready && willing {\n\t\tone()\n\t\tmore()\n").Replace(sample),
		Replacements: 3,
		Edits: []Applied{
			{Index: 2, Strategy: Exact, Old: LineRange{1, 1}, New: LineRange{1, 1}},
			{Index: 0, Strategy: Exact, Old: LineRange{6, 6}, New: LineRange{6, 5}},
			{Index: 1, Strategy: Indent, Reindented: true, Old: LineRange{10, 11}, New: LineRange{9, 11}},
		},
		Splices: []diff.Splice{
			{Start: 0, End: 9, Text: "package b"},
			{Start: 40, End: 49, Text: ""},
			{Start: 68, End: 88, Text: "\tif ready && willing {\n\t\tone()\n\t\tmore()\n"},
		},
	}
	if d := cmp.Diff(want, r, cmp.AllowUnexported(fault.Text{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// Of edits in turn, a candidate is of the text as it was before the first.
func TestAcceptInTurn(t *testing.T) {
	src := "aaaa()\nbbbb()\n"
	accepted := Edit{Accept: candidateID(1, newDocument(src, Options{}).sha(), 1, 1), New: "x\n"}
	other := Edit{Old: "bbbb", New: "y"}
	r, err := Apply(src, []Edit{accepted, other}, Options{Sequential: true})
	if err != nil || r.Text != "x\ny()\n" {
		t.Errorf("first: %q, %v", r.Text, err)
	}
	if _, err := Apply(src, []Edit{other, accepted}, Options{Sequential: true}); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("second: %v", err)
	}
}

func TestSequential(t *testing.T) {
	edits := []Edit{
		{Old: "\ttwo()\n", New: "\ttwo()\n\ttwoAndAHalf()\n"},
		{Old: "twoAndAHalf", New: "nearlyThree"},
		{Old: "package a\n", New: "// Package a.\npackage a\n"},
	}
	if _, err := Apply(sample, edits, Options{}); !fault.Is(err, fault.TextNotFound) {
		t.Errorf("one original: %v", err)
	}
	r, err := Apply(sample, edits, Options{Sequential: true})
	if err != nil {
		t.Fatal(err)
	}
	want := "// Package a.\n" + strings.Replace(sample, "\ttwo()\n", "\ttwo()\n\tnearlyThree()\n", 1)
	if d := cmp.Diff(want, r.Text); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if len(r.Splices) != 1 || sample[:r.Splices[0].Start]+r.Splices[0].Text+sample[r.Splices[0].End:] != want {
		t.Errorf("%+v", r.Splices)
	}
	ranges := []Applied{
		{Index: 0, Strategy: Exact, Old: LineRange{5, 5}, New: LineRange{6, 7}},
		{Index: 1, Strategy: Exact, Old: LineRange{6, 6}, New: LineRange{7, 7}},
		{Index: 2, Strategy: Exact, Old: LineRange{1, 1}, New: LineRange{1, 2}},
	}
	if d := cmp.Diff(ranges, r.Edits); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestOverlap(t *testing.T) {
	for name, edits := range map[string][]Edit{
		"crossing": {{Old: "one()\n\ttwo()", New: "x"}, {Old: "two()\n\tthree()", New: "y"}},
		"inside":   {{Old: "\tone()\n\ttwo()\n\tthree()\n", New: "x"}, {Old: "two", New: "y"}},
		"same":     {{Old: "two", New: "x"}, {Old: "two", New: "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Apply(sample, edits, Options{})
			if !fault.Is(err, fault.Overlap) || r.Text != sample {
				t.Errorf("%v", err)
			}
			if m := fault.As(err).Message.In(fault.English); !strings.Contains(m, "edits 1 and 2") && !strings.Contains(m, "edits 2 and 1") {
				t.Errorf("does not name both: %s", m)
			}
		})
	}
	if _, err := Apply("ab", []Edit{{Old: "a", New: "x"}, {Old: "b", New: "y"}}, Options{}); err != nil {
		t.Errorf("neighbours: %v", err)
	}
}

func TestAllFailuresAreReported(t *testing.T) {
	_, err := Apply(sample, []Edit{
		{Old: "two", New: "zwei"},
		{Old: "four()", New: "x"},
		{Old: "one()", New: "x"},
		{Old: "three", New: "three"},
	}, Options{Path: "a.go"})
	e := fault.As(err)
	if e == nil || e.Code != fault.TextNotFound {
		t.Fatal(err)
	}
	details, ok := e.Details.(Failures)
	if !ok {
		t.Fatalf("details are %#v", e.Details)
	}
	var codes []fault.Code
	for _, f := range details.Edits {
		codes = append(codes, f.Code)
	}
	if d := cmp.Diff([]fault.Code{fault.TextNotFound, fault.TextAmbiguous, fault.NoChange}, codes); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	for _, part := range []string{"3 of 4", "edit 2:", "edit 3:", "edit 4:"} {
		if !strings.Contains(e.Message.In(fault.English), part) {
			t.Errorf("%q is not in %s", part, e.Message)
		}
	}
	for _, part := range []string{"edit 2:", "edit 3:"} {
		if !strings.Contains(e.Hint.In(fault.English), part) {
			t.Errorf("%q is not in the hint %s", part, e.Hint)
		}
	}
	_, err = Apply("", []Edit{{New: "x"}, {New: "y"}}, Options{})
	if d := cmp.Diff(map[string][]string{"pointers": {"/edits/0/old_text", "/edits/1/old_text"}}, fault.As(err).Details); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	_, err = Apply("a", []Edit{{New: "x"}, {Old: "a", New: "b"}, {New: "y", Occurrence: -2}}, Options{})
	want := map[string][]string{"pointers": {"/edits/0/old_text", "/edits/2/occurrence", "/edits/2/old_text"}}
	if d := cmp.Diff(want, fault.As(err).Details); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestMatchesOfAmbiguousText(t *testing.T) {
	_, err := Apply(sample, []Edit{{Old: "one()", New: "x"}}, Options{Path: "a.go"})
	want := Failure{
		Total: 2,
		Matches: []Match{
			{Start: 4, End: 4, TextStart: 2, Text: "\nfunc first() {\n\tone()\n\ttwo()\n\tthree()"},
			{Start: 11, End: 11, TextStart: 9, Text: "func second() {\n\tif ready {\n\t\tone()\n\t}\n}"},
		},
	}
	if d := cmp.Diff(want, fault.As(err).Details); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// The lines around a match at the end of a file are all that there are.
func TestMatchAtTheEnd(t *testing.T) {
	_, err := Apply("a\nb\na", []Edit{{Old: "a", New: "x"}}, Options{})
	want := Failure{Total: 2, Matches: []Match{
		{Start: 1, End: 1, TextStart: 1, Text: "a\nb\na"},
		{Start: 3, End: 3, TextStart: 1, Text: "a\nb\na"},
	}}
	if d := cmp.Diff(want, fault.As(err).Details); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// Lines count as reindented if any that is not blank got another indentation.
func TestReindented(t *testing.T) {
	for _, c := range []struct {
		name, src string
		edit      Edit
		want      bool
	}{
		{"trailing white space differs", "\tone() \n\ttwo()\n", Edit{Old: "\tone()\n\ttwo()\n", New: "\tone()\n\tzwei()\n"}, false},
		{"only the white space of a blank line differs", "\tone() \n\t\n\ttwo()\n", Edit{Old: "\tone()\n\n\ttwo()\n", New: "\tone()\n\n\tzwei()\n"}, false},
		{"a blank line is new", "\tone() \n\ttwo()\n", Edit{Old: "\tone()\n\ttwo()\n", New: "\tone()\n\t\n\ttwo()\n"}, false},
		{"a line that stays", "\tone()\n\ttwo()\n", Edit{Old: "  one()\n  two()\n", New: "  one()\n"}, true},
		{"a line that is new", "one()\n\ttwo()\n", Edit{Old: "one()\n  two()\n", New: "one()\n  zwei()\n"}, true},
		{"the new lines were right", "\tone()\n\ttwo()\n", Edit{Old: "  one()\n  two()\n", New: "\tone()\n\tzwei()\n"}, false},
	} {
		r, err := Apply(c.src, []Edit{c.edit}, Options{Path: "a.go"})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if r.Edits[0].Reindented != c.want {
			t.Errorf("%s: %q is said to be reindented: %t", c.name, r.Text, !c.want)
		}
	}
}

func failureOf(t *testing.T, err error, code fault.Code) Failure {
	t.Helper()
	if !fault.Is(err, code) {
		t.Fatalf("got %v, want %s", err, code)
	}
	f, ok := fault.As(err).Details.(Failure)
	if !ok {
		t.Fatalf("details are %#v", fault.As(err).Details)
	}
	return f
}

func TestCandidates(t *testing.T) {
	tests := []struct {
		name, src, old string
		start, end     int
		text           string
		causes         []string
	}{
		{"one line differs", sample, "\tone()\n\tTWO()\n\tthree()\n", 4, 6, "\tone()\n\ttwo()\n\tthree()", []string{causeCase}},
		{"typing error in the only line", "alpha\nthe listener of it\nomega\n", "the listner of it", 2, 2, "the listener of it", []string{causeDifferent}},
		{"first line differs", sample, "func zeroth() {\n\tone()\n\ttwo()\n\tthree()\n}\n", 3, 7, "func first() {\n\tone()\n\ttwo()\n\tthree()\n}", []string{causeDifferent}},
		{"line missing in the file", "aaaa()\nbbbb()\ndddd()\n", "aaaa()\nbbbb()\ncccccc()\ndddd()\n", 1, 3, "aaaa()\nbbbb()\ndddd()", []string{causeMissing}},
		{"line more in the file", "aaaa()\nbbbb()\ncccc()\ndddd()\n", "aaaa()\nbbbb()\ndddd()\n", 1, 4, "aaaa()\nbbbb()\ncccc()\ndddd()", []string{causeExtra}},
		{"spaces missing", "def sub(a, b):\n    return a - b\n", "def sub(a,b):\n    return a-b\n", 1, 2, "def sub(a, b):\n    return a - b", []string{causeSpacing}},
		{"CRLF stays in the text", "aaaa()\r\nbbbb()\r\ncccc()\r\n", "aaaa()\nbbXb()\ncccc()\n", 1, 3, "aaaa()\r\nbbbb()\r\ncccc()", []string{causeDifferent}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Apply(tt.src, []Edit{{Old: tt.old, New: "x y z"}}, Options{Path: "a.txt"})
			f := failureOf(t, err, fault.TextNotFound)
			if len(f.Candidates) == 0 {
				t.Fatal("no candidates")
			}
			c := f.Candidates[0]
			if c.Start != tt.start || c.End != tt.end || c.Text != tt.text || c.Diff == "" || c.Score < 0.5 || c.Score > 1 {
				t.Errorf("got %+v", c)
			}
			if d := cmp.Diff(tt.causes, c.Causes); d != "" {
				t.Errorf("causes -want +got:\n%s", d)
			}
			if !strings.Contains(fault.As(err).Hint.In(fault.English), c.ID) {
				t.Errorf("the hint does not name the candidate: %s", fault.As(err).Hint)
			}

			r, err := Apply(tt.src, []Edit{{Accept: c.ID, New: "x\ny\n"}}, Options{Path: "a.txt"})
			if err != nil {
				t.Fatal(err)
			}
			eol := "\n"
			if strings.Contains(tt.src, "\r") {
				eol = "\r\n"
			}
			lines := strings.SplitAfter(tt.src, eol)
			want := strings.Join(lines[:tt.start-1], "") + "x" + eol + "y" + eol + strings.Join(lines[tt.end:], "")
			if d := cmp.Diff(want, r.Text); d != "" {
				t.Errorf("accepted: -want +got:\n%s", d)
			}
			_, err = Apply(tt.src+"more\n", []Edit{{Accept: c.ID, New: "x\ny\n"}}, Options{Path: "a.txt"})
			if !fault.Is(err, fault.Stale) {
				t.Errorf("accepted in another text: %v", err)
			}
		})
	}
	_, err := Apply(sample, []Edit{{Old: "nothing like this anywhere to be seen", New: "x"}}, Options{})
	if e := fault.As(err); e.Details != nil {
		t.Errorf("far-fetched: %+v", e.Details)
	}
}

// A candidate is accepted with a placeholder only by whoever may write one.
func TestAcceptPlaceholder(t *testing.T) {
	src := "aaaa()\nbbbb()\n"
	e := Edit{Accept: candidateID(1, newDocument(src, Options{}).sha(), 1, 1), New: "// ... existing code ...\n"}
	if _, err := Apply(src, []Edit{e}, Options{}); !fault.Is(err, fault.Placeholder) {
		t.Errorf("%v", err)
	}
	for _, c := range []struct {
		src string
		e   Edit
	}{{src, e}, {"", Edit{New: e.New}}} {
		if _, err := Apply(c.src, []Edit{c.e}, Options{AllowPlaceholder: true}); err != nil {
			t.Errorf("%q, allowed: %v", c.src, err)
		}
	}
}

// The lines of a result are those that changed, wherever in them the change begins.
func TestLinesOfParts(t *testing.T) {
	for _, c := range []struct {
		src  string
		edit Edit
		want []Applied
	}{
		{"a\nbc", Edit{Old: "b", New: "x\n"}, []Applied{{Strategy: Exact, Old: LineRange{2, 2}, New: LineRange{2, 3}}}},
		{"a\nbc", Edit{Old: "c", New: "x\n"}, []Applied{{Strategy: Exact, Old: LineRange{2, 2}, New: LineRange{2, 2}}}},
		{"x a x\nb\nx c\n", Edit{Old: "x", New: "y", ReplaceAll: true}, []Applied{
			{Strategy: Exact, Old: LineRange{1, 1}, New: LineRange{1, 1}}, {Strategy: Exact, Old: LineRange{1, 1}, New: LineRange{1, 1}}, {Strategy: Exact, Old: LineRange{3, 3}, New: LineRange{3, 3}},
		}},
	} {
		r, err := Apply(c.src, []Edit{c.edit}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, r.Edits); d != "" {
			t.Errorf("%q: %s", c.src, d)
		}
	}
}

// TestMove has an edit of lines 5 and 6, and a later one around it.
func TestMove(t *testing.T) {
	for _, c := range []struct{ old, want LineRange }{
		{LineRange{4, 4}, LineRange{7, 8}}, {LineRange{5, 5}, LineRange{5, 8}}, {LineRange{6, 6}, LineRange{5, 8}}, {LineRange{6, 7}, LineRange{5, 9}}, {LineRange{7, 7}, LineRange{5, 6}},
	} {
		all := []Applied{{New: LineRange{5, 6}}}
		move(all, []replacement{{old: c.old, lines: c.old.End - c.old.Start + 3}})
		if all[0].New != c.want {
			t.Errorf("%+v: %+v, want %+v", c.old, all[0].New, c.want)
		}
	}
}

// TestShifted has the lines 3 to 6 and what becomes of them if 4 and 5 grow by two.
func TestShifted(t *testing.T) {
	if got := shifted([]int{3, 4, 5, 6}, []replacement{{old: LineRange{4, 5}, lines: 4}}); !slices.Equal(got, []int{3, 8}) {
		t.Errorf("%v", got)
	}
}

func TestAcceptWithoutNewline(t *testing.T) {
	src := "aaaa()\nbbbb()\ncccc()"
	id := candidateID(1, newDocument(src, Options{}).sha(), 2, 3)
	for in, want := range map[string]string{"": "aaaa()\n", "x": "aaaa()\nx", "x\n": "aaaa()\nx", "bbbb()\nx": "aaaa()\nbbbb()\nx"} {
		r, err := Apply(src, []Edit{{Accept: id, New: in}}, Options{})
		if err != nil || r.Text != want {
			t.Errorf("%q gives %q, %v; want %q", in, r.Text, err, want)
		}
	}
}

// What a failure shows is bounded, however long the file's lines are.
func TestFailuresAreSmall(t *testing.T) {
	long := strings.Repeat("value = compute(alpha); ", 100_000)
	src := long + "\n" + strings.Repeat("other()\n", 50) + long + "\n" + strings.Repeat("value = 1\nother()\n", 500)
	for _, e := range []Edit{
		{Old: "value = compute(alpha)", New: "x"},
		{Old: "other()\n" + long + "!\nvalue = 1\n", New: "x"},
		{Old: strings.Repeat("other()\n", 49) + "otter()\n" + strings.Repeat("other()\n", 30), New: "x"},
	} {
		_, err := Apply(src, []Edit{e}, Options{Path: "a.txt"})
		if err == nil {
			t.Fatalf("%.40q landed", e.Old)
		}
		raw, err := json.Marshal(fault.As(err).Details)
		if err != nil || len(raw) > 40_000 {
			t.Errorf("details of %d bytes, %v", len(raw), err)
		}
	}
}

func TestSnapshot(t *testing.T) {
	before := "alpha\nbbb\ngamma\n"
	tests := []struct {
		name, now string
		edit      Edit
		elsewhere bool
		want      fault.Code
	}{
		{"same", before, Edit{Old: "bbb", New: "x"}, false, ""},
		{"changed elsewhere", "ALPHA\nbbb\ngamma\n", Edit{Old: "bbb", New: "x"}, true, ""},
		{"moved", "more\nand more\nbbb\n", Edit{Old: "bbb", New: "x"}, true, ""},
		{"only line endings changed", "alpha\r\nbbb\r\ngamma\r\n", Edit{Old: "bbb", New: "x"}, false, ""},
		{"part of a line that grew", "alpha\nbbb-external\ngamma\n", Edit{Old: "bbb", New: "x"}, false, fault.Stale},
		{"never shown", "alpha\nbbb\ngamma\nbbb2\ngamma2\n", Edit{Old: "bbb2", New: "x"}, true, ""},
		{"looser match", "ALPHA\nbbb  \ngamma\n", Edit{Old: "bbb\n", New: "x\n"}, true, ""},
		{"last line lost its ending", "alpha\nbbb\ngamma", Edit{Old: "gamma", New: "x"}, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Apply(tt.now, []Edit{tt.edit}, Options{Path: "a.txt", Shown: []shown.Version{{Text: before}}})
			if tt.want == "" {
				if err != nil || r.ChangedElsewhere != tt.elsewhere || r.Text == tt.now {
					t.Errorf("changed elsewhere %v, %v", r.ChangedElsewhere, err)
				}
				return
			}
			f := failureOf(t, err, tt.want)
			if f.Current == nil || !strings.Contains(f.Current.Text, strings.TrimSpace(tt.edit.Old)) {
				t.Errorf("current lines are %+v", f.Current)
			}
		})
	}
}

func TestSimilarPlacesAreNamed(t *testing.T) {
	src := "\treturn value\n}\n\n    return value\n}\n\nreturn  value;\n"
	r, err := Apply(src, []Edit{{Old: "    return value\n", New: "    log()\n    return other\n"}, {Old: "value;", New: "value"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{1}, r.AlsoSimilarAt); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	for _, within := range []struct{ src, old string }{{"foo(bar, baz)\nfoo(bar,  baz)\n", "bar, baz"}, {"a b\na  b\n", "a b"}} {
		if r, err := Apply(within.src, []Edit{{Old: within.old, New: "x"}}, Options{}); err != nil || r.AlsoSimilarAt != nil {
			t.Errorf("%q: %v, %v", within.old, r.AlsoSimilarAt, err)
		}
	}
	r, err = Apply(src, []Edit{{Old: "\treturn value\n", New: "\tlog()\n\treturn other\n"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{5}, r.AlsoSimilarAt); d != "" { // line 4 of the original
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestWarnings(t *testing.T) {
	tests := []struct {
		name, src, old, new, want string
	}{
		{"generated", "// Code generated by stringer. DO NOT EDIT.\npackage a\n", "package a", "package b", "generated"},
		{"marked generated", "/* @generated */\nvar a\n", "var a", "var b", "generated"},
		{"not generated", "// @generatedBy hand\nvar a\n", "var a", "var b", ""},
		{"conflict marker", "a\nb\n", "b", "<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x", "conflict marker"},
		{"conflict resolved in part", "<<<<<<< HEAD\na\n", "<<<<<<< HEAD\na", "<<<<<<< HEAD\nb", ""},
		{"further lines at the margin", "f {\n\ta()\n}\n", "a()", "a()\nb()", "new_text are not"},
		{"line hint elsewhere", "a\nb\n", "b", "c", ""},
		{"generated, it says, but not that it must stay", "// Code generated for you\nvar a\n", "var a", "var b", ""},
		{"further lines, of a whole line", "f {\na()\n}\n", "a()", "a()\nb()", ""},
		{"further lines, within a line", "\tx = a()\n", "a()", "a()\nb()", ""},
		{"further lines that are indented", "\ta()\n", "a()", "a()\n\tb()", ""},
		{"further lines, of which one is blank", "\ta()\n", "a()", "a()\n\n\tb()", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Apply(tt.src, []Edit{{Old: tt.old, New: tt.new}}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, w := range r.Warnings {
				got += w.In(fault.English)
			}
			if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("warned %q", got)
			}
		})
	}
}

func TestPlaceholder(t *testing.T) {
	for _, line := range []string{
		"// ... existing code ...", "# ... rest of the code unchanged", "/* … remaining methods … */", "<!-- ... existing content ... -->",
		"{/* ... existing code ... */}", "// rest of the file remains unchanged", "... rest of file ...", "[... rest of the function omitted ...]",
		"-- ... existing code", "// ...其余代码保持不变", "// 其余代码保持不变", "// 此处省略", "[truncated]", "x = …[120 more characters]", "# [diff truncated: 1 of 2 hunks shown; +1 -1 lines in all]",
		"// ... existing code ... " + strings.Repeat("x", 200-len("// ... existing code ... ")), "[... rest of the file]", "<!-- rest of the code ... -->",
		"[rest of the function omitted]", "// existing code...", "# the rest of the implementation stays the same", "(rest of the code remains the same)", "    // ... (existing code)", "[existing code ...]", "(unchanged code ...)", "// unchanged methods ...",
	} {
		if n, _ := Placeholder("", "a\n\t"+line+"\nb\n"); n != 2 {
			t.Errorf("not seen: %s", line)
		}
		if n, _ := Placeholder("x\n  "+line+"\n", "a\n\t"+line+"\nb\n"); n != 0 {
			t.Errorf("was there before: %s", line)
		}
	}
	for _, line := range []string{
		"func f(a ...int) {", "...", "    ...", "x = [...rest]", "// wait for the remaining workers...", "// handle the rest of the arguments",
		"fmt.Println(\"... remaining\")", "return {...state, unchanged}", "// TODO: implement...", "# Remaining work...", "// and so on...",
		"const [first, ...rest] = list", "// The rest of the code in this file is generated by hand.", "See the rest of this file.", "The rest of the code stays the same.",
		"// ... existing code ... " + strings.Repeat("x", 201-len("// ... existing code ... ")), "... rest of the file", "// 其他代码也要看", "// code stays the same",
		"<p>Read more...</p>", "loading…", "// Output: ...", "if (truncated) {", "s = \"[truncated]\" + s", "existing code...",
	} {
		if n, _ := Placeholder("", line+"\n"); n != 0 {
			t.Errorf("taken for a placeholder: %s", line)
		}
	}
}

// A place that has changed since it was shown is offered as a whole: who accepts it
// replaces all lines of the old text, not only those that differ.
func TestStaleOffersWholePlace(t *testing.T) {
	was := "head\naaaa()\nbbbb()\ncccc()\ntail\n"
	for name, now := range map[string]string{
		"changed": "head\naaaa()\nXXXX()\ncccc()\ntail\n",
		"added":   "head\naaaa()\nbbbb()\nnew()\ncccc()\ntail\n",
		"removed": "head\naaaa()\ncccc()\ntail\n",
		"first":   "head\nXXXX()\nbbbb()\ncccc()\ntail\n",
		"last":    "head\naaaa()\nbbbb()\nXXXX()\ntail\n",
	} {
		o := Options{Shown: []shown.Version{{Text: was}}}
		_, err := Apply(now, []Edit{{Old: "aaaa()\nbbbb()\ncccc()\n", New: "z\n"}}, o)
		f := failureOf(t, err, fault.Stale)
		if len(f.Candidates) != 1 {
			t.Errorf("%s: %+v", name, f)
			continue
		}
		r, err := Apply(now, []Edit{{Accept: f.Candidates[0].ID, New: "z\n"}}, o)
		if err != nil || r.Text != "head\nz\ntail\n" {
			t.Errorf("%s: %q, %v", name, r.Text, err)
		}
	}
}
