package lineage_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/track/lineage"
)

// git runs a command line in a directory and returns what it prints.
func git(t *testing.T, dir, line string) string {
	t.Helper()
	c := exec.Command("sh", "-ec", line)
	c.Dir = dir
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v %s", line, err, out)
	}
	return strings.TrimSpace(string(out))
}

const commit = "git -c user.name=a -c user.email=a commit -q --allow-empty -m "

// TestLineage tells what came before and between programs from what they brought in.
func TestLineage(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	kept, err := state.Open(t.TempDir(), dir, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := lineage.Record{State: kept, Root: dir}
	quiet, busy := func() bool { return true }, func() bool { return false }
	enter := func(q func() bool) {
		t.Helper()
		if err := r.Enter(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	leave := func() {
		t.Helper()
		if err := r.Leave(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	tip := func() string { return git(t, dir, "git rev-parse HEAD") }
	check := func(what string, want bool, ids ...string) {
		t.Helper()
		k, err := r.Known(quiet)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if slices.Contains(k.Tips, id) != want {
				t.Errorf("%s is known: %t", what, !want)
			}
		}
	}

	git(t, dir, "git init -q . && "+commit+"old && git reset -q --soft HEAD && "+commit+"gone && git reset -q --hard HEAD~1 && "+commit+"first")
	first, gone := tip(), git(t, dir, "git rev-parse HEAD@{2}")
	check("what is there at first", true, first, gone)
	enter(quiet)
	git(t, dir, commit+"brought && git branch side && git stash list")
	brought := tip()
	leave()
	check("what a program committed", false, brought)
	check("what was there", true, first, gone)

	git(t, dir, "git branch mine "+brought)
	enter(quiet)
	leave()
	check("another name for it", false, brought)

	git(t, dir, commit+"pulled && git pack-refs --all")
	pulled := tip()
	check("what came in between", true, pulled)
	enter(quiet)
	git(t, dir, commit+"one")
	one := tip()
	enter(busy)
	check("what came while another program ran", false, one)
	leave()
	leave()
	check("what came while another program ran", false, one)
	check("what came in between", true, pulled)

	// A program makes the repository.
	other := t.TempDir()
	if kept, err = state.Open(t.TempDir(), other, state.Options{}); err != nil {
		t.Fatal(err)
	}
	r = lineage.Record{State: kept, Root: other}
	enter(quiet)
	git(t, other, "git init -q . && "+commit+"own")
	leave()
	check("what is in a new repository", false, git(t, other, "git rev-parse HEAD"))

	if err := r.Lose(t.Context()); err != nil {
		t.Fatal(err)
	}
	git(t, other, commit+"unseen")
	enter(quiet)
	check("what came unseen", false, git(t, other, "git rev-parse HEAD"))

	v := lineage.Version{Path: "/a \"b\"\n", Blob: first}
	if err := r.Keep(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	if k, err := r.Known(quiet); err != nil || !k.Versions[v] {
		t.Errorf("versions are %v, %v", k.Versions, err)
	}
}
