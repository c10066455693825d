package edit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestMatchesShown(t *testing.T) {
	src := strings.Repeat("\n\n\nsame\nlines\nhere\n", 12)
	f := detailsOf(t, src, Edit{Old: "same\nlines\nhere", New: "x"})
	lines := 0
	for _, m := range f.Matches {
		lines += strings.Count(m.Text, "\n")
	}
	if len(f.Matches) != 10 || f.Total != 12 || lines < 50 || lines > 60 {
		t.Errorf("%d of %d matches, %d lines", len(f.Matches), f.Total, lines)
	}
	src = strings.Repeat("same"+strings.Repeat(" x", 1000)+"\n", 10)
	f = detailsOf(t, src, Edit{Old: "same", New: "x"})
	bytes := 0
	for _, m := range f.Matches {
		bytes += len(m.Text)
	}
	if bytes > 8<<10 || bytes < 6<<10 {
		t.Errorf("%d bytes of text", bytes)
	}
}

func TestCandidatesOffered(t *testing.T) {
	src := strings.Repeat("func same(a, b int) { return }\n\n\n\n\n\n", 5)
	f := detailsOf(t, src, Edit{Old: "func same(a, c int) { return }\n", New: "x"})
	if len(f.Candidates) != 3 {
		t.Errorf("%d candidates", len(f.Candidates))
	}
}

func TestSimilarListed(t *testing.T) {
	src := "one  (two, three)\n" + strings.Repeat("one (two, three)\n", 30)
	r, err := Apply(src, []Edit{{Old: "one  (two, three)\n", New: "x\n"}}, Options{})
	if err != nil || len(r.AlsoSimilarAt) != 20 {
		t.Errorf("%d similar places, %v", len(r.AlsoSimilarAt), err)
	}
}

// An excerpt ends with a line, or within the only line but not within a character.
func TestExcerpts(t *testing.T) {
	const most = 8 << 10
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"all of it", "a\nb", "a\nb"},
		{"as many bytes as may be", strings.Repeat("a", most), strings.Repeat("a", most)},
		{"a byte more", strings.Repeat("a", most+1), strings.Repeat("a", most)},
		{"a byte more in two lines", strings.Repeat("a", most-1) + "\nb", strings.Repeat("a", most-1) + "\n"},
		{"a torn character", "a" + strings.Repeat("é", most/2), "a" + strings.Repeat("é", most/2-1)},
		{"no beginning of a character", strings.Repeat("\x80", most+1), ""},
		{"60 lines", strings.Repeat("\n", 60), strings.Repeat("\n", 60)},
		{"61 lines", strings.Repeat("\n", 61), strings.Repeat("\n", 60)},
	} {
		e := NewExcerpts()
		if got := e.Take(c.text); got != c.want {
			t.Errorf("%s: %d bytes and not %d", c.name, len(got), len(c.want))
		}
	}
	e := NewExcerpts()
	e.Take(strings.Repeat("a", most+1))
	if more := e.Take("a"); more != "" {
		t.Errorf("after all was shown: %q", more)
	}
}

func TestLinesText(t *testing.T) {
	for want, lines := range map[string][]int{
		"line 7":                              {7},
		"lines 4, 7":                          {4, 7},
		"lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
		"lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
	} {
		if got := LinesText(lines).In(fault.English); got != want {
			t.Errorf("%v: %q", lines, got)
		}
	}
	for want, lines := range map[string]LineRange{"line 3": {3, 3}, "lines 3-4": {3, 4}, "line 2": {2, 1}} {
		if got := lines.Text().In(fault.English); got != want {
			t.Errorf("%v: %q", lines, got)
		}
	}
}

func detailsOf(t *testing.T, src string, e Edit) Failure {
	t.Helper()
	_, err := Apply(src, []Edit{e}, Options{})
	f, ok := fault.As(err).Details.(Failure)
	if !ok {
		t.Fatalf("no details: %v", err)
	}
	return f
}

func TestPlacesOfOneEdit(t *testing.T) {
	for _, n := range []int{1_000_000, 1_000_001} {
		d := newDocument(strings.Repeat("a", n), Options{})
		if _, err := d.exact("a"); (err != nil) != (n > 1_000_000) {
			t.Errorf("%d places: %v", n, err)
		}
	}
	for _, n := range []int{10_000, 10_001} {
		d := newDocument(strings.Repeat("a\n", n), Options{})
		if _, err := d.lines(newBlock("a", ""), lineStages[0]); (err != nil) != (n > 10_000) {
			t.Errorf("%d lines: %v", n, err)
		}
	}
}

// Candidates are looked for in files of up to two million lines.
func TestSearchedLines(t *testing.T) {
	for _, n := range []int{2_000_000, 2_000_002} {
		d := newDocument(strings.Repeat("\n", n-1)+"the line that is wanted\n", Options{})
		if c := d.candidates("the line that was wanted\n", Edit{}); (len(c) > 0) != (n == 2_000_000) {
			t.Errorf("%d lines: %d candidates", n, len(c))
		}
	}
}

// The search fills up to four million cells, enough for blocks of 1,950 lines.
func TestSearchedCells(t *testing.T) {
	for _, n := range []int{1950, 2050} {
		var src strings.Builder
		for i := range n {
			fmt.Fprintf(&src, "line number %d of many\n", i*7)
		}
		old := strings.Replace(src.String(), "line number 0 ", "line number zero ", 1)
		d := newDocument(src.String(), Options{})
		if c := d.candidates(old, Edit{}); (len(c) > 0) != (n == 1950) {
			t.Errorf("%d lines: %d candidates", n, len(c))
		}
	}
}
