package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIgnoresAbove finds the ignore files of the repository round a workspace,
// also where that is a worktree, whose .git is a file.
func TestIgnoresAbove(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"main/.git/info/exclude": "excluded", "main/.gitignore": "top", "main/a/b/.gitignore": "below", "main/a/b/c/.gitignore": "its own",
		"main/.git/worktrees/w/commondir": "../..\n", "w/.git": "gitdir: ../main/.git/worktrees/w\n", "w/sub/x": "", "w/.gitignore": "of w",
		"none/.gitignore": "no repository", "none/d/x": "", "own/.git/HEAD": "", "own/.gitignore": "its own", "main/linked/d/x": "",
	} {
		full := filepath.Join(base, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	linked := filepath.Join(base, "main", "linked", ".gitignore")
	if err := os.Symlink(filepath.Join(base, "none", ".gitignore"), linked); err != nil {
		t.Logf("without a link: %v", err)
	}
	exclude := func(prefix string) IgnoreFile { return IgnoreFile{prefix, []byte("excluded"), true} }
	for dir, want := range map[string]struct {
		files []IgnoreFile
		top   string
	}{
		"main/a/b/c":    {[]IgnoreFile{exclude("a/b/c"), {"a/b/c", []byte("top"), false}, {"c", []byte("below"), false}}, "a/b/c"},
		"main/linked/d": {[]IgnoreFile{exclude("linked/d"), {"linked/d", []byte("top"), false}}, "linked/d"},
		"w/sub":         {[]IgnoreFile{exclude("sub"), {"sub", []byte("of w"), false}}, "sub"},
		"none/d":        {nil, ""},
		"own":           {nil, ""},
		"w":             {nil, ""},
	} {
		r, err := opened(filepath.Join(base, filepath.FromSlash(dir)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		files, top := r.IgnoresAbove()
		if diff := cmp.Diff(want.files, files); diff != "" || top != want.top {
			t.Errorf("%s: %q\n%s", dir, top, diff)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestGitRules reads what git keeps for a repository: in its top, outside of the root of
// which it is a linked worktree, and above the root.
func TestGitRules(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"main/.git/info/exclude": "excluded", "main/.git/config": "[core]\n\tignoreCase = TRUE\n", "main/d/x": "",
		"main/.git/worktrees/w/commondir": "../..\n", "w/.git": "gitdir: " + filepath.ToSlash(base) + "/main/.git/worktrees/w\n",
		"plain/.git/config": "[core]\nignorecase = true\n[core]\nignorecase = no\n[core \"x\"]\nignorecase = on\n", "none/x": "",
	} {
		full := filepath.Join(base, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		root, top, exclude string
		fold               bool
	}{
		{"main", ".", "excluded", true}, {"w", ".", "excluded", true}, {"main/d", "..", "excluded", true}, {".", "w", "excluded", true},
		{"plain", ".", "", false}, {"none", ".", "", false},
	} {
		r, err := opened(filepath.Join(base, filepath.FromSlash(test.root)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if exclude, fold := r.GitRules(test.top); string(exclude) != test.exclude || fold != test.fold {
			t.Errorf("%s, %s: %q, %v", test.root, test.top, exclude, fold)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}
