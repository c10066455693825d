package find

import (
	"bufio"
	"compress/gzip"
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// paths returns the paths of the files of a real repository.
func paths(t *testing.T, repository string) (all []string) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", repository+".txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		all = append(all, lines.Text())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// in returns a call in a workspace of empty files.
func in(t *testing.T, files []string) *tool.Call {
	t.Helper()
	dir := t.TempDir()
	made := map[string]bool{}
	for _, name := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if above := filepath.Dir(name); !made[above] {
			made[above] = true
			if err := os.MkdirAll(above, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return tool.NewCall(&tool.Env{Root: func() (*workspace.Root, error) { return root, nil }}, Tool, nil)
}

// TestQueries makes the calls of testdata/queries.tsv in trees of real repositories: the
// file that is meant is among the first five matches. Every second query was left alone
// while the ranks were made, so that one half tells how they do on what they never saw.
func TestQueries(t *testing.T) {
	const first = 5
	calls := map[string]*tool.Call{}
	for _, repository := range []string{"django", "prometheus", "three"} {
		calls[repository] = in(t, paths(t, repository))
	}
	content, err := os.ReadFile("testdata/queries.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var right, all [2]int
	var missed []string
	for i, line := range strings.Split(strings.TrimSpace(string(content)), "\n") {
		fields := strings.Split(line, "\t")
		repository, query, meant := fields[0], fields[2], fields[3]
		call := calls[repository]
		root, err := call.Env.Root()
		if err != nil {
			t.Fatal(err)
		}
		r, err := run(context.Background(), call, Args{
			Query: strings.Replace(query, "{root}", filepath.ToSlash(root.Dir()), 1), Path: ".", Hidden: true, Limit: first, Sort: "relevance",
		})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for m := range r.Matches {
			found = found || m.Path() == meant
		}
		all[i%2]++
		if found {
			right[i%2]++
		} else {
			missed = append(missed, line)
		}
	}
	t.Logf("found %d of %d, and of those that were held out %d of %d", right[0], all[0], right[1], all[1])
	if 100*(right[0]+right[1]) < 92*(all[0]+all[1]) || all[0]+all[1] < 100 {
		t.Errorf("found %d of %d; not %s", right[0]+right[1], all[0]+all[1], strings.Join(missed, "\n"))
	}
}

// TestRanks shows for each rank what it finds, and what it leaves out.
func TestRanks(t *testing.T) {
	call := in(t, []string{
		"src/file_state.py", "src/fileutil.py", "src/search.py", "src/user/UserService.ts", "src/user/service_test.ts", "webui/src/app.ts", "docs/guide.md",
		"a/b/c/d/e/f/g/h/i/j/k/l/m/n/deep.txt",
	})
	for _, test := range []struct {
		args Args
		want string
	}{
		{Args{Query: "src/search.py"}, "src/search.py:path"},
		{Args{Query: "user/UserService.ts"}, "src/user/UserService.ts:path"},
		{Args{Query: "service"}, "src/user/UserService.ts:name src/user/service_test.ts:name"},
		{Args{Query: "service user", Type: "file"}, "src/user/UserService.ts:words src/user/service_test.ts:words"},
		{Args{Query: "fileState"}, "src/file_state.py:parts"},
		{Args{Query: "user-service"}, "src/user/UserService.ts:parts src/user/service_test.ts:parts"},
		{Args{Query: "serach.py"}, "src/search.py:similar"},
		{Args{Query: "userService.js"}, "src/user/UserService.ts:similar"},
		{Args{Query: "lib/search.py"}, "src/search.py:similar"},
		{Args{Query: "deep"}, "a/b/c/d/e/f/g/h/i/j/k/l/m/n/deep.txt:name"},
		{Args{Query: "search.py:12"}, "src/search.py:name"},
		{Args{Query: `src\search.py`}, "src/search.py:path"},
		{Args{Query: "guide|search"}, "docs/guide.md:name src/search.py:name"},
		{Args{Query: `^search\.py$`}, "src/search.py:name"},
		{Args{Query: "file.*py"}, "src/file_state.py:name src/fileutil.py:name"},
		{Args{Query: "src/**/app.ts"}, "webui/src/app.ts:similar"},
		{Args{Glob: "src/app*"}, "webui/src/app.ts:similar"},
		{Args{Glob: "**/usersevice.ts"}, "src/user/UserService.ts:similar"},
		{Args{Glob: "*.md", Query: "search"}, ""},
		{Args{Query: "zzz"}, ""},
	} {
		test.args.Path, test.args.Hidden, test.args.Limit = ".", true, 100
		r, err := run(context.Background(), call, test.args)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for m := range r.Matches {
			got = append(got, m.Path()+":"+m.Hit)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%+v:\n got %s\nwant %s", test.args, s, test.want)
		}
	}
}

// TestRelative finds by absolute paths inside the workspace.
func TestRelative(t *testing.T) {
	call := in(t, []string{"src/a.go", "b.go"})
	root, err := call.Env.Root()
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{"src/a.go": "src/a.go", "*.go": "b.go src/a.go", "src/*": "src/a.go", ".": "b.go src src/a.go"} {
		for _, a := range []Args{{Query: root.Dir() + "/" + query}, {Glob: root.Dir() + "/" + query}} {
			if query == "." && a.Glob != "" {
				continue // a directory is no pattern
			}
			a.Path, a.Hidden, a.Limit = ".", true, 100
			r, err := run(context.Background(), call, a)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for m := range r.Matches {
				got = append(got, path.Clean(m.Path()))
			}
			if s := strings.Join(got, " "); s != want {
				t.Errorf("%+v: got %s, want %s", a, s, want)
			}
		}
	}
}

// TestFileSearch searches contents too, in usual directories, to the depth that it
// always had.
func TestFileSearch(t *testing.T) {
	deep := strings.Repeat("d/", fileSearchDepth-1)
	call := in(t, []string{"node_modules/wanted.js", ".venv/wanted.py", "out/wanted.o", "a/wanted.go", deep + "wanted.12", deep + "d/wanted.13", "text"})
	root, err := call.Env.Root()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root.Dir(), "text"), []byte("it is wanted here"), 0o600); err != nil {
		t.Fatal(err)
	}
	preset, err := tool.NewPreset(Tool, fileSearch, "", []byte(Tool.Presets[0].Fixed))
	if err != nil {
		t.Fatal(err)
	}
	call.Tool, call.Env.SearchSkip = preset, []string{"out"}
	args := preset.NewArgs().(*Args)
	if _, err := preset.Decode([]byte(`{"query":"wanted","type":"file"}`), args); err != nil {
		t.Fatal(err)
	}
	r, err := run(context.Background(), call, *args)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for m := range r.Matches {
		got = append(got, m.Path()+":"+m.Hit)
	}
	if want := "a/wanted.go:name " + deep + "wanted.12:name text:content"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if r.Skipped != (search.Skipped{Deeper: 1}) || len(r.NotEntered) != 4 {
		t.Errorf("%+v, %+v", r.Skipped, r.NotEntered)
	}
}
