package search_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search"
)

func TestLongLines(t *testing.T) {
	r := strings.Repeat
	dir := tree(t, map[string]string{
		"medium": r("x", 5000) + "é needle " + r("y", 5000) + "\nneedle\n",
		"large":  "first\n" + r("ab", 400_000) + " needle " + r("z", 3_000_000) + "\nneedle last\n" + r("q", 2_000_000) + "needle",
	})
	got := grep(t, root(t, dir), search.GrepOptions{Pattern: "needle"})
	type short struct {
		Line, Size int
		Match      string
	}
	check := func(pattern string, want map[string][]short) {
		t.Helper()
		got = grep(t, root(t, dir), search.GrepOptions{Pattern: pattern})
		lines := map[string][]short{}
		for _, f := range got.Files {
			for _, l := range f.Lines {
				s := short{Line: l.Line, Size: len(l.Text)}
				if len(l.Submatches) == 1 {
					s.Match = l.Text[l.Submatches[0][0]:l.Submatches[0][1]]
				}
				if s.Size > 12 {
					s.Size = -1
					if len(l.Text) > 420 {
						t.Errorf("%q: a line of %d bytes", pattern, len(l.Text))
					}
				}
				lines[f.Path] = append(lines[f.Path], s)
			}
		}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("%q:\n%s", pattern, diff)
		}
	}
	want := map[string][]short{
		"medium": {{1, -1, "needle"}, {2, 6, "needle"}},
		"large":  {{2, -1, "needle"}, {3, 11, "needle"}, {4, -1, "needle"}},
	}
	check("needle", want)   // a literal
	check("n[e]+dle", want) // a pattern with a literal
	check("[m-o]e{2}d[l]e", want)
	check(`[a-z]\b.[m-o]e{2}[b-e][l]e`, map[string][]short{"large": {{2, -1, "b needle"}}})
	check(`[q]needle$`, map[string][]short{"large": {{4, -1, "qneedle"}}})
}

// TestParallel searches one file that is large enough for several workers.
func TestParallel(t *testing.T) {
	var b strings.Builder
	var want []int
	for i := range 400_000 {
		fmt.Fprintf(&b, "line %d of a log that is not short", i+1)
		if i%9973 == 0 {
			b.WriteString(" with a Needle")
			want = append(want, i+1)
		}
		b.WriteByte('\n')
	}
	b.WriteString("the end, Needle")
	want = append(want, 400_001)
	dir := tree(t, map[string]string{"log": b.String()})
	for _, p := range []string{"Needle", "(?i)needle", `\w Needle|, Needle`, `[M-O]e{2}d\w+$`} {
		r := grep(t, root(t, dir), search.GrepOptions{Pattern: p, Total: true})
		var got []int
		for _, f := range r.Files {
			for _, l := range f.Lines {
				got = append(got, l.Line)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || r.TotalMatches != len(want) || !r.TotalExact {
			t.Errorf("%q: %d of %d\n%s", p, r.TotalMatches, len(want), diff)
		}
	}
	r := grep(t, root(t, dir), search.GrepOptions{Pattern: "line", Limit: 3, Before: 1, After: 1, Offset: 200_000})
	wantText := "log-200000-line 200000 of a log that is not short\nlog:200001:line 200001 of a log that is not short\n"
	if got := text(r); !strings.HasPrefix(got, wantText) || len(r.Files[0].Lines) != 5 || r.NextOffset != 200_003 {
		t.Errorf("%s %+v", got, r)
	}
	if r := grep(t, root(t, dir), search.GrepOptions{Pattern: "line", Limit: 3}); r.TotalExact || r.TotalMatches >= 400_000 {
		t.Errorf("a limit of 3 did not end the work: %d lines seen", r.TotalMatches)
	}
}

// TestShrinking searches a large file while it becomes shorter and longer.
func TestShrinking(t *testing.T) {
	line := strings.Repeat("x", 90) + " needle\n"
	dir := tree(t, map[string]string{"log": strings.Repeat(line, 100_000), "other": "needle\n"})
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for size := int64(1); ; size = size*7%9_000_000 + 1 {
			select {
			case <-stop:
				return
			default:
				_ = os.Truncate(filepath.Join(dir, "log"), size)
			}
		}
	}()
	r := root(t, dir)
	for range 100 {
		got := grep(t, r, search.GrepOptions{Pattern: "(?i)needl[e]", Mode: search.Count})
		if got.TotalFiles == 0 || got.Files[len(got.Files)-1].Path != "other" {
			t.Fatalf("%+v", got)
		}
	}
	close(stop)
	<-done
}
