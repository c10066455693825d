package edit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/shown"
)

// fileLines splits a text into lines with their endings, independently of the
// package: at "\n", or at "\r" if the original has no "\n".
func fileLines(original, text string) []string {
	sep := "\n"
	if !strings.Contains(original, "\n") && strings.Contains(original, "\r") {
		sep = "\r"
	}
	lines := strings.SplitAfter(text, sep)
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// checkOutside verifies that all lines outside of the reported ranges are the
// same bytes in the same order, and that the splices make the result.
func checkOutside(src string, r Result) error {
	var b strings.Builder
	at := 0
	for _, s := range r.Splices {
		if s.Start < at || s.End < s.Start || s.End > len(src) {
			return fmt.Errorf("splice %v behind %d", s, at)
		}
		b.WriteString(src[at:s.Start] + s.Text)
		at = s.End
	}
	if b.WriteString(src[at:]); b.String() != r.Text {
		return fmt.Errorf("the splices make %q", b.String())
	}
	old, now := fileLines(src, src), fileLines(src, r.Text)
	i, j := 0, 0
	same := func(until int) error {
		for ; i < until; i, j = i+1, j+1 {
			if j >= len(now) || i >= len(old) || old[i] != now[j] {
				return fmt.Errorf("line %d changed outside of the ranges %+v", i+1, r.Edits)
			}
		}
		return nil
	}
	for _, e := range r.Edits {
		if e.Old.Start-1 < i { // several on one line
			i, j = max(i, e.Old.End), max(j, e.New.End)
			continue
		}
		if err := same(e.Old.Start - 1); err != nil {
			return err
		}
		if j != e.New.Start-1 {
			return fmt.Errorf("%+v begins at line %d of the new text", e, j+1)
		}
		i, j = e.Old.End, e.New.End
	}
	if err := same(len(old)); err != nil {
		return err
	}
	if j != len(now) {
		return fmt.Errorf("%d lines more than the ranges %+v tell", len(now)-j, r.Edits)
	}
	return nil
}

var damages = []func(*rand.Rand, string) string{
	func(_ *rand.Rand, s string) string { return s },
	func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, "\n", " \n") },
	func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, "\t", "    ") },
	func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, "    ", "\t") },
	func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	func(_ *rand.Rand, s string) string { return strings.NewReplacer(`"`, "“", "-", "–").Replace(s) },
	func(_ *rand.Rand, s string) string { return "\n" + s + "\n\n" },
	func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, "  ", " ") },
	func(r *rand.Rand, s string) string {
		lines := strings.Split(s, "\n")
		for i := range lines {
			lines[i] = fmt.Sprintf("%d|%s", i+7, lines[i])
		}
		return strings.Join(lines, "\n")
	},
}

// randomEdit returns a change of some part of src, by a caller who has read it more
// or less carefully.
func randomEdit(r *rand.Rand, src string) Edit {
	v := newView(src)
	start := r.IntN(len(v.text) + 1)
	end := min(len(v.text), start+r.IntN(200))
	if r.IntN(3) > 0 {
		start = lineStart(v.text, start)
		end = lineEnd(v.text, max(start, end))
		if r.IntN(2) == 0 {
			end = min(len(v.text), end+1)
		}
	}
	old := v.text[start:end]
	lines := strings.Split(old, "\n")
	switch i := r.IntN(len(lines)); r.IntN(4) {
	case 0:
		lines[i] = lead(lines[i]) + "changed" + trim(lines[i])
	case 1:
		lines = append(lines[:i:i], append([]string{"\tinserted", ""}, lines[i:]...)...)
	case 2:
		lines = append(lines[:i:i], lines[i+1:]...)
	case 3:
		lines = []string{"other"}
	}
	damage := damages[r.IntN(len(damages))]
	return Edit{
		Old: damage(r, old), New: damage(r, strings.Join(lines, "\n")),
		ReplaceAll: r.IntN(5) == 0, LineHint: r.IntN(5) / 4 * v.line(start), Expected: r.IntN(4) / 3 * r.IntN(3),
	}
}

// randomFile has every kind of indentation, ending and repetition.
func randomFile(r *rand.Rand) string {
	leads := []string{"", "\t", "\t\t", "    ", "        ", "  ", " \t"}
	words := []string{"alpha(beta)", "if x {", "}", "", `say "hello – world"`, "return a-b", "gamma  =  delta", "“quoted” text", "é\u200b", "日本語のテキスト", "\xff\xfe"}
	endings := [][]string{{"\n"}, {"\n"}, {"\r\n"}, {"\r"}, {"\n", "\r\n"}, {"\n", "\r\n", "\r"}}[r.IntN(6)]
	var b strings.Builder
	for range r.IntN(40) {
		b.WriteString(leads[r.IntN(len(leads))] + words[r.IntN(len(words))])
		if r.IntN(6) == 0 {
			b.WriteString("  ")
		}
		if r.IntN(3) == 0 {
			fmt.Fprint(&b, r.IntN(100))
		}
		b.WriteString(endings[r.IntN(len(endings))])
	}
	if r.IntN(3) == 0 {
		return strings.TrimRight(b.String(), "\r\n")
	}
	return b.String()
}

// checkEdits makes edits and verifies what holds for all edits.
func checkEdits(t *testing.T, src string, edits []Edit, o Options) bool {
	t.Helper()
	r, err := Apply(src, edits, o)
	if err != nil {
		if e := fault.As(err); r.Text != src || e.Code == fault.Internal || e.Message.In(fault.Chinese) == "" {
			t.Fatalf("%q with %+v: %v; text %q", src, edits, err, r.Text)
		}
		return false
	}
	if r.Text == src {
		t.Fatalf("%q with %+v: nothing changed and no error", src, edits)
	}
	if !o.Sequential {
		if err := checkOutside(src, r); err != nil {
			t.Fatalf("%.500q with %+v gives %.500q: %v", src, edits, r.Text, err)
		}
	}
	d := diff.FromSplices(diff.Modified("f"), src, r.Splices, diff.Limit{})
	if whole := diff.Unified(diff.Modified("f"), src, r.Text, diff.Limit{}); d.Text == "" || whole.Added-whole.Removed != d.Added-d.Removed {
		t.Fatalf("%q with %+v: the diff of the splices is %+v, of the texts %+v", src, edits, d, whole)
	}
	return true
}

func TestOutsideBytesStay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	landed := 0
	rounds := 12_000
	if raceDetector {
		rounds /= 10
	}
	for range rounds {
		src := randomFile(r)
		var edits []Edit
		for range 1 + r.IntN(2) {
			edits = append(edits, randomEdit(r, src))
		}
		path := []string{"a.go", "a.py"}[r.IntN(2)]
		if checkEdits(t, src, edits, Options{Path: path, Sequential: r.IntN(4) == 0}) {
			landed++
		}
	}
	t.Logf("%d of %d landed", landed, rounds)
	if landed < rounds/5 {
		t.Errorf("only %d of %d landed: the test says little", landed, rounds)
	}
}

func TestOutsideBytesStayInRealFiles(t *testing.T) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no go")
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", "[a-n]*", "*.go"))
	if err != nil || len(files) < 100 {
		t.Skipf("the Go source tree is not there: %v", err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	landed := 0
	seen, every := 0, 1
	if raceDetector {
		every = 10
	}
	for i := 0; i < len(files); i += every {
		seen++
		name := files[i]
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		src := string(raw)
		if r.IntN(3) == 0 {
			src = strings.ReplaceAll(src, "\n", "\r\n")
		}
		if checkEdits(t, src, []Edit{randomEdit(r, src)}, Options{Path: name}) {
			landed++
		}
	}
	t.Logf("%d of %d landed", landed, seen)
	if landed < seen/2 {
		t.Errorf("only %d of %d landed: the test says little", landed, seen)
	}
}

func FuzzApply(f *testing.F) {
	f.Add("a\nb\n", "a", "x", "b", "y", "a\n", 1, byte(0))
	f.Add("a\r\n\tb\r\n", "  b", "  c\n", "a", "", "a", 2, byte(3))
	f.Add("“a”\u00a0b é", `"a" b`, "x", "1|a\n2|b", "x", "", 0, byte(4))
	f.Fuzz(func(t *testing.T, src, old1, new1, old2, new2, seen string, n int, flags byte) {
		edits := []Edit{
			{Old: old1, New: new1, ReplaceAll: flags&1 != 0, Occurrence: n % 3},
			{Old: old2, New: new2, LineHint: n % 4, Expected: n % 2, After: strings.Repeat("a", int(flags>>7))},
		}
		o := Options{Path: []string{"a.py", "a.go"}[flags>>2&1], Sequential: flags&2 != 0, AllowPlaceholder: flags&8 != 0}
		if flags&16 != 0 {
			o.Shown = []shown.Version{{Text: seen}}
		}
		if flags&32 != 0 {
			edits = edits[:1]
		}
		checkEdits(t, src, edits, o)
	})
}
