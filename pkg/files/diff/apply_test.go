package diff

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// judge applies a patch in dir with a program that is not ours.
type judge struct {
	name string
	argv []string
}

// eachJudge runs a test with every program that can judge a patch.
func eachJudge(t *testing.T, test func(t *testing.T, j judge)) {
	t.Helper()
	for _, j := range []judge{
		{"git", []string{"git", "apply", "--whitespace=nowarn", "-"}},
		{"patch", []string{"patch", "-p1", "--binary", "--no-backup-if-mismatch", "--fuzz=0", "--force"}},
	} {
		t.Run(j.name, func(t *testing.T) {
			if _, err := exec.LookPath(j.name); err != nil {
				t.Skip("no " + j.name)
			}
			test(t, j)
		})
	}
}

func (j judge) apply(t *testing.T, dir, patch string) error {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), j.argv[0], j.argv[1:]...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(patch)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if bytes.Contains(out, []byte("offset")) || bytes.Contains(out, []byte("fuzz")) {
		return fmt.Errorf("applied elsewhere: %s", out)
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// content is a tree of files as text.
type content map[string]string

func (c content) write(t *testing.T, dir string) {
	t.Helper()
	for name, text := range c {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readTree(t *testing.T, dir string) content {
	t.Helper()
	c := content{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		c[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// verify applies the diffs, all in one patch, with every judge, and compares
// the trees.
func verify(t *testing.T, before, after content, diffs []Diff) {
	t.Helper()
	eachJudge(t, func(t *testing.T, j judge) {
		dir := t.TempDir()
		before.write(t, dir)
		patch := Join(diffs, Limit{}).Text
		if err := j.apply(t, dir, patch); err != nil {
			t.Fatalf("%s refused: %v\n%.3000q", j.name, err, patch)
		}
		if d := cmp.Diff(after, readTree(t, dir)); d != "" {
			t.Fatalf("%s made something else (-want +got):\n%.3000s\n%.3000q", j.name, d, patch)
		}
	})
}

func TestOthersApplyOddities(t *testing.T) {
	tests := []struct {
		name, path, old, new string
	}{
		{"change", "a.txt", "1\n2\n3\n", "1\nx\n3\n"},
		{"text to empty", "a.txt", "1\n2\n3\n", ""},
		{"one line to empty", "a.txt", "1", ""},
		{"empty to text", "a.txt", "", "1\n2\n"},
		{"empty to unterminated", "a.txt", "", "1"},
		{"newline added", "a.txt", "1\n2", "1\n2\n"},
		{"newline removed", "a.txt", "1\n2\n", "1\n2"},
		{"both unterminated", "a.txt", "1\n2", "1\nx"},
		{"unterminated context", "a.txt", "1\n2\n3", "x\n2\n3"},
		{"appended to unterminated", "a.txt", "1", "1\n2"},
		{"only a newline", "a.txt", "\n", ""},
		{"LF to CRLF", "a.txt", "1\n2\n3\n", "1\r\n2\r\n3\r\n"},
		{"mixed endings", "a.txt", "1\r\n2\n3\r\n4\n5\r\n", "1\r\n2\nx\r\n4\n5\r\n"},
		{"lone CR", "a.txt", "a\rb\rc", "a\rx\rc"},
		{"like headers", "a.txt", "-- a\n++ b\n@@ -1 +1 @@\n", "-- a\n++ x\n@@ -1 +2 @@\n-- /dev/null\n"},
		{"not UTF-8", "a.txt", "a\xff\nb\n", "a\xff\nb\xfe\n"},
		{"space in path", "d e/my file.txt", "1\n2\n", "1\n3\n"},
		{"space in path, emptied", "d e/my file.txt", "1\n2\n", ""},
		{"Chinese path", "文档/说明.md", "1\n2\n", "1\n3\n"},
		{"Chinese path with space, filled", "文 档/说明.md", "", "1\n3\n"},
	}
	if runtime.GOOS != "windows" {
		tests = append(tests, []struct{ name, path, old, new string }{
			{"tab in path", "a\tb.txt", "1\n", "2\n"},
			{"quote in path", `a"b.txt`, "1\n", "2\n"},
			{"backslash in path", `a\b.txt`, "1\n", "2\n"},
			{"newline in path", "a\nb \x01.txt", "1\n", "2\n"},
		}...)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			other := content{"other.txt": "stays\n"}
			with := func(path, text string) content {
				return content{"other.txt": other["other.txt"], path: text}
			}
			verify(t, with(tt.path, tt.old), with(tt.path, tt.new), []Diff{Unified(Modified(tt.path), tt.old, tt.new, Limit{})})
			verify(t, other, with(tt.path, tt.new), []Diff{Unified(Created(tt.path), "", tt.new, Limit{})})
			verify(t, with(tt.path, tt.old), other, []Diff{Unified(Deleted(tt.path), tt.old, "", Limit{})})
			to := "sub/" + tt.path
			verify(t, with(tt.path, tt.old), with(to, tt.new), []Diff{Unified(Renamed(tt.path, to), tt.old, tt.new, Limit{})})
			verify(t, with(tt.path, tt.old), with(to, tt.old), []Diff{Unified(Renamed(tt.path, to), tt.old, tt.old, Limit{})})
		})
	}
}

func TestOthersApplyModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no executable bit on Windows")
	}
	eachJudge(t, func(t *testing.T, j judge) {
		dir := t.TempDir()
		content{"run.sh": "1\n", "gone.sh": "x\n"}.write(t, dir)
		d := Join([]Diff{
			Unified(File{From: "run.sh", To: "run.sh", ToMode: 0o755}, "1\n", "1\n", Limit{}),
			Unified(File{To: "new.sh", ToMode: 0o700}, "", "2\n", Limit{}),
			Unified(File{From: "gone.sh", To: "moved.sh", ToMode: 0o755}, "x\n", "y\n", Limit{}),
		}, Limit{})
		if err := j.apply(t, dir, d.Text); err != nil {
			t.Fatalf("%s refused: %v\n%s", j.name, err, d.Text)
		}
		for _, name := range []string{"run.sh", "new.sh", "moved.sh"} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil || info.Mode()&0o100 == 0 {
				t.Errorf("%s: %s is not executable: %v %v", j.name, name, info, err)
			}
		}
	})
}

// randomText has few different lines, so that lines repeat, and all kinds of
// endings.
func randomText(r *rand.Rand, lines int) string {
	var b strings.Builder
	endings := []string{"\n", "\n", "\n", "\r\n", "\r\r\n"}
	if r.IntN(3) > 0 {
		endings = endings[:1]
	}
	kinds := 1 + r.IntN(40)
	for range lines {
		fmt.Fprintf(&b, "%d%s", r.IntN(kinds), endings[r.IntN(len(endings))])
	}
	if r.IntN(4) == 0 {
		return strings.TrimRight(b.String(), "\r\n")
	}
	return b.String()
}

// randomSplices are in order and disjoint, at any byte.
func randomSplices(r *rand.Rand, old string) []Splice {
	var splices []Splice
	at := 0
	for range r.IntN(6) {
		start := at + r.IntN(len(old)-at+1)
		end := start + r.IntN(min(len(old)-start, 30)+1)
		splices = append(splices, Splice{start, end, randomText(r, r.IntN(5))})
		at = end
	}
	return splices
}

func applySplices(old string, splices []Splice) string {
	var b strings.Builder
	at := 0
	for _, s := range splices {
		b.WriteString(old[at:s.Start])
		b.WriteString(s.Text)
		at = s.End
	}
	return b.String() + old[at:]
}

func TestOthersApplyRandomDiffs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		before, after := content{}, content{}
		var diffs []Diff
		for i := range 60 {
			path := fmt.Sprintf("d%d/f %d", i%3, i)
			old := randomText(r, r.IntN(90))
			splices := randomSplices(r, old)
			now := applySplices(old, splices)
			before[path], after[path] = old, now
			if i%2 == 0 {
				diffs = append(diffs, FromSplices(Modified(path), old, splices, Limit{}))
			} else {
				diffs = append(diffs, Unified(Modified(path), old, now, Limit{}))
			}
		}
		verify(t, before, after, diffs)
	}
}
