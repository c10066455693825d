package walk_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace"
)

func root(t *testing.T, dir string) walk.Root {
	t.Helper()
	std, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { std.Close() })
	return walk.Std(std)
}

// grow writes a tree whose names are hard to order, and returns its files.
func grow(t *testing.T, dir string, r *rand.Rand) []string {
	t.Helper()
	names := []string{"a", "a-b", "a.b", "a b", "ab", "b", "B", "é", "a0", "~"}
	for range 60 {
		name := names[r.IntN(len(names))]
		for r.IntN(3) > 0 {
			name += "/" + names[r.IntN(len(names))]
		}
		full := filepath.Join(dir, name)
		if os.MkdirAll(filepath.Dir(full), 0o755) == nil {
			_ = os.WriteFile(full, nil, 0o644) // there may be a directory of that name
		}
	}
	for i := range 700 { // more than a batch, with a directory in the middle
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("m%03d", i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "m300-x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "m300-x", "f"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var files []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}

func TestOrdered(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2 {
		dir := t.TempDir()
		want := grow(t, dir, r)
		for kind, root := range all(t, dir) {
			w := walk.New(root, walk.Filter{})
			var got []string
			walk.Ordered(w, w.Start("."), walk.Visitor[string]{
				Visit: func(_ int, _ *walk.Handle, e walk.Entry) (string, bool) { return e.Path(), true },
				Emit:  func(p string) bool { got = append(got, p); return true },
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s:\n%s", kind, diff)
			}
			for _, n := range []int{1, 10, 300} {
				w, got := walk.New(root, walk.Filter{}), []string{}
				walk.Ordered(w, w.Start("."), walk.Visitor[string]{
					Visit: func(_ int, _ *walk.Handle, e walk.Entry) (string, bool) { return e.Path(), true },
					Emit:  func(p string) bool { got = append(got, p); return len(got) < n },
				})
				if diff := cmp.Diff(want[:n], got); diff != "" {
					t.Fatalf("%s, the first %d:\n%s", kind, n, diff)
				}
			}
		}
	}
}

func TestLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2 {
		dir := t.TempDir()
		want := grow(t, dir, r)
		slices.SortStableFunc(want, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
		for kind, root := range all(t, dir) {
			w := walk.New(root, walk.Filter{})
			got := []string{}
			walk.Levels{
				Take: func(_ int, _ *walk.Handle, e walk.Entry) bool { return e.Type == walk.File },
				Found: func(n walk.Names) {
					for _, e := range n.Append(nil) {
						got = append(got, e.Path())
					}
				},
				Level: func() bool { return true },
			}.Run(w, w.Start("."))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s:\n%s", kind, diff)
			}
		}
	}
}

// TestVanishing walks a tree that is being deleted.
func TestVanishing(t *testing.T) {
	dir := t.TempDir()
	for i := range 300 {
		if err := os.MkdirAll(filepath.Join(dir, fmt.Sprint(i%20), fmt.Sprint(i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	root := root(t, dir)
	var once sync.Once
	w := walk.New(root, walk.Filter{})
	walk.Levels{
		Take: func(int, *walk.Handle, walk.Entry) bool {
			once.Do(func() {
				for i := range 10 {
					if err := os.RemoveAll(filepath.Join(dir, fmt.Sprint(i))); err != nil {
						t.Error(err)
					}
				}
			})
			return true
		},
		Found: func(walk.Names) {},
		Level: func() bool { return true },
	}.Run(w, w.Start("."))
	if c := w.Counts(); c.Denied != 0 {
		t.Errorf("%+v", c)
	}
}

// TestRules checks where ignore files are found: above the start, in nested
// repositories, in info/exclude, in a submodule's directory, outside the root.
func TestRules(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		".gitignore": "*.log\n", ".git/info/exclude": "excluded\n", "a.log": "", "excluded": "", "kept": "",
		"sub/x.log": "", "sub/excluded": "", "sub/kept": "", "sub/.ignore": "!x.log\n",
		"nested/.git/HEAD": "", "nested/x.log": "", "nested/excluded": "",
		"module/.git": "gitdir: ../.git/modules/module\n", ".git/modules/module/info/exclude": "mod\n", "module/mod": "", "module/y.log": "",
		"global.tmp": "", "sub/outer": "", "sub/outside": "", ".helveignore": "helved\n", ".ignore": "!helved\n", "helved": "",
	} {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	filter := walk.Filter{Global: []byte("*.tmp\n"), Repository: files.GitRules, Above: []walk.Above{{Prefix: "here", Content: []byte("/here/sub/outside\n")}}}
	list := func(start string) string {
		w := walk.New(root(t, dir), filter)
		var got []string
		walk.Ordered(w, w.Start(start), walk.Visitor[string]{
			Visit: func(_ int, _ *walk.Handle, e walk.Entry) (string, bool) { return e.Path(), true },
			Emit:  func(p string) bool { got = append(got, p); return true },
		})
		return strings.Join(got, " ")
	}
	for start, want := range map[string]string{
		".":      "kept module/y.log nested/excluded nested/x.log sub/kept sub/outer sub/outside sub/x.log",
		"sub":    "sub/kept sub/outer sub/outside sub/x.log",
		"nested": "nested/excluded nested/x.log",
		"module": "module/y.log",
	} {
		if diff := cmp.Diff(want, list(start)); diff != "" {
			t.Errorf("from %s:\n%s", start, diff)
		}
	}
	// If the root is not a repository, the rules from above it apply.
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	if got := list("sub"); got != "sub/excluded sub/kept sub/outer sub/x.log" {
		t.Error(got)
	}
}

// TestPanic checks that a panic of a worker reaches the caller and that no other
// worker waits forever.
func TestPanic(t *testing.T) {
	dir := t.TempDir()
	grow(t, dir, rand.New(rand.NewPCG(1, 3)))
	for kind, root := range all(t, dir) {
		w := walk.New(root, walk.Filter{})
		func() {
			defer func() {
				if why := recover(); why != "boom" {
					t.Errorf("%s: %v", kind, why)
				}
			}()
			walk.Ordered(w, w.Start("."), walk.Visitor[bool]{
				Visit: func(int, *walk.Handle, walk.Entry) (bool, bool) { panic("boom") },
				Emit:  func(bool) bool { return true },
			})
		}()
	}
}

// TestMostProblems reports more problems than are kept.
func TestMostProblems(t *testing.T) {
	w := walk.New(root(t, t.TempDir()), walk.Filter{})
	for i := range 7 {
		w.Report(fmt.Sprint(9-i), os.ErrPermission)
	}
	c := w.Counts()
	var paths []string
	for _, p := range c.Problems {
		paths = append(paths, p.Path)
	}
	if diff := cmp.Diff([]string{"3", "4", "5", "6", "7"}, paths); diff != "" || c.Denied != 7 {
		t.Errorf("denied %d\n%s", c.Denied, diff)
	}
}
