package built_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/helve-dev/helve/pkg/search/built"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Of output, git says that it ignores it and tracks nothing in it.
func TestOutput(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v %s", args, err, out)
		}
	}
	root := func(at string) *workspace.Root {
		t.Helper()
		r, err := workspace.Open(filepath.Join(dir, at), workspace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close() })
		return r
	}
	for _, name := range []string{
		"dist/a/b.js", "build/kept.txt", "target/x", "web/node_modules/m/i.js", "web/dist/x", "src/a.go", "private/notes", "private/build/y",
		"out/repo/.git/HEAD", "out/repo/z", "out/w", "obj/x",
	} {
		put(name, "x")
	}
	put(".gitignore", "/dist/\nbuild\nnode_modules/\nprivate\nout\n")
	put("web/.gitignore", "!dist\n")
	if built.Output(root("."), nil, "dist/a") {
		t.Error("git does not rule here: there is no repository")
	}
	git("init", "-q")
	git("add", "-f", "src", "build/kept.txt")
	put(".git/info/exclude", "target\n")
	for _, c := range []struct {
		rel  string
		want bool
	}{
		{"dist", true}, {"dist/a", true}, {"dist/a/b.js", true}, {"dist/gone", true}, {"target/x", true}, {"web/node_modules", true}, {"web/node_modules/m/i.js", true},
		{"private/build/y", true},                   // git ignores all of private
		{"private/notes", false},                    // but that is no name of output
		{"build", false}, {"build/kept.txt", false}, // tracked
		{"web/dist", false}, {"src/a.go", false}, {"obj", false}, {".", false}, {"gone/dist", false},
		{"out/w", true}, {"out/repo/z", false}, // somebody's repository
	} {
		if got := built.Output(root("."), nil, c.rel); got != c.want {
			t.Errorf("%s: %v", c.rel, got)
		}
	}
	if !built.Output(root("."), []byte("obj"), "obj/x") {
		t.Error("the person's own rules count")
	}
	// However git writes its index: where it cannot be read alone, nobody knows.
	for form, want := range map[string]bool{"--index-version=4": true, "--index-version=3": true, "--split-index": false} {
		git("update-index", "--index-version=2", "--no-split-index")
		git("update-index", form)
		if got := built.Output(root("."), nil, "dist"); got != want {
			t.Errorf("%s: %v", form, got)
		}
		if built.Output(root("."), nil, "build") {
			t.Errorf("%s: build is tracked", form)
		}
	}
	git("update-index", "--no-split-index")
	// In a part of the repository.
	for rel, want := range map[string]bool{"node_modules/m": true, "dist/x": false} {
		if got := built.Output(root("web"), nil, rel); got != want {
			t.Errorf("below web, %s: %v", rel, got)
		}
	}
	// A link is no directory of output, wherever it leads.
	if err := os.Symlink("../src", filepath.Join(dir, "web", "build")); err != nil {
		t.Skip("no links")
	}
	if built.Output(root("."), nil, "web/build") {
		t.Error("a link is what somebody made")
	}
}
