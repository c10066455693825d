//go:build unix

package track_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/track"
	"github.com/helve-dev/helve/pkg/workspace"
)

// world is a workspace that is tracked.
type world struct {
	track.Workspace
	t   *testing.T
	dir string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // else an ordinary user cannot remove it
		if out, err := shell(dir, "chmod -R u+rwx ."); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	return openWorld(t, dir, t.TempDir())
}

func openWorld(t *testing.T, dir, base string) *world {
	t.Helper()
	w, err := open(dir, base, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Root.Close() })
	return &world{w, t, dir}
}

// open opens a workspace. step is called before everything that reaches the disk.
func open(dir, base string, step func(string)) (w track.Workspace, err error) {
	w.Step = step
	if w.Root, err = workspace.Open(dir, workspace.Options{}); err != nil {
		return w, err
	}
	if w.State, err = state.Open(base, dir, state.Options{}); err != nil {
		return w, err
	}
	w.Journal = track.Journal(w.Root, w.State, func() []byte { return nil }, journal.Options{Step: step})
	return w, nil
}

// sh runs a script in the workspace, without settings of the person.
func (w *world) sh(script string) string {
	w.t.Helper()
	out, err := shell(w.dir, script)
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return out
}

func shell(dir, script string) (string, error) {
	c := exec.Command("sh", "-ec", script)
	c.Dir = dir
	c.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(dir), "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.c",
	}
	out, err := c.CombinedOutput()
	return string(out), err
}

// during runs a script as a command that is tracked.
func (w *world) during(script string) track.Report {
	w.t.Helper()
	run, err := w.Begin(context.Background(), journal.Author{Tool: "exec", Session: "s", Command: script})
	if err != nil {
		w.t.Fatal(err)
	}
	w.sh(script)
	report, err := run.End(context.Background())
	if err != nil {
		w.t.Fatalf("%s: %v", script, err)
	}
	for _, text := range report.Warnings {
		w.t.Errorf("%s: %s", script, text)
	}
	return report
}

// undo takes an entry back and returns the one that redoes it.
func (w *world) undo(id string) (redo string) {
	w.t.Helper()
	r, err := w.Journal.Undo(context.Background(), "s", journal.Selector{ID: id}, false)
	if err != nil {
		w.t.Fatalf("undo: %v", err)
	}
	for _, text := range r.Warnings {
		w.t.Errorf("undo: %s", text)
	}
	return r.ID
}

// look describes the workspace with programs that are not ours: names, kinds, modes,
// targets, bytes, and what git makes of them. What is not covered is left out.
func (w *world) look() []string {
	w.t.Helper()
	// Git says least of a file whose bytes and times it has seen, so they are summed.
	text := w.sh(`find . -path ./.git/objects -prune -o -path ./build -prune -o -path ./huge -prune -o -printf '%P %y %m %l\n' -type f -exec sha256sum {} +
! test -d .git || git status --porcelain=v2 --branch --show-stash`)
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return lines
}

// there and back again: a command is undone, redone and undone.
func (w *world) thereAndBack(before []string, script string) {
	w.t.Helper()
	report := w.during(script)
	after := w.look()
	if cmp.Equal(before, after) {
		w.t.Errorf("%s: changes nothing", script)
		return
	}
	if report.UndoID == "" {
		w.t.Errorf("%s: nothing was recorded: %s", script, cmp.Diff(before, after))
		return
	}
	redo := w.undo(report.UndoID)
	if diff := cmp.Diff(before, w.look()); diff != "" {
		w.t.Fatalf("%s: undone: %s", script, diff)
	}
	again := w.undo(redo)
	if diff := cmp.Diff(after, w.look()); diff != "" {
		w.t.Fatalf("%s: redone: %s", script, diff)
	}
	w.undo(again)
	if diff := cmp.Diff(before, w.look()); diff != "" {
		w.t.Fatalf("%s: undone again: %s", script, diff)
	}
}

// TestOutside says of a repository that lies outside of the workspace that undo does not
// cover it, if git recorded something there.
func TestOutside(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for _, c := range []struct{ name, setup, workspace, git string }{
		{"a subdirectory", "git init -q . && mkdir sub && echo a > sub/a && git add . && git commit -qm 1", "sub", ".git"},
		{"a work tree", "git init -q main && cd main && mkdir d && echo a > a && git add . && git commit -qm 1 && git worktree add -q ../wt", "wt", "main/.git/worktrees/wt"},
		{
			"a submodule", "git init -q one && cd one && echo a > a && git add . && git commit -qm 1 && cd .. && git init -q two && cd two && " +
				"git -c protocol.file.allow=always submodule --quiet add ../one sub && git commit -qm 1", "two/sub", "two/.git/modules/sub",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			above := newWorld(t)
			above.sh(c.setup)
			w := openWorld(t, filepath.Join(above.dir, c.workspace), t.TempDir())
			want := filepath.Join(above.dir, c.git)
			for _, one := range []struct {
				script string
				says   bool
			}{
				{"echo b > b", false},
				{"touch a; GIT_OPTIONAL_LOCKS=1 git status -s; git log -1", false}, // git writes its index
				{"git add b", true},
				{"git commit -qm 2", true},
				{"git branch topic", true},
				{"git tag v1", true},
				{"echo c > a; git stash -q", true},
				{"git config user.name other", true},
				{"git diff; git show; echo c > c", false},
			} {
				var got []string
				for _, g := range w.during(one.script).NotCovered {
					got = append(got, g.Path)
				}
				if one.says != slices.Equal(got, []string{want}) || !one.says && len(got) > 0 {
					t.Errorf("%s: %s", one.script, got)
				}
			}
		})
	}
}

// repository is a workspace with tracked, changed, staged, untracked and ignored files,
// links, odd names and modes, and a file too large to be copied.
func repository(t *testing.T) *world {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	w := newWorld(t)
	w.sh(`git init -q -b main .
mkdir -p src/deep/er docs empty/inner 'odd names'
for i in 1 2 3 4 5 6 7 8 9; do echo "package a // $i" > src/f$i.go; echo "text $i" > docs/d$i.md; done
printf 'a,b\n1,2\n' > data.csv; printf '\000\001\002' > bin.dat; echo 'console.log(1)' > app.js; echo 'print(1)' > app.py
echo '#!/bin/sh' > run.sh; chmod 755 run.sh; ln -s run.sh link; ln -s nowhere dangling; ln -s src dirlink
echo deep > src/deep/er/file; echo x > 'odd names/a b'; printf x > "$(printf 'odd names/\377\n"')"; echo 'odd' > 'odd names/-n'
printf 'build/\n*.tmp\n.env\nhuge\n' > .gitignore
git add -A; git commit -qm one; echo more >> docs/d1.md; git commit -qam two; git branch other HEAD~1; git tag v1
git checkout -q other; echo other > other.txt; git add other.txt; git commit -qm other; git checkout -q main
echo dirty >> src/f1.go; echo staged > staged.txt; git add staged.txt; echo untracked > new.txt; mkdir untracked; echo u > untracked/u
mkdir build; echo o > build/out; echo secret > .env; chmod 600 .env; echo t > x.tmp; truncate -s 1G huge
chmod 750 docs; echo ro > readonly; chmod 444 readonly; mkdir closed; echo c > closed/c; chmod 555 closed`)
	return w
}
