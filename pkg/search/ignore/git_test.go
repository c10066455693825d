package ignore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search/ignore"
)

// TestGit compares with git: in random repositories with random ignore files,
// "git ls-files -o --exclude-standard" must list the files that are not ignored.
func TestGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	repositories := 40
	if testing.Short() {
		repositories = 10
	}
	for seed := range repositories {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			fold := seed%3 == 0
			g := generator{rand.New(rand.NewPCG(uint64(seed), 7)), fold}
			dir := t.TempDir()
			git(t, dir, "init", "-q")
			g.tree(t, dir)
			write(t, filepath.Join(dir, ".git/info/exclude"), g.rules())
			global := g.rules()
			excludes := filepath.Join(t.TempDir(), "excludes")
			write(t, excludes, global)

			want := strings.Split(strings.TrimRight(
				git(t, dir, "-c", "core.excludesFile="+excludes, "-c", fmt.Sprint("core.ignoreCase=", fold), "ls-files", "-o", "-z", "--exclude-standard"), "\x00"), "\x00")
			slices.Sort(want)
			got := list(t, dir, "", ignore.New(ignore.Parse([]byte(global)), ""), fold)
			slices.Sort(got)
			if len(got) == 0 {
				got = []string{""}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("git lists (-), we list (+):\n%s", diff)
				err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
					if d.Name() == ".gitignore" || strings.HasSuffix(p, "info/exclude") {
						b, _ := os.ReadFile(p)
						t.Logf("%s: %q", p[len(dir):], b)
					}
					return err
				})
				t.Log(err)
			}
		})
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "LC_ALL=C")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// list walks like a search: it does not enter ignored directories.
func list(t *testing.T, dir, rel string, s ignore.Stack, fold bool) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, rel))
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) *ignore.Rules {
		b, err := os.ReadFile(filepath.Join(dir, rel, name))
		if err != nil {
			return nil
		}
		return ignore.Parse(b)
	}
	d := ignore.Directory{Git: read(".gitignore")}
	if rel == "" {
		d.Repository, d.Exclude, d.Fold = true, read(".git/info/exclude"), fold
	} else {
		rel += "/"
	}
	s = s.Enter(len(rel), d)
	var found []string
	for _, e := range entries {
		name := rel + e.Name()
		switch {
		case e.Name() == ".git", s.Match(name, e.IsDir()):
		case e.IsDir():
			found = append(found, list(t, dir, name, s, fold)...)
		default:
			found = append(found, name)
		}
	}
	return found
}

type generator struct {
	*rand.Rand
	cases bool // write some letters of the rules in the other case
}

func (g generator) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g generator) name() string {
	if runtime.GOOS == "linux" && g.IntN(8) == 0 { // elsewhere names are text
		return g.pick("caf\xe9", `caf\xe9`, "\xff\xfe.c")
	}
	return g.pick("a", "b", "c", "foo", "bar", "foo.o", "a.c", "lib", "x.tab.c", "#x", "!y", "z z", "tr ", "é", "[b]", "a*", "q?", "-", "A", "7")
}

func (g generator) tree(t *testing.T, dir string) {
	for range 60 {
		name := g.name()
		for g.IntN(3) > 0 {
			name += "/" + g.name()
		}
		name = filepath.Join(dir, name)
		if os.MkdirAll(filepath.Dir(name), 0o755) != nil {
			continue // there is a file of that name
		}
		if _, err := os.Stat(name); err != nil {
			write(t, name, "x")
		}
		if g.IntN(8) == 0 {
			write(t, filepath.Join(filepath.Dir(name), ".gitignore"), g.rules())
		}
	}
}

func (g generator) rules() string {
	var b strings.Builder
	if g.IntN(10) == 0 {
		b.WriteString("\xef\xbb\xbf")
	}
	for range g.IntN(6) {
		b.WriteString(g.rule())
		b.WriteString(g.pick("\n", "\n", "\n", "\n", "\r\n", " \n", "\t\n", "\\ \n", "  \n", "\n\n"))
	}
	if g.IntN(3) == 0 {
		b.WriteString(g.rule())
	}
	return strings.Map(func(r rune) rune {
		if g.cases && g.IntN(3) == 0 && r < 0x80 && unicode.IsLetter(r) {
			r ^= 0x20
		}
		return r
	}, b.String())
}

func (g generator) rule() string {
	var b strings.Builder
	b.WriteString(g.pick("", "", "", "", "!", "!", "/", "!/", "#", `\#`, `\!`, "**/", " "))
	for range 1 + g.IntN(3) {
		for range 1 + g.IntN(2) {
			b.WriteString(g.pick(g.name(), g.name(), "*", "*", "?", "**", "*.o", "*.c", "*.tab.*", "[a-c]", "[!a-c]", "[^f]*", "f*", "*o",
				"[[:alpha:]]", "[[:digit:][:upper:]]", "[]a]", "[a", `[\]a]`, `\a`, `\`, "[a-]", "[z-a]", "[\xe0-\xef]", "??\xfe", "[[:bogus:]]", "[[:alpha]", "o*o", "*a*"))
		}
		b.WriteString(g.pick("", "", "", "/", "/", "/**/", "/**", "**/", "//"))
	}
	return b.String()
}
