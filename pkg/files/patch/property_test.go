package patch

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/files/diff"
)

// gitDiff returns what git prints for two texts.
func gitDiff(t *testing.T, dir, old, new string, context int) string {
	t.Helper()
	for name, text := range map[string]string{"a.txt": old, "b.txt": new} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "-c", "core.autocrlf=false", "-c", "core.safecrlf=false", "diff", "--no-index", "--text", "--no-color", fmt.Sprintf("-U%d", context), "a.txt", "b.txt")
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("git diff: %v", err)
	}
	return string(out)
}

func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
}

// randomLines returns lines that repeat often enough to be mistaken for one
// another: the fewer words, the more often.
func randomLines(r *rand.Rand, n, words int) []string {
	shapes := []string{"func f%d() {", "\tx%d := 1", "}", "", "    y%d", "-- z%d", "++ z%d", "\treturn x%d", " ", "naïve %d “quoted”", "@@ w%d", `\ v%d`, "w%d  "}
	lines := make([]string, n)
	for i := range lines {
		lines[i] = strings.ReplaceAll(shapes[r.IntN(len(shapes))], "%d", fmt.Sprint(r.IntN(words)))
	}
	return lines
}

// mutate changes some lines.
func mutate(r *rand.Rand, lines []string, words int) []string {
	out := append([]string(nil), lines...)
	for range 1 + r.IntN(4) {
		at := r.IntN(len(out) + 1)
		n := min(r.IntN(3), len(out)-at)
		fresh := randomLines(r, r.IntN(4), words)
		out = append(out[:at:at], append(fresh, out[at+n:]...)...)
	}
	return out
}

func joined(lines []string, eol string, final bool) string {
	if len(lines) == 0 {
		return ""
	}
	s := strings.Join(lines, eol)
	if final {
		s += eol
	}
	return s
}

// outcome applies a patch to one text.
func outcome(src, patch string) (Result, error) {
	files, err := Parse(patch, "a.txt")
	if err != nil {
		return Result{}, err
	}
	if len(files) != 1 {
		return Result{}, fmt.Errorf("%d files", len(files))
	}
	return Apply(src, files[0])
}

func TestGitDiffsLand(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		words := 1 + r.IntN(40)
		lines := randomLines(r, r.IntN(60), words)
		eol := []string{"\n", "\n", "\r\n"}[r.IntN(3)]
		old := joined(lines, eol, r.IntN(4) > 0)
		new := joined(mutate(r, lines, words), eol, r.IntN(4) > 0)
		if r.IntN(10) == 0 {
			new = strings.ReplaceAll(new, "\r\n", "\n")
		}
		if old == new || old == "" || new == "" {
			continue
		}
		context := r.IntN(6)
		text := gitDiff(t, dir, old, new, context)
		got, err := outcome(old, text)
		if err != nil {
			t.Errorf("seed %d, -U%d: %v\n%s\n%q", seed, context, err, text, old)
			continue
		}
		if got.Text != new {
			t.Errorf("seed %d, -U%d: got %q\nwant %q\n%s", seed, context, got.Text, new, text)
		}
		checkResult(t, old, got)
	}
}

// checkSplices verifies that the splices make the text.
func checkSplices(t *testing.T, src string, r Result) {
	t.Helper()
	var b strings.Builder
	at := 0
	for _, s := range r.Splices {
		if s.Start < at || s.End < s.Start || s.End > len(src) {
			t.Fatalf("splice %v behind %d", s, at)
		}
		b.WriteString(src[at:s.Start] + s.Text)
		at = s.End
	}
	if b.WriteString(src[at:]); b.String() != r.Text {
		t.Errorf("the splices make %q, not %q", b.String(), r.Text)
	}
}

// checkResult checks a result against what it says about itself.
func checkResult(t *testing.T, src string, r Result) {
	t.Helper()
	checkSplices(t, src, r)
	checkOutside(t, src, r)
	d := diff.FromSplices(diff.Modified("a.txt"), src, r.Splices, diff.Limit{})
	if strings.Contains(src, "\n") && (d.Added != r.Added || d.Removed != r.Removed) {
		t.Errorf("+%d -%d lines, but the diff has +%d -%d\n%s", r.Added, r.Removed, d.Added, d.Removed, d.Text)
	}
}

var hunkHeader = regexp.MustCompile(`(?m)^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@`)

// headers rewrites the headers of hunks.
func headers(patch string, to func(old, oldCount, new, newCount string) string) string {
	return hunkHeader.ReplaceAllStringFunc(patch, func(s string) string {
		m := hunkHeader.FindStringSubmatch(s)
		return to(m[1], m[2], m[3], m[4])
	})
}

// TestDamagedDiffs checks that a damaged patch is applied correctly or not at all.
func TestDamagedDiffs(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	landed, total := map[string]int{}, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 2))
		words := 20 + r.IntN(400)
		lines := randomLines(r, 20+r.IntN(60), words)
		old, new := joined(lines, "\n", true), joined(mutate(r, lines, words), "\n", true)
		if old == new {
			continue
		}
		text := gitDiff(t, dir, old, new, 3)
		head := joined(randomLines(r, 20, 1000), "\n", true)
		total++
		crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
		for _, c := range []struct {
			name, src, patch, want string
		}{
			{"shifted", head + old, text, head + new},
			{"bare headers", old, headers(text, func(_, _, _, _ string) string { return "@@ @@" }), new},
			{"wrong counts", old, headers(text, func(o, _, n, _ string) string { return "@@ -" + o + ",2 +" + n + ",9 @@" }), new},
			{"no counts", old, headers(text, func(o, _, n, _ string) string { return "@@ -" + o + " +" + n + " @@" }), new},
			{"blank context stripped", old, strings.ReplaceAll(text, "\n \n", "\n\n"), new},
			{"CRLF target", crlf(old), text, crlf(new)},
			{"CRLF patch", old, crlf(text), new},
			{"CRLF both", crlf(old), crlf(text), crlf(new)},
		} {
			got, err := outcome(c.src, c.patch)
			if err != nil {
				continue
			}
			if got.Text != c.want {
				t.Errorf("seed %d, %s: wrong\n%s\ngot %q\nwant %q", seed, c.name, c.patch, got.Text, c.want)
			}
			checkResult(t, c.src, got)
			landed[c.name]++
		}
	}
	for name, n := range landed {
		t.Logf("%s: %d of %d", name, n, total)
		if n < total/2 {
			t.Errorf("%s: only %d of %d land", name, n, total)
		}
	}
}

// TestLoneCRs checks that a patch which was made of lines is applied to a text in which
// some of them end in "\r".
func TestLoneCRs(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	landed, total := 0, 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 4))
		lines := randomLines(r, 20+r.IntN(40), 400)
		old, new := joined(lines, "\n", true), joined(mutate(r, lines, 400), "\n", true)
		if old == new {
			continue
		}
		total++
		src := loneCRs(r, old)
		got, err := outcome(src, headers(gitDiff(t, dir, old, new, 3), func(_, _, _, _ string) string { return "@@ @@" }))
		if err != nil {
			continue
		}
		landed++
		checkResult(t, src, got)
		if strings.ReplaceAll(got.Text, "\r", "\n") != new {
			t.Errorf("seed %d: got %q\nwant %q", seed, got.Text, new)
		}
	}
	if t.Logf("%d of %d", landed, total); landed < total*9/10 {
		t.Errorf("only %d of %d land", landed, total)
	}
}

// loneCRs makes half of the line endings of a text, and the first one, a "\r".
func loneCRs(r *rand.Rand, text string) string {
	b := []byte(text)
	for i := range len(b) - 1 {
		if b[i] == '\n' && b[i+1] != '\n' && (r.IntN(2) == 0 || !bytes.Contains(b[:i], []byte("\r"))) {
			b[i] = '\r'
		}
	}
	return string(b)
}

// TestDriftedLine checks that no other line is removed in place of one that is
// missing.
func TestDriftedLine(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	drifted := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		words := 1 + r.IntN(60)
		lines := randomLines(r, 10+r.IntN(60), words)
		old, new := joined(lines, "\n", true), joined(mutate(r, lines, words), "\n", true)
		if old == new {
			continue
		}
		text := gitDiff(t, dir, old, new, r.IntN(6))
		files, err := Parse(text, "")
		if err != nil {
			t.Fatal(err)
		}
		var removed []int
		for _, h := range files[0].Hunks {
			at := h.OldStart - 1
			for _, l := range h.Lines {
				if l.Op == Remove && strings.TrimSpace(l.Text) != "" {
					removed = append(removed, at)
				}
				if l.Op != Insert {
					at++
				}
			}
		}
		if len(removed) == 0 {
			continue
		}
		drifted++
		src := append([]string(nil), lines...)
		src[removed[r.IntN(len(removed))]] += " drifted"
		if got, err := Apply(joined(src, "\n", true), files[0]); err == nil {
			t.Errorf("seed %d: applied\n%s\nto %q\ngave %q", seed, text, joined(src, "\n", true), got.Text)
		}
	}
	if drifted < 100 {
		t.Errorf("only %d cases", drifted)
	}
}
