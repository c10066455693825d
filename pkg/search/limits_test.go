package search_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/search"
)

// TestShownLine checks how much of a long line is shown, and how many of its
// matches are reported.
func TestShownLine(t *testing.T) {
	dir := tree(t, map[string]string{
		"long": strings.Repeat("x", 1000) + "needle" + strings.Repeat("y", 1000) + "\n",
		"many": strings.Repeat("ab", 60) + "\n",
		"line": strings.Repeat("z", 400) + "\n",
	})
	line := func(pattern string) search.Line {
		r := grep(t, root(t, dir), search.GrepOptions{Pattern: pattern})
		if len(r.Files) != 1 || len(r.Files[0].Lines) != 1 {
			t.Fatalf("%s: %+v", pattern, r.Files)
		}
		return r.Files[0].Lines[0]
	}
	if l := line("needle"); len(strings.ReplaceAll(l.Text, "…", "")) != 400 || !strings.Contains(l.Text, "needle") {
		t.Errorf("%d bytes: %s", len(l.Text), l.Text)
	}
	if l := line("z{3}$"); l.Text != strings.Repeat("z", 400) {
		t.Errorf("a line of 400 bytes is cut: %s", l.Text)
	}
	if l := line("ab"); len(l.Submatches) != 50 {
		t.Errorf("%d submatches", len(l.Submatches))
	}
}

// TestLinesOfMatch checks that the lines of one match are counted and paged like others.
func TestLinesOfMatch(t *testing.T) {
	dir := tree(t, map[string]string{"a": "begin\n" + strings.Repeat("x\n", 150) + "end\n"})
	o := search.GrepOptions{Pattern: `begin\n(x\n)+end`}
	if r := grep(t, root(t, dir), o); len(r.Files[0].Lines) != 152 || r.TotalMatches != 152 || !r.TotalExact {
		t.Errorf("%d lines of %d", len(r.Files[0].Lines), r.TotalMatches)
	}
	o.Limit = 100
	r := grep(t, root(t, dir), o)
	if n := len(r.Files[0].Lines); n != 100 || !r.Truncated || r.NextOffset != 100 || r.TotalExact {
		t.Errorf("%d lines, %+v", n, r)
	}
	o.Offset = 100
	if got := text(grep(t, root(t, dir), o)); !strings.HasPrefix(got, "a:101:x\n") || !strings.HasSuffix(got, "a:152:end\n") {
		t.Error(got)
	}
}

// TestCountedLines checks for which files List counts lines: for small files,
// until a budget is used up.
func TestCountedLines(t *testing.T) {
	files := map[string]string{"z/large": strings.Repeat("\n", 128<<10+1)}
	for i := range 33 {
		files[fmt.Sprintf("a%02d", i)] = strings.Repeat("\n", 128<<10)
	}
	listed, err := search.List(context.Background(), root(t, tree(t, files)), search.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	counted := 0
	for _, e := range listed.Entries {
		if e.Lines > 0 {
			counted++
		}
		if e.Name == "large" && e.Lines != 0 {
			t.Errorf("counted %d lines in a file of %d bytes", e.Lines, e.Size)
		}
	}
	if counted != 32 {
		t.Errorf("counted the lines of %d files, not of 32: that is 4 MiB", counted)
	}
}
