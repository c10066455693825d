package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// gitIn runs git without anybody's settings.
func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	c := exec.Command(path, append([]string{"-c", "protocol.file.allow=always", "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v %s", args, err, out)
	}
}

// TestSurvey finds everything in a tree with repositories of all kinds.
func TestSurvey(t *testing.T) {
	ws, _ := workspaceDir(t)
	gitIn(t, ws, "init", "-q", "../lib")
	gitIn(t, ws, "-C", "../lib", "commit", "-q", "--allow-empty", "-m", "x")
	gitIn(t, ws, "init", "-q")
	gitIn(t, ws, "commit", "-q", "--allow-empty", "-m", "x")
	gitIn(t, ws, "submodule", "--quiet", "add", filepath.Join(filepath.Dir(ws), "lib"), "sub")
	gitIn(t, ws, "worktree", "add", "-q", "tree")
	gitIn(t, ws, "init", "-q", "deep/nested")
	gitIn(t, ws, "init", "-q", "node_modules/dep")
	gitIn(t, ws, "init", "-q", "--bare", "bare.git")
	gitIn(t, ws, "init", "-q", "--separate-git-dir", filepath.Join(ws, "gd"), "apart")
	gitIn(t, ws, "config", "core.hooksPath", "my/hooks")
	tree(t, ws, ".envrc", "a/b/.vscode/tasks.json", "node_modules/x/.vscode/tasks.json", ".github/workflows/ci.yml", "my/hooks/", "a/.GIT/x", ".helve/x", "link -> a")
	s := SurveyOf(ws)
	rel := func(abs string) string {
		r, err := filepath.Rel(ws, abs)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.ToSlash(r)
	}
	var dirs, pointers []string
	for _, d := range s.Git {
		dirs = append(dirs, rel(d.Path))
	}
	for _, p := range s.Pointers {
		leads := p.Leads
		if leads != "" {
			leads = rel(leads)
		}
		pointers = append(pointers, p.Path+">"+leads)
	}
	want := "a/.GIT bare.git deep/nested/.git gd node_modules/dep/.git .git .git/modules/sub .git/worktrees/tree"
	if got, want := slices.Sorted(slices.Values(dirs)), slices.Sorted(strings.FieldsSeq(want)); !slices.Equal(got, want) || s.Partial {
		t.Errorf("git's directories are %q, want %q", got, want)
	}
	if want := "a/.GIT> apart/.git>gd sub/.git>.git/modules/sub tree/.git>.git/worktrees/tree"; strings.Join(pointers, " ") != want {
		t.Errorf("pointers are %q, want %q", pointers, want)
	}
	if want := ".envrc .github/workflows a/b/.vscode"; strings.Join(s.Obeyed, " ") != want {
		t.Errorf("obeyed are %q, want %q", s.Obeyed, want)
	}
	guarded := s.Guarded()
	for name := range strings.FieldsSeq(".git/hooks .git/config .git/config.worktree .git/commondir .git/info/attributes my/hooks .git/modules/sub/config .git/modules/sub/hooks deep/nested/.git/hooks bare.git/config gd/config gd/hooks") {
		if !slices.Contains(guarded, filepath.Join(ws, name)) {
			t.Errorf("%s is not among %q", name, guarded)
		}
	}
	// A directory below a repository has that one's.
	if s := SurveyOf(filepath.Join(ws, "a/b")); len(s.Git) == 0 || rel(s.Git[0].Path) != ".git" {
		t.Errorf("%+v", s)
	}
}

// TestPlantedInNewRepositories has git make repositories, which plants nothing, and
// then puts into them what would run.
func TestPlantedInNewRepositories(t *testing.T) {
	ws, _ := workspaceDir(t)
	gitIn(t, ws, "init", "-q", "../lib")
	gitIn(t, ws, "-C", "../lib", "commit", "-q", "--allow-empty", "-m", "x")
	lib := filepath.Join(filepath.Dir(ws), "lib")
	gitIn(t, ws, "init", "-q")
	gitIn(t, ws, "commit", "-q", "--allow-empty", "-m", "x")
	before := SurveyOf(ws)
	gitIn(t, ws, "init", "-q", "new")
	gitIn(t, ws, "clone", "-q", lib, "cloned")
	gitIn(t, ws, "clone", "-q", "--bare", lib, "bare.git")
	gitIn(t, ws, "worktree", "add", "-q", "tree")
	gitIn(t, ws, "submodule", "--quiet", "add", lib, "sub")
	gitIn(t, ws, "init", "-q", "--separate-git-dir", filepath.Join(ws, "gd"), "apart")
	gitIn(t, filepath.Join(ws, "tree"), "submodule", "--quiet", "add", lib, "own")
	none := func(string) bool { return false }
	if found := before.Planted(SurveyOf(ws), none); len(found) > 0 {
		t.Errorf("git planted %q", found)
	}
	tree(t, ws, "new/.git/hooks/post-checkout", "tree/.vscode/tasks.json", ".git/worktrees/tree/config.worktree = [core]fsmonitor=x", "x/.git = gitdir: /elsewhere", "y/.git -> ../gd", ".git/worktrees/tree/modules/own/config = [core]pager=x",
		"z/.GIT/config", ".git/modules/sub/hooks/pre-commit", "bare.git/config = [alias]x=!y", "cloned/.git/config = [broken", "e/HEAD = ref: refs/heads/x", "e/commondir = /elsewhere/common")
	found := before.Planted(SurveyOf(ws), none)
	want := []string{".git/worktrees/tree/modules/own/config", "new/.git/hooks/post-checkout", "tree/.vscode", ".git/worktrees/tree/config.worktree", "x/.git", "z/.GIT", ".git/modules/sub/hooks/pre-commit", "bare.git/config", "cloned/.git/config"}
	for i, name := range want {
		want[i] = filepath.Join(ws, name)
	}
	slices.Sort(want)
	if !slices.Equal(found, want) {
		t.Errorf("found %q,\nwant  %q", found, want)
	}
	// In a directory of the repository, what is new in the repository counts, too.
	below := Survey{Root: filepath.Join(ws, "new"), Git: before.Git}
	if found := below.Planted(SurveyOf(ws), none); !slices.Contains(found, filepath.Join(ws, ".git/modules/sub/hooks/pre-commit")) {
		t.Errorf("above the workspace: %q", found)
	}
	if found := before.Planted(SurveyOf(ws), func(string) bool { return true }); len(found) > 0 {
		t.Errorf("what is known is planted: %q", found)
	}
}

// TestPlantedSettings has what is no plain file where git reads one, and a directory of
// git's that shares the settings of another.
func TestPlantedSettings(t *testing.T) {
	for _, c := range []struct {
		name    string
		entries []string // ABOVE is the directory above
		want    string   // of what is found
	}{
		{"plain", []string{"new/.git/config = [core]\n\tbare = false\n"}, ""},
		{"a link for settings", []string{"new/.git/config -> ../settings", "new/settings"}, "new/.git/config"},
		{"a directory for settings", []string{"new/.git/config/"}, "new/.git/config"},
		{"a link for hooks", []string{"new/.git/hooks -> ../x", "new/x/"}, "new/.git/hooks"},
		{"a file for hooks", []string{"new/.git/hooks"}, "new/.git/hooks"},
		{"samples of hooks", []string{"new/.git/hooks/x.sample"}, ""},
		{"what was moved aside", []string{"new/.git/hooks/post-commit" + RefusedMark + "01234567"}, ""},
		{"settings elsewhere", []string{"new/.git/commondir = ABOVE/elsewhere"}, "new/.git/commondir"},
		{"steps of git's own", []string{"new/.git/rebase-merge/git-rebase-todo = pick 0123 x", "new/.git/sequencer/todo = pick 0123 x"}, ""},
		{"a step that runs", []string{"new/.git/rebase-merge/git-rebase-todo = exec sh x"}, "new/.git/rebase-merge/git-rebase-todo"},
		{"steps elsewhere", []string{"new/.git/rebase-merge -> ../x", "new/x/git-rebase-todo = pick 0123 x", "new/.git/sequencer -> ../x"}, "new/.git/rebase-merge new/.git/sequencer"},
		{"bare with links", []string{"o/", "b/HEAD = ref: refs/heads/x", "b/objects -> ../o", "b/refs -> ../o", "b/config = [core]fsmonitor=x"}, "b/config"},
		{"settings beside", []string{"new/.git/commondir = ../../common", "common/HEAD = ref: refs/heads/x", "common/objects/", "common/refs/"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ws, above := workspaceDir(t)
			tree(t, above, "elsewhere/HEAD = ref: refs/heads/x", "elsewhere/objects/", "elsewhere/refs/")
			tree(t, ws, "old/.git/HEAD = ref: refs/heads/x", "old/.git/objects/", "old/.git/refs/", "old/.git/rebase-merge/git-rebase-todo = exec the person's")
			before := SurveyOf(ws)
			tree(t, ws, "new/.git/HEAD = ref: refs/heads/x", "new/.git/objects/", "new/.git/refs/")
			for _, e := range c.entries {
				tree(t, ws, strings.ReplaceAll(e, "ABOVE", above))
			}
			var found []string
			for _, path := range before.Planted(SurveyOf(ws), func(string) bool { return false }) {
				found = append(found, strings.TrimPrefix(path, ws+"/"))
			}
			if got := strings.Join(found, " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestGuardedPointer guards the .git of a workspace that leads elsewhere; one that is a
// directory, or that is deeper, may move with what is in it.
func TestGuardedPointer(t *testing.T) {
	ws, _ := workspaceDir(t)
	tree(t, ws, "gd/HEAD = ref: refs/heads/x", "gd/objects/", "gd/refs/", "deep/.git = gitdir: ../gd")
	guarded := func(name string) bool { return slices.Contains(SurveyOf(ws).Guarded(), filepath.Join(ws, name)) }
	if guarded(".git") || guarded("deep/.git") || !guarded("gd/config") {
		t.Errorf("%q", SurveyOf(ws).Guarded())
	}
	tree(t, ws, ".git = gitdir: gd")
	if !guarded(".git") || guarded("deep/.git") {
		t.Errorf("%q", SurveyOf(ws).Guarded())
	}
}

// BenchmarkSurvey is of a tree with 20,000 files.
func BenchmarkSurvey(b *testing.B) {
	dir := b.TempDir()
	for d := range 1000 {
		sub := filepath.Join(dir, "d"+string(rune('a'+d%26)), "e"+string(rune('a'+d/26%26)), "f"+strings.Repeat("x", d/676))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			b.Fatal(err)
		}
		for f := range 20 {
			if err := os.WriteFile(filepath.Join(sub, "file"+strings.Repeat("y", f)+".go"), nil, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	for b.Loop() {
		SurveyOf(dir)
	}
}
