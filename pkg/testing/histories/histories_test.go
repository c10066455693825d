package histories

import (
	"maps"
	"testing"
)

// TestState compares histories that differ in times alone, and in what they contain.
func TestState(t *testing.T) {
	const fork = `git init -qb main . && git config user.name a && git config user.email a@b.c && git commit -q --allow-empty -m base
git checkout -qb left; git commit -q --allow-empty -m left; git checkout -q main; `
	made := func(steps string) map[string]string {
		dir := t.TempDir()
		if out, err := runIn(dir, fork+steps, "GIT_AUTHOR_DATE=@1700000000 +0000", "GIT_COMMITTER_DATE=@1700000000 +0000"); err != nil {
			t.Fatal(err, out)
		}
		state, err := State(dir)
		if err != nil {
			t.Fatal(err)
		}
		return state
	}
	const right, join = "git commit -q --allow-empty -m right; ", "git merge -q --no-edit left; echo x > f; git add f; git stash -q"
	plain := made(right + join)
	for name, c := range map[string]struct {
		steps string
		same  bool
	}{
		"a later commit":       {"export GIT_COMMITTER_DATE='@1700000009 +0000'; " + right + join, true},
		"an earlier commit":    {"export GIT_COMMITTER_DATE='@1600000009 +0000'; " + right + join, true},
		"another subject":      {"git commit -q --allow-empty -m wrong; " + join, false},
		"no merge":             {right + "git commit -q --allow-empty -m \"Merge branch 'left'\"; echo x > f; git add f; git stash -q", false},
		"parents in the other": {right + "git branch -m main old; git checkout -qb main left; git merge -q -m \"Merge branch 'left'\" old; git branch -D old; echo x > f; git add f; git stash -q", false},
		"another stash":        {right + join + "; git stash pop -q; echo y > f; git stash -q", false},
		"no stash":             {right + join + "; git stash drop -q; echo -n", false},
	} {
		if got := made(c.steps); maps.Equal(plain, got) != c.same {
			t.Errorf("%s: the same is not %v: %v %v", name, c.same, plain, got)
		}
	}
}
