package effect

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/state/journal"
)

// TestSameAsRunning applies change sets and compares with what the same script does
// when it is simply run. Undo brings everything back.
func TestSameAsRunning(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"remove a tree", "rm -rf src", "delete src"},
		{"remove everything", "rm -rf -- *", "*"},
		{"remove files", "rm keep link 'odd name, with: comma\\and \"quotes\"' src/hard", "*"},
		{"append", "echo more >> numbers", "modify numbers"},
		{"rewrite in place", "sed -i s/50/fifty/ numbers; sed -i s/pack/back/ src/hard", "*"},
		{"modes", "chmod 600 keep; chmod -x script; chmod 700 src/sub", "mode keep, mode script, mode src/sub"},
		{"bytes and mode", "echo x >> script; chmod 600 script", "modify script"},
		{"new files", "echo a > new; printf '\\000' > new.bin; : > new.empty; mkdir -p n/m; echo b > n/m/o; ln -s o n/m/l; chmod 750 n", "create n, create new, create new.bin, create new.empty"},
		{"links", "ln -sf numbers link; ln -s x made; rm src/link; ln -s ../keep src/link", "modify link, create made, modify src/link"},
		{"a new hard link", "ln keep again", "create again"},
		{"rename a file", "mv numbers counted", "rename counted<numbers"},
		{"rename a tree", "mv src lib", "rename lib<src"},
		{"rename into a new directory", "mkdir d; mv keep d/", "create d, delete keep"},
		{"file to directory", "rm keep; mkdir keep; echo x > keep/x", "replace keep"},
		{"directory to file", "rm -r src; echo x > src", "replace src"},
		{"directory to link", "rm -r docs; ln -s src docs", "replace docs"},
		{"a directory anew", "rm -r docs; mkdir docs; echo one > docs/one; echo three > docs/three", "replace docs"},
		{"empty directories", "rmdir empty; mkdir -p a/b/c", "create a, delete empty"},
		{"large", "echo x >> large; cp large bigger", "create bigger, modify large"},
		{"came and went", "echo x > t; rm t; mkdir d; rmdir d; touch keep", ""},
		{"within what is kept", "rm src/sub/deep/x; echo y > src/sub/deep/y; rm src/bin", "delete src/bin, delete src/sub/deep/x, create src/sub/deep/y"},
		{"swap", "mv keep t; mv numbers keep; mv t numbers", "modify keep, modify numbers"},
		{"move out of what goes", "mv src/a.go a.go; rm -r src", "create a.go, delete src"},
		{"a repository", "rm -rf .git", "delete .git"},
		{"in a repository", "echo y >> .git/config; rm .git/hooks/pre-commit; echo z > .git/hooks/other; ln -s x .git/hooks/link; mv .git/HEAD .git/MOVED; mkdir .git/refs", "*"},
		{"a repository by another name", "mv .git git", "rename git<.git"},
		{"thousands of files", "for i in $(seq 1500); do echo $i > f$i; done", "*"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b, direct := newBench(t), newBench(t)
			before := b.tree()
			set, stage := b.preview(c.script)
			if d := cmp.Diff(before, b.tree()); d != "" {
				t.Fatalf("the preview changed the workspace: %s", d)
			}
			if !set.Obstacle.IsZero() {
				t.Fatal(set.Obstacle)
			}
			var got []string
			for _, ch := range set.Changes {
				line := string(ch.Op) + " " + ch.Path
				if ch.From != "" {
					line += "<" + ch.From
				}
				got = append(got, line)
			}
			if d := cmp.Diff(c.want, strings.Join(got, ", ")); c.want != "*" && d != "" {
				t.Errorf("%s\n%s", d, set.Text())
			}
			sha, err := stage.Keep(set)
			check(t, err)
			applied, err := b.commit(stage.ID, sha)
			check(t, err)
			if !applied.Undoable {
				t.Error("it cannot be undone")
			}
			direct.sh(c.script)
			if d := cmp.Diff(direct.tree(), b.tree()); d != "" {
				t.Errorf("not what running it does: %s", d)
			}
			if len(set.Changes) == 0 {
				return
			}
			after := b.tree()
			undone, err := b.journal.Undo(context.Background(), "s", journal.Selector{}, false)
			check(t, err)
			if d := cmp.Diff(before, b.tree()); d != "" {
				t.Errorf("undone: %s", d)
			}
			_, err = b.journal.Undo(context.Background(), "s", journal.Selector{ID: undone.ID}, false)
			check(t, err)
			if d := cmp.Diff(after, b.tree()); d != "" {
				t.Errorf("redone: %s", d)
			}
			if d := cmp.Diff(0, attributes(t, b.dir)); d != "" {
				t.Errorf("what the kernel keeps for itself is left: %s", d)
			}
		})
	}
}

// TestOtherFileSystem has the state on another file system, so that nothing can be
// renamed to it.
func TestOtherFileSystem(t *testing.T) {
	shm, err := os.MkdirTemp("/dev/shm", "effect-") //nolint:usetesting // the file system matters
	if err != nil {
		t.Skip("no second file system: ", err)
	}
	t.Cleanup(func() { check(t, os.RemoveAll(shm)) })
	b := newBenchAt(t, filepath.Join(shm, "ws"))
	direct := newBench(t)
	before := b.tree()
	const script = "rm -rf src; mv docs papers; rm -r shut; mkdir shut; echo x > shut/y; mkdir -p n/m; echo z > n/m/z; ln -s z n/m/l; chmod 710 n/m; cp large larger; echo x >> large"
	set, stage := b.preview(script)
	if !set.Obstacle.IsZero() {
		t.Fatal(set.Obstacle)
	}
	sha, err := stage.Keep(set)
	check(t, err)
	_, err = b.commit(stage.ID, sha)
	check(t, err)
	direct.sh(script)
	ours := func(b *bench) map[string]string {
		all := b.tree()
		maps.DeleteFunc(all, func(name, _ string) bool { return strings.HasPrefix(name, ".helve") })
		return all
	}
	if d := cmp.Diff(ours(direct), ours(b)); d != "" {
		t.Error(d)
	}
	_, err = b.journal.Undo(context.Background(), "s", journal.Selector{}, false)
	check(t, err)
	if d := cmp.Diff(before, ours(b)); d != "" {
		t.Error(d)
	}
	// What can no longer be undone is removed.
	old := time.Now().Add(-24 * time.Hour)
	snapshots := filepath.Join(b.dir, ".helve/shelf")
	entries, err := os.ReadDir(snapshots)
	check(t, err)
	for _, e := range entries {
		check(t, os.Chtimes(filepath.Join(snapshots, e.Name()), old, old))
	}
	_, err = b.journal.Clear(context.Background(), "")
	check(t, err)
	if entries, err = os.ReadDir(snapshots); err != nil || len(entries) != 1 || entries[0].Name() != ".gitignore" {
		t.Errorf("%v %v", entries, err)
	}
}

// attributes counts the attributes that overlays use.
func attributes(t *testing.T, dir string) int {
	t.Helper()
	out, err := exec.Command("getfattr", "-R", "-h", "-d", "-m", "overlay", dir).Output()
	if err != nil {
		return 0 // there is no such program
	}
	return strings.Count(string(out), "overlay")
}

// TestDrift changes something of what was previewed before it is applied.
func TestDrift(t *testing.T) {
	for _, c := range []struct{ name, script, meanwhile string }{
		{"a file in what goes", "rm -rf src", "echo x >> src/sub/deep/x"},
		{"a new file in what goes", "rm -rf src", "touch src/new"},
		{"a mode in what goes", "rm -rf src", "chmod 600 src/sub/deep/x"},
		{"the file", "echo x >> keep", "echo y >> keep"},
		{"the file is gone", "rm keep", "rm keep"},
		{"the mode", "chmod 600 keep", "chmod 700 keep"},
		{"something came", "echo x > new", "echo y > new"},
		{"a link", "ln -sf numbers link", "ln -sf script link"},
		{"a directory came", "mkdir d", "mkdir d"},
		{"the target of a rename", "mv numbers counted", "touch counted"},
		{"the source of a rename", "mv src lib", "touch src/new"},
		{"another kind", "rm keep", "rm keep; mkdir keep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			set, stage := b.preview(c.script)
			sha, err := stage.Keep(set)
			check(t, err)
			b.sh(c.meanwhile)
			before := b.tree()
			if _, err := b.commit(stage.ID, sha); !fault.Is(err, fault.ApprovalStale) {
				t.Errorf("%v", err)
			}
			if d := cmp.Diff(before, b.tree()); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestObstacles previews what cannot be applied.
func TestObstacles(t *testing.T) {
	for script, want := range map[string]string{
		"mkfifo pipe":           "pipe",
		"chmod 700 .git/config": ".git/config",
		"umask 0777; echo x > new; umask 0333; echo x > newer": "unreadable",
		"chmod g+s docs": "setgid",
		"chmod 0 keep":   "unreadable",
		"mkdir d && echo x > d/x && chmod 0 d/x && chmod 0 d": "unreadable",
		"mkdir .helve": ".helve",
	} {
		b := newBench(t)
		set, _ := b.preview(script)
		if !strings.Contains(set.Obstacle.In(fault.English), want) || len(set.Changes) == 0 {
			t.Errorf("%s: %v %s", script, set.Obstacle, set.Text())
		}
	}
}

// TestKept keeps a change set for as long as somebody may decide about it.
func TestKept(t *testing.T) {
	b := newBench(t)
	set, stage := b.preview("rm -rf src; echo x > new")
	sha, err := stage.Keep(set)
	check(t, err)
	stale := func(id, sha string) {
		t.Helper()
		if _, _, err := Open(b.state, id, sha); !fault.Is(err, fault.ApprovalStale) {
			t.Errorf("%v", err)
		}
	}
	stale(stage.ID, sum(nil))
	stale("NOSUCHPREVIEW", sha)
	stale("../../etc", sha)
	stale("", sha)
	b.now = b.now.Add(approval.Lifetime - time.Minute)
	other, err := NewStage(b.state)
	check(t, err)
	if _, _, err := Open(b.state, stage.ID, sha); err != nil {
		t.Error(err)
	}
	// What is moved in must be what was shown.
	check(t, os.WriteFile(filepath.Join(stage.Preview.Upper, "new"), []byte("evil\n"), 0o644))
	before := b.tree()
	if _, err := b.commit(stage.ID, sha); !fault.Is(err, fault.ApprovalStale) {
		t.Errorf("%v", err)
	}
	if d := cmp.Diff(before, b.tree()); d != "" {
		t.Error(d)
	}
	check(t, other.Discard())
	b.now = b.now.Add(time.Hour)
	_, err = NewStage(b.state)
	check(t, err)
	stale(stage.ID, sha)
	dir, err := b.state.Directory(previews)
	check(t, err)
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
}

func TestText(t *testing.T) {
	set := &ChangeSet{}
	for i := range 500 {
		set.Changes = append(set.Changes, Change{Path: fmt.Sprint("f", i), Op: Create, After: Entry{Kind: File}})
	}
	set.Changes = append(set.Changes, Change{Path: "gone", Op: Delete, Before: Entry{Kind: File, Bytes: 7}},
		Change{Path: "to", From: "from", Op: Rename, Before: Entry{Kind: Directory}, After: Entry{Kind: Directory}})
	lines := strings.Split(set.Text(), "\n")
	if lines[0] != "delete  gone (7 bytes)" || !slices.Contains(lines, "… and 402 more") || len(lines) != 102 {
		t.Errorf("%q", lines)
	}
}
