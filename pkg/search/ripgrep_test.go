package search_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search"
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

// TestRipgrepMultiline compares, for patterns that may span lines, which lines match. The
// same must match if lines end in CRLF, or now in the one and now in the other.
func TestRipgrepMultiline(t *testing.T) {
	rg := ripgrep(t)
	r := rand.New(rand.NewPCG(13, 14))
	fixed := []string{`^$`, `$`, `^`, `[a-z]`, `\n`, `\n\n`, `\s+$`, `^\s*`, `\s`, `(?:^|x)$`, `foo\n(?:.*\n)*?.*bar`, `\z`, `o\z`, `\Afoo|\Abar`, `\n?`, `[^o]+`, `[,\n]o`}
	rounds, step := 2, 1
	if raceDetector {
		rounds, step = 1, 4 // the goroutines are the same for each pattern
	}
	for range rounds {
		dir := forest(t, r, 30)
		crlf := t.TempDir()
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			var b strings.Builder
			for line := range strings.Lines(string(content)) {
				plain, broken := strings.CutSuffix(line, "\n")
				if b.WriteString(plain); broken {
					b.WriteString([]string{"\r\n", "\n", "\r\n"}[r.IntN(3)])
				}
			}
			rel, _ := filepath.Rel(dir, path)
			put(t, crlf, filepath.ToSlash(rel), b.String())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 16+len(fixed); i += step {
			o := search.GrepOptions{Limit: 4000 + r.IntN(20_000)}
			o.Hidden = true
			args := []string{"-U", "--no-messages"}
			switch {
			case i < len(fixed):
				o.Pattern, o.Multiline = fixed[i], true
			case r.IntN(3) == 0:
				o.Pattern, o.Multiline = randomPattern(r, 3), true
			default:
				o.Pattern, o.Multiline = randomPattern(r, 2)+`\n`+randomPattern(r, 2), r.IntN(2) == 0
			}
			if o.Multiline {
				args = append(args, "--multiline-dotall")
			}
			want := touched(judged(t, rg, dir, append(args, "-e", o.Pattern, ".")...))
			for name, tree := range map[string]string{"LF": dir, "CRLF": crlf} {
				got := touched(pages(t, root(t, tree), o))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%q, multiline %v, %s: ripgrep (-), we (+)\n%s", o.Pattern, o.Multiline, name, diff)
				}
			}
		}
	}
}

// touched returns the lines of rows, each of which may be of several lines.
func touched(rows []row) []string {
	var all []string
	for _, r := range rows {
		for i, line := range strings.Split(r.Text, "\n") {
			if next := fmt.Sprintf("%s:%d:%s", r.Path, r.Line+i, line); len(all) == 0 || all[len(all)-1] != next {
				all = append(all, next)
			}
		}
	}
	return all
}

// TestRipgrepCR compares patterns that name a CR, which then is a character of the line,
// and that lines without it match as if they ended in LF.
func TestRipgrepCR(t *testing.T) {
	rg := ripgrep(t)
	r := rand.New(rand.NewPCG(15, 16))
	files := map[string]string{"alone": "a\rb\ra", "both": "a\r\nb\na\nb\r\na\rb", "long": strings.Repeat("a b\r\nb\n", 40_000)}
	for i := range 40 {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString([]string{"a", "b", "a b", ""}[r.IntN(4)] + []string{"\n", "\r\n"}[r.IntN(2)])
		}
		files[fmt.Sprint("f", i)] = b.String()
	}
	dir := tree(t, files)
	for i, p := range []string{`\r$`, `\r`, `a\r$`, `^\r$`, `a[\r]`, `\x0d$`, `a\r?$`, `a.*\r`, `b\r\na`, `\r\n\r\n`, `a\r\n`, `\r\n`} {
		if raceDetector && i%5 > 0 {
			continue
		}
		args := []string{"-e", p}
		if strings.Contains(p, `\n`) {
			args = append(args, "-U")
		}
		want := touched(judged(t, rg, dir, args...))
		for i := range want {
			want[i] = strings.TrimSuffix(want[i], "\r") // which is not shown
		}
		got := touched(rows(grep(t, root(t, dir), search.GrepOptions{Pattern: p})))
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
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
