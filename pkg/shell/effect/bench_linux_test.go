package effect

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

var support = native.Probe(sandbox.Cache{})

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
	sb, err := native.New(sandbox.Profile{
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
