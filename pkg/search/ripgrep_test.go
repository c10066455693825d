package search_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/pattern"
)

// ripgrep returns the path of a ripgrep that is new enough for the comparison.
func ripgrep(t *testing.T) string {
	t.Helper()
	name, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("no rg")
	}
	if exec.Command(name, "--no-config", "--no-require-git", "--files", ".").Run() != nil {
		t.Skip("this ripgrep knows no --no-require-git")
	}
	return name
}

// row is a matching line with the byte ranges of its matches.
type row struct {
	Path  string
	Line  int
	Text  string
	Spans [][2]int
}

// judged runs ripgrep and returns its matches.
func judged(t *testing.T, rg, dir string, args ...string) []row {
	t.Helper()
	cmd := exec.Command(rg, append([]string{"--no-config", "--json", "--no-require-git", "--hidden", "--sort=path"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatalf("rg %q: %v %s", args, err, exit.Stderr)
	}
	type text struct{ Text string }
	var rows []row
	for line := range bytes.Lines(out) {
		var event struct {
			Type string
			Data struct {
				Path       text
				Lines      text
				LineNumber int `json:"line_number"`
				Submatches []struct{ Start, End int }
			}
		}
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatal(err)
		}
		if event.Type != "match" {
			continue
		}
		r := row{Path: strings.TrimPrefix(event.Data.Path.Text, "./"), Line: event.Data.LineNumber, Text: strings.TrimSuffix(event.Data.Lines.Text, "\n")}
		for _, m := range event.Data.Submatches {
			r.Spans = append(r.Spans, [2]int{m.Start, m.End})
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(a.Path, b.Path) })
	return rows
}

func rows(r search.GrepResult) []row {
	var all []row
	for _, f := range r.Files {
		for _, l := range f.Lines {
			if l.Match {
				all = append(all, row{f.Path, l.Line, l.Text, l.Submatches})
			}
		}
	}
	return all
}

// pages returns the matching lines of all pages. Their number must be the total
// that each page states.
func pages(t *testing.T, root search.Root, o search.GrepOptions) []row {
	t.Helper()
	var all []row
	for {
		r, err := search.Grep(context.Background(), root, o)
		if err != nil {
			t.Fatal(err)
		}
		page := rows(r)
		all = append(all, page...)
		if !r.Truncated {
			if len(all) != r.TotalMatches {
				t.Errorf("%q: %d matches, %d shown", o.Pattern, r.TotalMatches, len(all))
			}
			return all
		}
		if o.Offset+len(page) != r.NextOffset || len(page) == 0 {
			t.Fatalf("%q: page at %d of limit %d has %d lines, the next is at %d", o.Pattern, o.Offset, o.Limit, len(page), r.NextOffset)
		}
		o.Offset = r.NextOffset
	}
}

func randomPattern(r *rand.Rand, depth int) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	if depth == 0 || r.IntN(3) == 0 {
		return pick("foo", "bar", "return", "o", "r", "_", `\w`, `\s`, `\d`, ".", "[a-f]", "[^o]", `\b`, "世", "ö", "Ω", "k", "^", "$", `\B`, "(?i:größe)", `\p{Greek}`, "error", " ", "12", `\.`, `\W`)
	}
	switch r.IntN(6) {
	case 0:
		return "(" + randomPattern(r, depth-1) + "|" + randomPattern(r, depth-1) + ")"
	case 1:
		return "(?:" + randomPattern(r, depth-1) + ")" + pick("*", "+", "?", "{2}", "{1,3}", "+?")
	}
	return randomPattern(r, depth-1) + randomPattern(r, depth-1)
}

// TestRipgrep compares with ripgrep which lines of random trees match random
// patterns, and where in the line.
func TestRipgrep(t *testing.T) {
	rg := ripgrep(t)
	r := rand.New(rand.NewPCG(11, 12))
	compared := 0
	for i := range 5 {
		dir := forest(t, r, 60)
		for j := range 12 {
			p := randomPattern(r, 3)
			o := search.GrepOptions{Pattern: p, Limit: 10_000, Total: true}
			o.Hidden = true
			args := []string{}
			if r.IntN(3) == 0 {
				o.IgnoreCase = true
				args = append(args, "-i")
			}
			if r.IntN(4) == 0 {
				o.Word = true
				args = append(args, "-w")
			}
			if r.IntN(4) == 0 {
				o.Literal = true
				args = append(args, "-F")
			}
			want := judged(t, rg, dir, append(args, "-m200", "-M0", "-e", p, ".")...)
			if len(want) > 2000 || slices.ContainsFunc(want, func(r row) bool { return len(r.Text) > 400 || len(r.Spans) > 40 }) {
				continue // more than one page
			}
			compared++
			o.Limit = 100 + r.IntN(3000)
			if diff := compare(want, pages(t, root(t, dir), o), !o.Word && !strings.ContainsAny(p, "bB")); diff != "" {
				t.Fatalf("tree %d, pattern %d: %s %q: ripgrep (-), we (+)\n%s", i, j, args, p, diff)
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d searches compared", compared)
	}
}

// compare ignores three differences: empty matches, of which ripgrep shows fewer;
// lines beyond those asked for; and the ranges of matches with word boundaries,
// because ripgrep misses some that start right after another match.
func compare(want, got []row, spans bool) string {
	perFile := map[string]int{}
	kept := []row{}
	for _, r := range got {
		if perFile[r.Path]++; perFile[r.Path] <= 200 {
			kept = append(kept, r)
		}
	}
	clean := func(rows []row) []string {
		out := []string{}
		for _, r := range rows {
			ranges := [][2]int{}
			for _, s := range r.Spans {
				if s[0] < s[1] && spans {
					ranges = append(ranges, s)
				}
			}
			out = append(out, fmt.Sprintf("%s:%d:%s %v", r.Path, r.Line, r.Text, ranges))
		}
		return out
	}
	return cmp.Diff(clean(want), clean(kept))
}

// TestRipgrepMultiline compares, for patterns that span lines, which files match
// and how often.
func TestRipgrepMultiline(t *testing.T) {
	rg := ripgrep(t)
	r := rand.New(rand.NewPCG(13, 14))
	for range 3 {
		dir := forest(t, r, 40)
		for range 8 {
			p := randomPattern(r, 2) + `\n` + randomPattern(r, 2)
			cmd := exec.Command(rg, "--no-config", "--no-require-git", "--hidden", "--sort=path", "-U", "--multiline-dotall", "--count-matches", "--no-messages", "-e", p, ".")
			cmd.Dir = dir
			out, _ := cmd.Output()
			want := map[string]string{}
			for line := range strings.Lines(string(out)) {
				name, count, _ := strings.Cut(strings.TrimSpace(line), ":")
				want[strings.TrimPrefix(name, "./")] = count
			}
			o := search.GrepOptions{Pattern: p, Mode: search.Count, Limit: 10_000, Options: pattern.Options{Multiline: true}}
			o.Hidden = true
			got, err := search.Grep(context.Background(), root(t, dir), o)
			if err != nil {
				t.Fatal(err)
			}
			counts := map[string]string{}
			for _, f := range got.Files {
				counts[f.Path] = fmt.Sprint(f.Count)
			}
			if diff := cmp.Diff(want, counts); diff != "" {
				t.Fatalf("%q: ripgrep (-), we (+)\n%s", p, diff)
			}
		}
	}
}

// TestRipgrepCRLF checks that \n in a pattern also matches CRLF: there must be as
// many matches as ripgrep finds for a pattern with \r?\n.
func TestRipgrepCRLF(t *testing.T) {
	rg := ripgrep(t)
	r := rand.New(rand.NewPCG(15, 16))
	files := map[string]string{"alone": "a\rb\r", "both": "a\r\nb\na\nb\r\na\r\r\nb"}
	for i := range 40 {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString([]string{"a", "b", "a b", ""}[r.IntN(4)] + []string{"\n", "\r\n"}[r.IntN(2)])
		}
		files[fmt.Sprint("f", i)] = b.String()
	}
	dir := tree(t, files)
	for _, p := range []string{`a\nb`, `a\n`, `\n\n`, `b\n+a`, `(a|b)\n(b|\n)`, `^a\n^b`} {
		want := map[string]int{}
		for _, line := range judged(t, rg, dir, "--multiline", strings.ReplaceAll(p, `\n`, `(?:\r?\n)`)) {
			want[line.Path] += len(line.Spans)
		}
		got := map[string]int{}
		for _, f := range grep(t, root(t, dir), search.GrepOptions{Pattern: p, Mode: search.Count, Total: true, Limit: 1000}).Files {
			got[f.Path] = f.Count
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: ripgrep (-), we (+)\n%s", p, diff)
		}
	}
}

// TestRipgrepFiles compares which files are searched, with globs and types.
func TestRipgrepFiles(t *testing.T) {
	rg := ripgrep(t)
	r := rand.New(rand.NewPCG(15, 16))
	for range 6 {
		dir := forest(t, r, 80)
		for _, args := range [][]string{
			{}, {"-t", "go"}, {"--no-ignore"}, {"-g", "!*.go"}, {"-g", "!deep"},
			// In ripgrep, a glob that includes files overrides ignore files.
			{"-g", "*.go", "--no-ignore"}, {"-g", "a/**", "--no-ignore"}, {"-g", "**/deep/*", "--no-ignore"}, {"-g", "*.{c,txt}", "--no-ignore"},
		} {
			cmd := exec.Command(rg, append([]string{"--no-config", "--files", "--no-require-git", "--hidden"}, args...)...)
			cmd.Dir = dir
			out, _ := cmd.Output()
			want := strings.Fields(string(out))
			slices.Sort(want)
			o := search.GrepOptions{Pattern: "", Mode: search.Files, Limit: 10_000}
			o.Hidden = true
			o.NoIgnore = slices.Contains(args, "--no-ignore")
			switch {
			case slices.Contains(args, "-g"):
				o.Globs = args[1:2]
			case slices.Contains(args, "-t"):
				o.Types = args[1:2]
			}
			// An empty pattern matches every line, so only empty files are missing.
			got, err := search.Grep(context.Background(), root(t, dir), o)
			if err != nil {
				t.Fatal(err)
			}
			found, err := search.Find(context.Background(), root(t, dir), search.FindOptions{Scope: o.Scope, Globs: o.Globs, Type: search.File, Limit: 10_000})
			if err != nil {
				t.Fatal(err)
			}
			paths := []string{}
			for m := range found.Matches {
				paths = append(paths, m.Path())
			}
			slices.Sort(paths)
			if len(o.Types) == 0 {
				if diff := cmp.Diff(want, paths); diff != "" {
					t.Fatalf("%q: ripgrep (-), we (+)\n%s", args, diff)
				}
			}
			for _, f := range got.Files {
				if !slices.Contains(want, f.Path) {
					t.Errorf("%q: ripgrep does not list %s", args, f.Path)
				}
			}
		}
	}
}
