package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// TestGitIndex reads the index of repositories in the root and above it.
func TestGitIndex(t *testing.T) {
	ws, above := workspaceDir(t)
	const git = "/.git/HEAD = ref: refs/heads/x\n"
	for _, dir := range []string{"with", "empty", "odd", "large"} {
		tree(t, ws, dir+git, dir+"/.git/objects/", dir+"/.git/refs/")
	}
	tree(t, above, ".git/HEAD = ref: refs/heads/x\n", ".git/objects/", ".git/refs/", ".git/index = above")
	tree(t, ws, "with/.git/index = DIRC", "odd/.git/index/", "large/.git/index", "none/")
	if err := os.Truncate(filepath.Join(ws, "large/.git/index"), maxIndex+1); err != nil { // a hole
		t.Fatal(err)
	}
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, c := range []struct {
		top, want string
		ok        bool
	}{
		{"with", "DIRC", true}, {"empty", "", true}, {"odd", "", false}, {"large", "", false}, {"none", "", false}, {"..", "above", true},
	} {
		index, ok := r.GitIndex(c.top)
		if string(index) != c.want || ok != c.ok {
			t.Errorf("%s: %q, %t", c.top, index, ok)
		}
	}
}
