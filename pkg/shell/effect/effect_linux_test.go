package effect

import (
	"context"
	"fmt"
	"io/fs"
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
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

var support = sandbox.Probe(sandbox.Cache{})

// bench is a workspace with its state.
type bench struct {
	t       *testing.T
	dir     string
	root    *workspace.Root
	state   *state.Dir
	journal *journal.Journal
	now     time.Time
}

const prepare = `
umask 022
mkdir -p src/sub/deep empty shut docs
echo 'package a' > src/a.go; printf '\000\001\377' > src/bin; ln -s a.go src/link; ln -s /nowhere src/dangling
echo deep > src/sub/deep/x; chmod 711 src/sub; chmod 640 src/a.go; ln src/a.go src/hard
seq 1 100 > numbers; echo keep > keep; echo run > script; chmod 755 script; ln -s keep link
echo one > docs/one; echo two > docs/two; printf 'no newline' > 'odd name, with: comma\and "quotes"'
mkdir -p .git/hooks; echo h > .git/hooks/pre-commit; chmod 755 .git/hooks/pre-commit; echo c > .git/config; echo h > .git/HEAD
head -c 3000000 /dev/zero > large; chmod 700 shut; echo s > shut/s
`

func newBench(t *testing.T) *bench {
	t.Helper()
	return newBenchAt(t, filepath.Join(t.TempDir(), "ws"))
}

func newBenchAt(t *testing.T, ws string) *bench {
	t.Helper()
	if !support.Namespaces {
		t.Skip("no namespaces: ", support.Reason)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	b := &bench{t: t, dir: ws, now: time.Now()}
	check(t, os.Mkdir(b.dir, 0o755))
	b.sh(prepare)
	b.root, err = workspace.Open(b.dir, workspace.Options{})
	check(t, err)
	t.Cleanup(func() { check(t, b.root.Close()) })
	b.state, err = state.Open(filepath.Join(dir, "state"), b.dir, state.Options{Now: func() time.Time { return b.now }})
	check(t, err)
	b.journal = journal.New(b.state, b.root.Tree(), journal.Options{Snapshots: func(dir string) (journal.Tree, error) {
		r, err := workspace.Open(dir, workspace.Options{})
		if err != nil {
			return nil, err
		}
		return r.Tree(), nil
	}})
	return b
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sh runs a script in the workspace itself.
func (b *bench) sh(script string) {
	b.t.Helper()
	c := exec.Command("bash", "-c", script)
	c.Dir = b.dir
	if out, err := c.CombinedOutput(); err != nil {
		b.t.Fatal(err, string(out))
	}
}

// preview runs a script on a copy of the workspace.
func (b *bench) preview(script string) (*ChangeSet, *Stage) {
	b.t.Helper()
	stage, err := NewStage(b.state)
	check(b.t, err)
	sb, err := sandbox.New(sandbox.Profile{
		Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: b.dir, Preview: &stage.Preview,
	}, support, sandbox.Namespaces)
	check(b.t, err)
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	check(b.t, err)
	defer null.Close()
	p, err := sb.Start(sandbox.Command{
		Path: "/bin/bash", Argv: []string{"bash", "-c", script}, Dir: b.dir, Env: []string{"PATH=/usr/bin:/bin"}, Stdin: null, Stdout: null, Stderr: null,
	})
	check(b.t, err)
	<-p.Done()
	_, err = p.Finish()
	check(b.t, err)
	set, err := stage.Collect(context.Background(), sb, b.root)
	check(b.t, err)
	return set, stage
}

// commit applies a change set that was kept.
func (b *bench) commit(id, sha string) (journal.Applied, error) {
	b.t.Helper()
	set, stage, err := Open(b.state, id, sha)
	if err != nil {
		return journal.Applied{}, err
	}
	tx, err := b.journal.Begin(context.Background(), set.Paths()...)
	check(b.t, err)
	defer func() { check(b.t, tx.Close()) }()
	changes, err := stage.Plan(set, b.root)
	if err != nil {
		return journal.Applied{}, err
	}
	return tx.Apply(context.Background(), "exec", "s", changes...)
}

// tree returns everything in the workspace.
func (b *bench) tree() map[string]string {
	b.t.Helper()
	all := map[string]string{}
	check(b.t, filepath.WalkDir(b.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text += " " + sum(data)
		case info.Mode()&fs.ModeSymlink != 0:
			text, err = os.Readlink(name)
		}
		rel, _ := filepath.Rel(b.dir, name)
		all[rel] = text
		return err
	}))
	return all
}

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
	shelf := filepath.Join(b.dir, ".helve/shelf")
	entries, err := os.ReadDir(shelf)
	check(t, err)
	for _, e := range entries {
		check(t, os.Chtimes(filepath.Join(shelf, e.Name()), old, old))
	}
	_, err = b.journal.Clear(context.Background(), "")
	check(t, err)
	if entries, err = os.ReadDir(shelf); err != nil || len(entries) != 1 || entries[0].Name() != ".gitignore" {
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

// TestTenThousand deletes and creates whole trees, which is one change each.
func TestTenThousand(t *testing.T) {
	b := newBench(t)
	b.sh("mkdir many; cd many; for d in $(seq 100); do mkdir $d; (cd $d; for f in $(seq 100); do echo $d $f > $f; done); done")
	before := b.tree()
	set, stage := b.preview("cp -a many copy; rm -rf many; echo x > copy/x")
	if len(set.Changes) != 2 || set.Changes[1].Before.Files != 10_100 || len(set.Changes[1].Inside) != 100 {
		t.Fatalf("%d changes: %s", len(set.Changes), set.Text())
	}
	if lines := strings.Count(set.Text(), "\n"); lines > 300 {
		t.Errorf("the preview has %d lines", lines)
	}
	sha, err := stage.Keep(set)
	check(t, err)
	_, err = b.commit(stage.ID, sha)
	check(t, err)
	after := b.tree()
	if len(after) != len(before)+1 {
		t.Errorf("%d entries, were %d", len(after), len(before))
	}
	_, err = b.journal.Undo(context.Background(), "s", journal.Selector{}, false)
	check(t, err)
	if d := cmp.Diff(before, b.tree()); d != "" {
		t.Error(d)
	}
}

// TestTextLimits reads files of the largest size that is shown and of one byte more,
// and previews more text than is shown and than is written.
func TestTextLimits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.sh("head -c 1048576 /dev/zero > most; head -c 1048577 /dev/zero > more")
	for name, want := range map[string]bool{"most": true, "more": false} {
		if _, ok, err := readText(b.root, name); err != nil || ok != want {
			t.Errorf("%s: %v %v", name, ok, err)
		}
	}
	b.sh("mkdir texts; for i in $(seq 33); do head -c 1048576 /dev/zero | tr '\\0' a | fold -w 100 > texts/$i; truncate -s 1048576 texts/$i; done")
	set, stage := b.preview("for f in texts/*; do tr a b < $f > t && cp t $f; done; rm t")
	diffs := 0
	for _, c := range set.Changes {
		diffs += len(c.Diff)
	}
	if diffs < 200<<10 || diffs > 257<<10 { // the last one may pass the limit by a line
		t.Errorf("%d bytes of diffs are kept", diffs)
	}
	if written := b.planned(set, stage)[journal.Write]; written != 32 {
		t.Errorf("%d files of 1 MiB are written", written)
	}
}

// planned counts the planned changes of the journal.
func (b *bench) planned(set *ChangeSet, stage *Stage) map[journal.Op]int {
	b.t.Helper()
	changes, err := stage.Plan(set, b.root)
	check(b.t, err)
	count := map[journal.Op]int{}
	for _, c := range changes {
		count[c.Op]++
	}
	return count
}

// TestChangeLimits deletes as many files as are kept on their own and one more, and
// creates as many as can be applied and one more.
func TestChangeLimits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.sh("mkdir many; cd many; seq 501 | xargs touch")
	for script, want := range map[string]int{"rm many/*; touch many/501": 500, "rm many/*": 0} {
		if set, stage := b.preview(script); b.planned(set, stage)[journal.Delete] != want {
			t.Errorf("%s: %d changes, %v", script, len(set.Changes), b.planned(set, stage))
		}
	}
	for script, applicable := range map[string]bool{"cd docs; seq 10000 | xargs touch": true, "cd docs; seq 10001 | xargs touch": false} {
		if set, _ := b.preview(script); set.Obstacle.IsZero() != applicable {
			t.Errorf("%s: %d changes, %v", script, len(set.Changes), set.Obstacle)
		}
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
