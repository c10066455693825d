package exec

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/workspace"
)

// TestRepositoryOutside commits where git's directory is not in the workspace, and plants
// nothing there.
func TestRepositoryOutside(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const me = "-c user.name=a -c user.email=a -c protocol.file.allow=always"
	script := "cd " + base + " && export HOME=$PWD && git init -q main && cd main && mkdir sub && echo a > sub/f && git add . && git " + me + " commit -q -m m && " +
		"git worktree add -q ../linked && git init -q ../module && git -C ../module " + me + " commit -q --allow-empty -m m && git " + me + " submodule --quiet add ../module module"
	if out, err := exec.Command("sh", "-c", script).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	git := filepath.Join(base, "main", ".git")
	for dir, own := range map[string]string{"main/sub": git, "linked": filepath.Join(git, "worktrees", "linked"), "main/module": filepath.Join(git, "modules", "module")} {
		t.Run(dir, func(t *testing.T) {
			call, _ := world(t, config.Exec{})
			top := filepath.Join(base, dir)
			root, err := workspace.Open(top, workspace.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			kept, err := state.Open(t.TempDir(), top, state.Options{})
			if err != nil {
				t.Fatal(err)
			}
			call.Env.Root = func() (*workspace.Root, error) { return root, nil }
			call.Env.State = func() (*state.Dir, error) { return kept, nil }
			work := "git add . && git " + me + " commit -q -m more && echo y >> new && git " + me + " stash -q && git stash pop -q && git log -1 --format=%s"
			r, result := ran(t, call, "echo x > new && "+work)
			if !r.Kind.Confines() {
				t.Skip("no sandbox")
			}
			if result.ExitCode != 0 || result.Output != "more\n" {
				t.Errorf("%s", result.Output)
			}
			if writable := r.Writable(nil); !slices.Contains(writable, own) {
				t.Errorf("writable are %v", writable)
			}
			if _, r = judged(t, call, Args{Command: "rm -r new"}); r.mayRunGit() {
				t.Error("what runs no git cannot be previewed")
			}
			if _, r = judged(t, call, Args{Command: "git reset --hard"}); !r.mayRunGit() {
				t.Error("git is run on half a copy")
			}
			before, err := os.ReadFile(filepath.Join(git, "config"))
			if err != nil {
				t.Fatal(err)
			}
			hooks := filepath.Join(git, "hooks", "post-commit")
			plant := filepath.Join(top, "plant") // nobody sees what it does
			script := "echo evil > " + hooks + "; echo evil >> " + filepath.Join(git, "config") + "; git config core.fsmonitor evil; cp /bin/sh " + filepath.Join(own, "hooks") + "/post-commit"
			if err := os.WriteFile(plant, []byte(strings.ReplaceAll(script, ";", "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
			_, result = ran(t, call, "sh plant")
			if after, err := os.ReadFile(filepath.Join(git, "config")); err != nil || string(after) != string(before) {
				t.Errorf("the settings are %q, %v", after, err)
			}
			for _, planted := range []string{hooks, filepath.Join(own, "hooks", "post-commit")} {
				if _, err := os.Lstat(planted); err == nil {
					t.Errorf("%s was made: %s", planted, result.Output)
				}
			}
			if text, err := os.ReadFile(filepath.Join(own, "config")); err == nil && strings.Contains(string(text), "evil") {
				t.Errorf("its own settings are %q", text)
			}
		})
	}
}
