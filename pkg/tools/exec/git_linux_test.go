package exec

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/testing/histories"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/track/lineage"
)

// gitBase and gitBranch make a history: other differs from main in six files that others
// obey, in two commits.
const (
	gitBase = `printf '/p.patch\n/m.mbox\n/wt\n' > .git/info/exclude
mkdir -p .github/workflows .vscode src; echo v1 > .github/workflows/ci.yml; echo v1 > lefthook.yml; echo v1 > .gitlab-ci.yml; echo stays > .vscode/tasks.json; echo 1 > src/a
git add . && git commit -qm A && git branch -M main`
	gitBranch = `git checkout -qb other; echo v2 > .github/workflows/ci.yml; git rm -q lefthook.yml; mkdir .husky; echo s > .vscode/settings.json; echo e > .envrc; printf '#!/bin/sh\n' > .husky/pre-push
chmod +x .husky/pre-push; ln -sf src/a .gitlab-ci.yml; git add . && git commit -qm B; echo v3 > .github/workflows/ci.yml; echo o > src/o; git add . && git commit -qm C
git format-patch -q --stdout HEAD~2 > m.mbox; git diff HEAD~2 > p.patch
git checkout -q main; echo 2 > src/a; git commit -qam D; echo v4 > .github/workflows/ci.yml; git stash -q`
)

// gitNames are the files of gitBranch that others obey.
var gitNames = []string{".envrc", ".github/workflows/ci.yml", ".gitlab-ci.yml", ".husky/pre-push", ".vscode/settings.json", "lefthook.yml"}

// gitCommands are commands that move a working tree, with the files that they change of what
// others obey.
var gitCommands = []struct {
	command string
	changes []string
}{
	{"git checkout -q other", gitNames},
	{"git switch -q other", gitNames},
	{"git merge -q --no-edit other", gitNames},
	{"git rebase -q other", gitNames},
	{"git stash pop -q", gitNames[1:2]},
	{"git reset -q --hard other", gitNames},
	{"git cherry-pick main..other", gitNames},
	{"git checkout -q other && git revert --no-edit HEAD", gitNames},
	{"git restore --source=other -- .", gitNames},
	{"git restore --source=other -- .github src", gitNames[1:2]},
	{"git checkout -q other -- .vscode", gitNames[4:5]},
	{"git worktree add -q wt other", in("wt", slices.Clone(gitNames[:5]))},
	{"git am -q m.mbox", gitNames},
	{"git apply p.patch", gitNames},
	{"git stash -q -u", nil},
	{"git switch -q -c new && git reset -q --hard other~1", gitNames},
}

// all has TestGitMoves run every command in every kind of sandbox, instead of a sample.
var all = flag.Bool("all", false, "run whole tables instead of samples of them")

const sampled = 7

func in(dir string, names []string) []string {
	for i, name := range names {
		names[i] = filepath.Join(dir, name)
	}
	slices.Sort(names)
	return names
}

// gitState is all of a repository that a command of git may change.
func gitState(t *testing.T, dir string) map[string]string {
	t.Helper()
	state, err := histories.State(dir)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// plainGit runs a command line without helve.
func plainGit(t *testing.T, dir, line string) {
	t.Helper()
	if out, err := histories.Run(dir, line); err != nil {
		t.Logf("%s: %v %s", line, err, out)
	}
}

// gitTwins makes a repository and its twin. With session, a command of helve's brought
// the branch in.
func gitTwins(t *testing.T, kind string, session bool) (call *tool.Call, dir, twin string) {
	t.Helper()
	call, dir = world(t, config.Exec{Sandbox: kind})
	if _, _, err := judge(t.Context(), call, Args{Command: "ls", Cwd: "."}); err != nil {
		t.Skip(err)
	}
	repository(t, dir, gitBase)
	kept, err := call.Env.State()
	if err != nil {
		t.Fatal(err)
	}
	if record := (lineage.Record{State: kept, Root: dir}); session {
		if err := record.Enter(t.Context(), func() bool { return true }); err != nil {
			t.Fatal(err)
		}
		plainGit(t, dir, gitBranch)
		if err := record.Leave(t.Context()); err != nil {
			t.Fatal(err)
		}
	} else {
		plainGit(t, dir, gitBranch)
	}
	twin = filepath.Join(t.TempDir(), "twin")
	if err := histories.Copy(dir, twin); err != nil {
		t.Fatal(err)
	}
	return call, dir, twin
}

// askedOf lists the files that others obey and that a judgement has a person asked about.
func askedOf(j *tool.Judgement) (asked []string) {
	for _, p := range j.Paths {
		if p.Obeyed {
			asked = append(asked, p.Path)
		}
	}
	slices.Sort(asked)
	return asked
}

// TestGitMoves runs commands of git that change what others obey: nothing of it is half
// done, and a person is asked about what the session brought in.
func TestGitMoves(t *testing.T) {
	t.Parallel()
	n := 0
	for _, kind := range []string{"namespaces", "landlock", "off"} {
		n++ // another sample of the commands for each
		for _, session := range []bool{false, true} {
			for i, c := range gitCommands {
				if n++; !*all && (i+n)%sampled != 0 {
					continue
				}
				name := kind + " " + c.command
				if session {
					name += " of the session"
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					call, dir, twin := gitTwins(t, kind, session)
					before := gitState(t, dir)
					j, _ := judged(t, call, Args{Command: c.command})
					want := c.changes
					if patch := strings.Contains(c.command, " am ") || strings.Contains(c.command, " apply "); !session && !patch {
						want = nil
					}
					if d := cmp.Diff(want, askedOf(j)); d != "" {
						t.Errorf("asked about: %s", d)
					}
					if d := cmp.Diff(before, gitState(t, dir)); d != "" {
						t.Errorf("judging changes: %s", d)
					}
					_, result := ran(t, call, c.command)
					plainGit(t, twin, c.command)
					if d := cmp.Diff(gitState(t, twin), gitState(t, dir)); d != "" {
						t.Errorf("%s\n%+v", d, result)
					}
				})
			}
		}
	}
}

// TestGitHistories runs random commands in random histories: whatever becomes of them, it is
// what git alone makes of them. With all, there are more.
func TestGitHistories(t *testing.T) {
	t.Parallel()
	seeds := []uint64{70, 198, 283} // with renames that only a merge follows
	for seed := range uint64(40) {
		if *all {
			seeds = append(seeds, seed)
		}
	}
	for _, seed := range seeds {
		for _, kind := range []string{"namespaces", "landlock"} {
			t.Run(fmt.Sprint(kind, " ", seed), func(t *testing.T) {
				t.Parallel()
				call, dir := world(t, config.Exec{Sandbox: kind})
				if _, _, err := judge(t.Context(), call, Args{Command: "ls", Cwd: "."}); err != nil {
					t.Skip(err)
				}
				m, err := histories.Make(dir, seed)
				if err != nil {
					t.Fatal(err)
				}
				twin := filepath.Join(t.TempDir(), "twin")
				if err := histories.Copy(dir, twin); err != nil {
					t.Fatal(err)
				}
				for range 4 {
					command := m.Command()
					_, result := ran(t, call, command)
					plainGit(t, twin, command)
					if d := cmp.Diff(gitState(t, twin), gitState(t, dir)); d != "" {
						t.Fatalf("%s: %s\n%+v", command, d, result)
					}
				}
			})
		}
	}
}

// TestGitBeside lets what commits have through beside another program, and nothing that the
// other program writes there.
func TestGitBeside(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"namespaces", "landlock"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			call, dir, twin := gitTwins(t, kind, false)
			const command = "git checkout -q other && sh p.patch"
			plant := func(script string) {
				if err := os.WriteFile(filepath.Join(dir, "p.patch"), []byte(script), 0o644); err != nil { // which git ignores
					t.Fatal(err)
				}
			}
			plant("echo x > /dev/null")
			if j, _ := judged(t, call, Args{Command: command}); len(askedOf(j)) > 0 {
				t.Errorf("asked about %v", askedOf(j))
			}
			_, result := ran(t, call, command)
			plainGit(t, twin, "git checkout -q other")
			if d := cmp.Diff(gitState(t, twin), gitState(t, dir)); d != "" {
				t.Errorf("%s\n%+v", d, result)
			}
			plainGit(t, dir, "git checkout -q main")
			plant("for f in " + strings.Join(gitNames, " ") + " .vscode/more; do rm -f $f; echo evil > $f; done; true")
			ran(t, call, command)
			for _, name := range append(slices.Clone(gitNames), ".vscode/more") {
				if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil && strings.Contains(string(text), "evil") {
					t.Errorf("%s was written", name)
				}
			}
		})
	}
}
