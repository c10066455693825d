package gitdir_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// TestTips finds the names that git lists, and those of HEAD and stashes.
func TestTips(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	run := func(line string) string {
		c := exec.Command("sh", "-ec", line)
		c.Dir = dir
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v %s", line, err, out)
		}
		return string(out)
	}
	run(`git init -q . && git config user.name a && git config user.email a && echo 1 > f && git add . && git commit -qm 1
git tag -am t tag && git branch deep/er && git pack-refs --all && git commit -qm 2 --allow-empty && git branch loose
echo 2 > f && git stash -q && echo 3 > f && git stash -q && git worktree add -q --detach wt && cd wt && git commit -qm 3 --allow-empty
cd .. && git fetch -q . loose`)
	want := strings.Fields(run(`git for-each-ref --format='%(objectname) %(*objectname)'; git stash list --format=%H; git -C wt rev-parse HEAD; git rev-parse HEAD FETCH_HEAD`))
	d, ok := gitdir.Above(dir)
	if !ok {
		t.Fatal("no repository")
	}
	got, ok := d.Tips()
	if !ok {
		t.Fatal("it is not known")
	}
	for _, id := range want {
		if !slices.Contains(got, id) {
			t.Errorf("%s is missing", id)
		}
	}
	for _, id := range got {
		if !slices.Contains(want, id) && !strings.Contains(run("git log --all --reflog --format=%H; git rev-parse ORIG_HEAD || :"), id) {
			t.Errorf("%s is none", id)
		}
	}
	if d.Rewrites() {
		t.Error("nothing is rewritten")
	}
	run("git replace HEAD HEAD~1")
	if !d.Rewrites() {
		t.Error("a replacement is not seen")
	}
	run("git pack-refs --all; rmdir .git/refs/replace || :")
	if !d.Rewrites() {
		t.Error("a packed replacement is not seen")
	}
	if err := os.Mkdir(filepath.Join(dir, ".git", "reftable"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, ok := d.Tips(); ok {
		t.Error("another form of names is read")
	}
}

func FuzzTips(f *testing.F) {
	f.Add([]byte("# pack-refs with: peeled\n0123456789012345678901234567890123456789 refs/heads/a\n^0123456789012345678901234567890123456789\n"))
	f.Add([]byte("0123456789012345678901234567890123456789\tnot-for-merge\tbranch"))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		for _, name := range []string{"packed-refs", "FETCH_HEAD", "logs/refs/stash"} {
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		tips, _ := gitdir.Of(dir, "").Tips()
		for _, id := range tips {
			if len(id) != 40 && len(id) != 64 {
				t.Errorf("%q is no id", id)
			}
		}
	})
}
