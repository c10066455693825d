//go:build unix

package track_test

import (
	"context"
	"os/exec"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/track"
	"github.com/helve-dev/helve/pkg/workspace"
)

// TestSurveys makes the surveys of one walk what a walk of their own finds, before a
// command and after it.
func TestSurveys(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	w := newWorld(t)
	w.Surveys = true
	w.sh(`git init -q; git init -q deep/nested; git init -q node_modules/dep; git init -q --bare bare.git; git init -q --bare build/bare.git
git init -q --separate-git-dir "$PWD/gd" apart; git commit -q --allow-empty -m x; git worktree add -q tree
mkdir -p a/b/.vscode node_modules/x/y/.vscode .github/workflows build/.idea build/x/y kept/k .hg/store .venv/bin .helve/x looks/objects looks/refs empty
touch a/b/.vscode/tasks.json .github/workflows/ci.yml build/.idea/x build/x/y/z .hg/hgrc .envrc kept/k/.npmrc .venv/bin/.bashrc looks/HEAD
printf 'build/\nkept/\n' > .gitignore; git add -f kept/k/.npmrc; ln -s a link; ln -s ../.git empty/.git`)
	check := func(when string, got workspace.Survey) {
		t.Helper()
		if diff := cmp.Diff(workspace.SurveyOf(w.dir), got); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	for _, script := range []string{
		"touch a/f", "mkdir node_modules/x/.vscode build/x/.cursor", "mkdir -p node_modules/x/y/z && touch node_modules/x/y/z/.envrc",
		"git init -q build/x/y/r", "rm looks/HEAD", "touch looks/HEAD", "rm -r build/bare.git/objects", "git init -q --bare bare2; mv deep shallow",
		"rm -r empty/.git && mkdir empty/.GIT", "mv .venv venv", "printf '' > .gitignore", "mkdir .venv && mv a .venv/", "git init -q .hg/store", "rm -rf build node_modules",
	} {
		w.settle()
		run, err := w.Begin(context.Background(), journal.Author{Tool: "exec"})
		if err != nil {
			t.Fatal(err)
		}
		check("before "+script, run.Survey())
		w.sh(script)
		now, err := run.Look(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		check("after "+script, now)
		if len(now.Obeyed) == 0 || len(now.Git) == 0 {
			t.Errorf("%s: %+v", script, now)
		}
		// What comes after the look counts as soon as it is forgotten.
		w.sh("touch later")
		run.Forget()
		report, err := run.End(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(report.Changes, track.Change{Path: "later", Action: track.Create}) {
			t.Errorf("%s: %+v", script, report.Changes)
		}
		w.sh("rm later")
	}
}
