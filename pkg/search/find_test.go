package search_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/walk"
)

func TestFind(t *testing.T) {
	dir := tree(t, map[string]string{
		"Main.go": "package main", "lib/main_test.go": "x", "lib/deep/domain.txt": "", "lib/deep/z.txt": "the MAIN thing", "lib/größe.txt": "Main",
		"main/x": "", ".config/main": "", "out/main.o": "", ".gitignore": "out/\n", ".git/main": "", "a/b/c/d/e.go": "",
	})
	tests := []struct {
		name string
		o    search.FindOptions
		want string
	}{
		{"part of a name, the whole name first", search.FindOptions{Query: "MAIN"}, "main Main.go lib/main_test.go lib/deep/domain.txt"},
		{"hidden", search.FindOptions{Query: "main", Scope: search.Scope{Hidden: true}}, "main .config/main Main.go lib/main_test.go lib/deep/domain.txt"},
		{"not ignored", search.FindOptions{Query: "main", Scope: search.Scope{NoIgnore: true}}, "main Main.go out/main.o lib/main_test.go lib/deep/domain.txt"},
		{"file", search.FindOptions{Query: "main", Type: search.File}, "Main.go lib/main_test.go lib/deep/domain.txt"},
		{"dir", search.FindOptions{Query: "main", Type: search.Dir}, "main"},
		{"glob", search.FindOptions{Globs: []string{"**/*.go"}}, "Main.go lib/main_test.go a/b/c/d/e.go"},
		{"glob and name", search.FindOptions{Globs: []string{"*.{go,txt}"}, Query: "main"}, "Main.go lib/main_test.go lib/deep/domain.txt"},
		{"content", search.FindOptions{Query: "main", Content: true, Type: search.File}, "Main.go lib/main_test.go lib/deep/domain.txt lib/größe.txt:content lib/deep/z.txt:content"},
		{"depth", search.FindOptions{Query: "main", Scope: search.Scope{Depth: 2}}, "main Main.go lib/main_test.go"},
		{"from below", search.FindOptions{Query: "main", Scope: search.Scope{Path: "lib"}}, "lib/main_test.go lib/deep/domain.txt"},
		{"path", search.FindOptions{Query: "deep/d"}, "lib/deep/domain.txt:path"},
		{"not ASCII", search.FindOptions{Query: "GRÖSSE"}, "lib/größe.txt:similar"},
		{"not ASCII, in another case", search.FindOptions{Query: "GRÖßE"}, "lib/größe.txt"},
		{"./ and case", search.FindOptions{Query: "./LIB/Main_Test.go"}, "lib/main_test.go:path"},
		{"words", search.FindOptions{Query: "deep txt"}, "lib/deep/domain.txt:words lib/deep/z.txt:words"},
		{"parts", search.FindOptions{Query: "MainTest"}, "lib/main_test.go:parts"},
		{"slips", search.FindOptions{Query: "domian.txt"}, "lib/deep/domain.txt:similar"},
		{"one of two", search.FindOptions{Query: "domain.txt|z.txt"}, "lib/deep/domain.txt lib/deep/z.txt"},
		{"another directory", search.FindOptions{Query: "src/domain.txt"}, "lib/deep/domain.txt:similar"},
		{"nothing", search.FindOptions{Query: "quux"}, ""},
		{"nothing to look for", search.FindOptions{Query: "./", Type: search.Dir}, "a lib main a/b lib/deep a/b/c a/b/c/d"},
		{"offset", search.FindOptions{Type: search.Dir, Offset: 3, Limit: 2}, "a/b lib/deep"},
		{"offset with a query", search.FindOptions{Query: "main", Offset: 2, Limit: 1}, "lib/main_test.go"},
		{"by name", search.FindOptions{Query: "main", Sort: search.ByName}, "Main.go lib/deep/domain.txt main lib/main_test.go"},
		{"by size", search.FindOptions{Globs: []string{"*.txt", "*.go"}, Sort: search.BySize, Limit: 3}, "lib/deep/z.txt Main.go lib/größe.txt"},
		{"a glob below another directory", search.FindOptions{Globs: []string{"deep/*.TXT"}}, "lib/deep/domain.txt:similar lib/deep/z.txt:similar"},
		{"a glob with a slip", search.FindOptions{Globs: []string{"**/domian*"}}, "lib/deep/domain.txt:similar"},
		{"directories to skip", search.FindOptions{Query: "domain", Scope: search.Scope{Skip: []string{"deep"}}}, ""},
		{"a file", search.FindOptions{Query: "main", Scope: search.Scope{Path: "out/main.o"}}, "out/main.o"},
	}
	for kind, r := range roots(t, dir) {
		for _, test := range tests {
			got, err := search.Find(context.Background(), r, test.o)
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for m := range got.Matches {
				s := m.Path()
				if m.Hit != "name" {
					s += ":" + m.Hit
				}
				found = append(found, s)
				if m.Modified.IsZero() || m.Type == search.File && m.Path() == "Main.go" && m.Size != 12 {
					t.Errorf("%s: %+v", kind, m)
				}
			}
			if diff := cmp.Diff(test.want, strings.Join(found, " ")); diff != "" {
				t.Errorf("%s, %s:\n%s", kind, test.name, diff)
			}
			if got.Found != len(found) || !got.TotalExact || got.Truncated != (got.Total > test.o.Offset+len(found)) || test.o.Limit == 0 && got.Truncated {
				t.Errorf("%s, %s: %+v", kind, test.name, got)
			}
			if guessed := strings.Contains(test.want, "similar"); got.Guessed != guessed {
				t.Errorf("%s, %s: guessed is %v", kind, test.name, got.Guessed)
			}
		}
	}
	if _, err := search.Find(context.Background(), root(t, dir), search.FindOptions{Globs: []string{"[a"}}); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("%v", err)
	}
}

// TestFindLeft checks that the directories that were not entered are named.
func TestFindLeft(t *testing.T) {
	dir := tree(t, map[string]string{"out/x": "", "a/out/x": "", ".h/x": "", "a/b/c": "", "vendored/x": "", ".gitignore": "out/\n", ".git/x": ""})
	for kind, r := range roots(t, dir) {
		got, err := search.Find(context.Background(), r, search.FindOptions{Scope: search.Scope{Depth: 2, Skip: []string{"vendored"}}})
		if err != nil {
			t.Fatal(err)
		}
		want := []walk.Left{{Path: ".h", Why: walk.Hidden}, {Path: "out", Why: walk.Ignored}, {Path: "vendored", Why: walk.Skipped},
			{Path: "a/b", Why: walk.Deeper}, {Path: "a/out", Why: walk.Ignored}}
		if diff := cmp.Diff(want, got.Left); diff != "" || got.Skipped.Deeper != 1 {
			t.Errorf("%s: %+v\n%s", kind, got.Skipped, diff)
		}
	}
}

// TestFindLimit checks on random trees that a limit returns the first matches, with a
// query and without, when they are ordered by level and then by path.
func TestFindLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for round := range 6 {
		dir := forest(t, r, 100)
		o := search.FindOptions{Globs: []string{"*a*"}}
		if round%2 == 1 {
			o = search.FindOptions{Query: "a"}
		}
		o.Limit = 1000
		all, err := search.Find(context.Background(), root(t, dir), o)
		if err != nil {
			t.Fatal(err)
		}
		matches := slices.Collect(all.Matches)
		if round%2 == 0 && !slices.IsSortedFunc(matches, func(a, b search.Match) int {
			if d := strings.Count(a.Path(), "/") - strings.Count(b.Path(), "/"); d != 0 {
				return d
			}
			return strings.Compare(a.Path(), b.Path())
		}) || len(matches) != all.Found || all.Found == 0 {
			t.Errorf("%d of %d, or not in order", len(matches), all.Found)
		}
		for _, o.Limit = range []int{1, 3, 10} {
			few, err := search.Find(context.Background(), root(t, dir), o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(matches[:o.Limit], slices.Collect(few.Matches)); diff != "" || !few.Truncated || few.Total != all.Total {
				t.Errorf("%d of %d\n%s", few.Total, all.Total, diff)
			}
		}
	}
}

func TestList(t *testing.T) {
	dir := tree(t, map[string]string{"b": "1", "a/x": "", "a/y/z": "", "a-b/q": "", "a.txt": "", "c/d/e/f": "", ".h": "", ".git/x": "", "out/made/x": "", ".gitignore": "out\n"})
	if err := os.Symlink("a/x", filepath.Join(dir, "l")); err != nil && !isWindows() {
		t.Fatal(err)
	}
	list := func(o search.ListOptions) string {
		t.Helper()
		r, err := search.List(context.Background(), root(t, dir), o)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, e := range r.Entries {
			name := e.Path
			if e.Target != "" {
				name += ">" + e.Target
			}
			if e.Ignored {
				name += "(ignored)"
			}
			paths = append(paths, name)
		}
		return fmt.Sprint(strings.Join(paths, " "), " ", r.Total, r.Truncated)
	}
	for _, test := range []struct {
		o    search.ListOptions
		want string
	}{
		{search.ListOptions{}, "a a/y a/y/z a/x a-b a-b/q c c/d c/d/e c/d/e/f out(ignored) a.txt b l>a/x 14 false"},
		{search.ListOptions{Scope: search.Scope{Depth: 1, Hidden: true}}, ".git a a-b c out(ignored) .gitignore .h a.txt b l>a/x 10 false"},
		{search.ListOptions{Scope: search.Scope{Path: "out"}}, "out/made out/made/x 2 false"},
		{search.ListOptions{Scope: search.Scope{Path: ".git"}}, ".git/x 1 false"},
		{search.ListOptions{Limit: 8}, "a a/y a-b c out(ignored) a.txt b l>a/x 11 true"},
		{search.ListOptions{Scope: search.Scope{Path: "c"}}, "c/d c/d/e c/d/e/f 3 false"},
	} {
		if diff := cmp.Diff(test.want, list(test.o)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestDecoder searches files in Latin 1 with a decoder of the caller.
func TestDecoder(t *testing.T) {
	dir := tree(t, map[string]string{"latin": "caf\xe9\nother \xe9\n", "utf8": "café\n", "none": "cafe\n", "bad": "caf\xe9 \x81"})
	decode := func(sample []byte) (search.Part, bool) { return latin, !bytes.Contains(sample, []byte{0x81}) }
	for p, want := range map[string]string{
		"café":  "latin:1:café\nutf8:1:café\n",
		"other": "latin:2:other é\n",
		"^caf":  "bad:1:caf\uFFFD \uFFFD\nlatin:1:café\nnone:1:cafe\nutf8:1:café\n",
	} {
		if diff := cmp.Diff(want, text(grep(t, root(t, dir), search.GrepOptions{Pattern: p, Decode: decode}))); diff != "" {
			t.Errorf("%s:\n%s", p, diff)
		}
	}
}
