//go:build unix

package exec

import (
	"os"
	"os/exec"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
)

// repository makes the workspace of a call a repository by a script of shell commands.
func repository(t *testing.T, dir, script string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	setup := exec.Command("sh", "-ec", "git init -q . && git config user.name a && git config user.email a@b.c\n"+script)
	setup.Dir = dir
	setup.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := setup.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
}

// TestGitDiscards holds git to the rule about deleting: it depends on what is lost.
func TestGitDiscards(t *testing.T) {
	const (
		free   = "runs" // nothing is lost
		undone = "undo" // runs where undo is enough
		lost   = "asks" // undo cannot restore all, or nobody can tell
	)
	call, dir := world(t, config.Exec{})
	repository(t, dir, `mkdir -p kept work made ignored
for f in kept/a kept/b work/dirty work/clean large; do echo $f > $f; done; printf '#!/bin/sh\n' > kept/run; ln -s a kept/link; echo gone > gone
printf 'ignored\n*.log\n' > .gitignore
git add . && git commit -qm 1
echo more >> work/dirty; head -c 300000 /dev/zero > large; rm gone
echo new > made/new; echo x > ignored/x; echo l > kept/l.log; touch kept/b`)
	for _, c := range []struct{ command, want string }{
		{"git restore kept/a", free},
		{"git restore kept", free},
		{"cd kept && git restore a", free},
		{"cd kept && git restore .", lost}, // the cd may fail
		{"git checkout -- kept/a kept/b kept/run kept/link", free},
		{"git checkout kept/a", free},
		{"git checkout kept", free},
		{"git restore gone", free},
		{"git restore work/dirty", undone},
		{"git checkout work/dirty", undone},
		{"git checkout -q -- work", undone},
		{"git restore work kept", undone},
		{"git restore large", lost},
		{"git restore .", lost},
		{"git checkout -- .", lost},
		{"git reset --hard", lost},
		{"git clean -f kept", free},
		{"git clean -fd ignored", free},
		{"git clean -fd", undone},
		{"cd made; git clean -f", undone},
		{"git clean -fdx kept", lost},
		{"git clean -ffd kept", lost},
		{"git restore --source=HEAD kept/a", lost},
		{"git checkout HEAD -- kept/a", lost},
		{"git restore 'kept/*'", lost},
		{"git restore ':(top)kept'", lost},
		{"git restore $f", lost},
		{"git -C kept restore a", lost},
		{"echo x > kept/a; git restore kept/a", lost},
		{"cp work/dirty kept/a && git checkout kept/a", lost},
		{"git stash", free},
	} {
		for _, undoable := range []bool{false, true} {
			p, err := policy.New(nil, policy.Options{Undoable: undoable})
			if err != nil {
				t.Fatal(err)
			}
			call.Env.Policy = p
			j, _ := judged(t, call, Args{Command: c.command})
			if j.Unconfined {
				t.Skip("no sandbox")
			}
			asks := c.want == lost || c.want == undone && !undoable
			if d := decided(call, j); asks != (d.Verdict == policy.Ask) {
				t.Errorf("%s, undoable=%t: %s %v", c.command, undoable, d.Verdict, d.Reasons)
			}
		}
	}
}

// TestGitDiscardsUnusual asks where it cannot be told what git takes away.
func TestGitDiscardsUnusual(t *testing.T) {
	for name, script := range map[string]string{
		"no repository":          "rm -rf .git",
		"the tree is elsewhere":  "git config core.worktree ../x",
		"a directory in the way": "rm a && mkdir a && echo b > a/b",
		"a file in the way":      "rm -r d && echo x > d",
		"a link in the way":      "rm -r d && mkdir e && ln -s e d",
		"a conflict":             "git checkout -qb x && echo x > a && git commit -qam x && git checkout -q - && echo y > a && git commit -qam y && ! git merge -q x >/dev/null",
		"a repository within":    "mkdir sub && git -C sub init -q && cd sub && git -c user.name=a -c user.email=b commit -q --allow-empty -m 1 && cd .. && git -c advice.addEmbeddedRepo=false add sub",
		"an index of two":        "git update-index --split-index",
	} {
		call, dir := world(t, config.Exec{})
		repository(t, dir, "mkdir d && echo a > a && echo b > d/b && git add . && git commit -qm 1\n"+script)
		for _, command := range []string{"git restore a d", "git checkout -- .", "git reset --hard"} {
			j, _ := judged(t, call, Args{Command: command})
			if d := decided(call, j); d.Verdict != policy.Ask {
				t.Errorf("%s: %s: %s", name, command, d.Verdict)
			}
		}
	}
	// In another repository the index of the workspace says nothing.
	call, dir := world(t, config.Exec{})
	repository(t, dir, "echo a > a && git add . && git commit -qm 1 && mkdir sub && cd sub && git init -q && echo a > a && git add a && echo b > a")
	if j, _ := judged(t, call, Args{Command: "git restore a", Cwd: "sub"}); decided(call, j).Verdict != policy.Ask {
		t.Error("it goes by another index")
	}
}
