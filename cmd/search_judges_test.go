package cmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// planter makes random trees with files that ignore others.
type planter struct{ *rand.Rand }

func (r planter) pick(of ...string) string { return of[r.IntN(len(of))] }

func (r planter) name() string {
	return r.pick("a", "b", "lib", "foo", "foo.o", "x.go", "y.go", "note.txt", "build", ".cfg", "é", "z z", "A")
}

// rules returns the content of an ignore file.
func (r planter) rules() string {
	var b strings.Builder
	for range 1 + r.IntN(5) {
		b.WriteString(r.pick("", "", "!", "/", "**/") + r.pick("*.o", "*.go", "lib", "build/", "foo*", "a/b", "a/**", "*.txt", "b/*", "[a-f]", "z\\ z", "# no rule", "A/") + "\n")
	}
	return b.String()
}

// plant fills a directory and its sub-directories.
func (r planter) plant(t *testing.T, dir string) {
	t.Helper()
	for range 70 {
		name := r.name()
		for r.IntN(3) > 0 && strings.Count(name, "/") < 4 {
			name += "/" + r.name()
		}
		full := filepath.Join(dir, filepath.FromSlash(name))
		if os.MkdirAll(filepath.Dir(full), 0o755) != nil {
			continue // there is a file of that name
		}
		if r.IntN(5) == 0 {
			full = filepath.Join(filepath.Dir(full), ".gitignore")
		}
		if info, err := os.Stat(full); err == nil && info.IsDir() {
			continue
		}
		text := r.rules()
		if filepath.Base(full) != ".gitignore" {
			text = r.text()
		}
		cmdtest.Put(t, filepath.Dir(full), filepath.Base(full), text)
	}
}

// text returns the content of a file.
func (r planter) text() string {
	var b strings.Builder
	for range r.IntN(12) {
		for range r.IntN(6) {
			b.WriteString(r.pick("foo", "Foo", "return", " ", "\t", "bar_1", "(x)", "größe", "Größe", "ſ", "K", "K", "世界", "12.5", "é"))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// paths returns the values of "path" in a list of a result.
func paths(t *testing.T, a cmdtest.Answer, list string) []string {
	t.Helper()
	found := []string{}
	items, ok := a.Data[list].([]any)
	if !a.OK || !ok {
		t.Fatalf("%+v", a)
	}
	for _, item := range items {
		found = append(found, item.(map[string]any)["path"].(string))
	}
	slices.Sort(found)
	return found
}

// TestSearchIgnoresAsGit compares with git which files are ignored: by files in the
// tree, by the repository's and the person's own, and from a workspace that is part
// of a repository.
func TestSearchIgnoresAsGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	ignored, kept := 0, 0
	for seed := range uint64(12) {
		r := planter{rand.New(rand.NewPCG(seed, 41))}
		dir := here(t, cmdtest.Workspace(t))
		settings := filepath.Join(t.TempDir(), "gitconfig")
		mine := cmdtest.Put(t, t.TempDir(), "mine", r.rules())
		if err := os.WriteFile(settings, fmt.Appendf(nil, "[core]\n\texcludesFile = %q\n", mine), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Setenv("GIT_CONFIG_GLOBAL", settings)
		t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
		run := func(stdin string, args ...string) string {
			c := exec.Command(git, args...)
			c.Dir, c.Stdin = dir, strings.NewReader(stdin)
			out, err := c.Output()
			var exit *exec.ExitError
			if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
				t.Fatalf("git %q: %v", args, err)
			}
			return string(out)
		}
		run("", "init", "-q")
		r.plant(t, dir)
		cmdtest.Put(t, filepath.Join(dir, ".git", "info"), "exclude", r.rules())
		var all []string
		err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
			rel, _ := filepath.Rel(dir, name)
			switch rel = filepath.ToSlash(rel); {
			case err != nil:
				return err
			case rel == ".git":
				return filepath.SkipDir
			case !d.IsDir():
				all = append(all, rel)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		out := strings.FieldsFunc(run(strings.Join(all, "\x00")+"\x00", "check-ignore", "--no-index", "--stdin", "-z"), func(c rune) bool { return c == 0 })
		want := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(out, name) })
		ignored, kept = ignored+len(out), kept+len(want)
		slices.Sort(want)

		t.Setenv("HELVE_ROOT", dir)
		if diff := cmp.Diff(want, paths(t, inProcess(t, "find", `{"type":"file","depth":1000,"limit":100000}`), "matches")); diff != "" {
			t.Errorf("seed %d, find: git (-), helve (+)\n%s", seed, diff)
		}
		withText := slices.DeleteFunc(slices.Clone(want), func(name string) bool {
			info, err := os.Stat(filepath.Join(dir, name))
			return err != nil || info.Size() == 0
		})
		if diff := cmp.Diff(withText, paths(t, inProcess(t, "grep", `{"pattern":"^","mode":"files","limit":10000}`), "files")); diff != "" {
			t.Errorf("seed %d, grep: git (-), helve (+)\n%s", seed, diff)
		}
		// The same from a directory of the repository that is not ignored itself.
		for _, sub := range []string{"a", "b", "lib"} {
			below := slices.DeleteFunc(slices.Clone(want), func(name string) bool { return !strings.HasPrefix(name, sub+"/") })
			if len(below) == 0 {
				continue
			}
			t.Setenv("HELVE_ROOT", filepath.Join(dir, sub))
			for i := range below {
				below[i] = strings.TrimPrefix(below[i], sub+"/")
			}
			if diff := cmp.Diff(below, paths(t, inProcess(t, "find", `{"type":"file","depth":1000,"limit":100000}`), "matches")); diff != "" {
				t.Errorf("seed %d, from %s: git (-), helve (+)\n%s", seed, sub, diff)
			}
		}
	}
	if ignored < 100 || kept < 100 {
		t.Errorf("%d files ignored, %d kept", ignored, kept)
	}
}

// TestSearchMatchesAsRipgrep compares with ripgrep --sort path which lines match,
// and in which order.
func TestSearchMatchesAsRipgrep(t *testing.T) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("no rg")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	matched := 0
	for seed := range uint64(6) {
		r := planter{rand.New(rand.NewPCG(seed, 43))}
		dir := here(t, cmdtest.Workspace(t))
		r.plant(t, dir)
		if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("HELVE_ROOT", dir)
		for range 25 {
			args := map[string]any{"pattern": r.pattern(2), "limit": 10_000, "max_bytes": 4 << 20, "total": true, "context": 0}
			flags := []string{"--no-config", "--hidden", "-g", "!/.git", "--sort=path", "-n", "--no-heading", "--null", "-H"}
			for name, flag := range map[string]string{"ignore_case": "-i", "word": "-w", "literal": "-F", "no_ignore": "--no-ignore"} {
				if r.IntN(4) == 0 {
					args[name] = true
					flags = append(flags, flag)
				}
			}
			c := exec.Command(rg, append(flags, "-e", args["pattern"].(string), ".")...)
			c.Dir = dir
			out, err := c.Output()
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ExitCode() == 2 {
				continue // ripgrep does not accept the pattern
			}
			want := []string{}
			for line := range bytes.Lines(out) {
				want = append(want, strings.TrimPrefix(strings.TrimSuffix(string(line), "\n"), "./"))
			}
			text, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			a := inProcess(t, "grep", string(text))
			got := []string{}
			files, _ := a.Data["files"].([]any)
			if a.Data["relaxed"] != nil {
				files = nil // nothing matches as written
			}
			for _, f := range files {
				f := f.(map[string]any)
				for _, l := range f["lines"].([]any) {
					l := l.(map[string]any)
					got = append(got, f["path"].(string)+"\x00"+strconv.Itoa(int(l["line"].(float64)))+":"+l["text"].(string))
				}
			}
			slices.SortStableFunc(want, byPath)
			if diff := cmp.Diff(want, got); diff != "" || !a.OK {
				t.Fatalf("seed %d, %s, rg %q: ripgrep (-), helve (+)\n%s%+v", seed, text, flags, diff, a.Error)
			}
			matched += len(got)
		}
	}
	if matched < 1000 {
		t.Errorf("only %d lines matched", matched)
	}
}

// byPath sorts rows by the bytes of their path; ripgrep sorts name by name.
func byPath(a, b string) int {
	x, _, _ := strings.Cut(a, "\x00")
	y, _, _ := strings.Cut(b, "\x00")
	return strings.Compare(x, y)
}

// pattern returns a random regular expression.
func (r planter) pattern(depth int) string {
	if depth == 0 {
		return r.pick("foo", "bar", "return", "k", "s", `\w+`, `\s`, `\d`, ".", "[a-f]", "[^o]", "世", "größe", "é", "^", "$", `\.`, `\(x\)`, `\p{Han}`, `\S`)
	}
	switch r.IntN(5) {
	case 0:
		return "(" + r.pattern(depth-1) + "|" + r.pattern(depth-1) + ")"
	case 1:
		return "(?:" + r.pattern(depth-1) + ")" + r.pick("*", "+", "?", "{2}")
	}
	return r.pattern(depth-1) + r.pattern(depth-1)
}
