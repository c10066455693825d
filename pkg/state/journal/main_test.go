package journal

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// The test binary is also the process that is killed: with childEnv set it does
// one job on a workspace and ends itself where the job's arguments say.
const childEnv = "JOURNAL_TEST_CHILD"

// killedAt begins the last words of a process that ends itself.
const killedAt = "killed at "

func TestMain(m *testing.M) {
	if job := os.Getenv(childEnv); job != "" {
		if err := runChild(job, os.Args[1], os.Args[2:]); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func runChild(job, dir string, args []string) error {
	j, d, err := openIn(dir, time.Minute)
	if err != nil {
		return err
	}
	switch job {
	case "crash", "recover":
		at, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		n := 0
		die := func(name string) {
			if n++; n == at {
				fmt.Print(killedAt, name)
				kill()
			}
		}
		j.opt.Step, d.step = die, die
		if job == "recover" {
			_, err = j.Recover(context.Background())
			return err
		}
		return cases[args[1]].run(j)
	case "edit":
		return addLine(j, "shared", args[0])
	}
	return fmt.Errorf("no job %q", job)
}

// kill ends the process as kill -9 does.
func kill() {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		panic(err)
	}
	select {}
}

// addLine is the read, change and write of an edit.
func addLine(j *Journal, path, line string) error {
	ctx := context.Background()
	tx, err := j.Begin(ctx, path)
	if err != nil {
		return err
	}
	data, err := j.tree.ReadFile(path)
	if err != nil {
		return err
	}
	_, err = tx.Apply(ctx, "edit", "s", Change{Op: Write, Path: path, Content: append(data, line+"\n"...), Expect: hash(data)})
	if err != nil {
		return err
	}
	return tx.Close()
}

func openIn(dir string, wait time.Duration) (*Journal, *disk, error) {
	ws := filepath.Join(dir, "ws")
	st, err := state.Open(filepath.Join(dir, "state"), ws, state.Options{LockWait: wait})
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(ws)
	if err != nil {
		return nil, nil, err
	}
	tree := &disk{root: root, step: func(string) {}, fail: map[string]error{}}
	return New(st, tree, Options{Snapshots: aside}), tree, nil
}

// child is a process that does a job in the same workspace.
func child(t *testing.T, dir, job string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	check(t, err)
	cmd := exec.Command(exe, append([]string{dir}, args...)...)
	cmd.Env = append(os.Environ(), childEnv+"="+job)
	return cmd
}

// bench is a workspace with its journal.
type bench struct {
	*Journal
	t    *testing.T
	dir  string // of workspace and state
	ws   string
	disk *disk
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir := t.TempDir()
	ws := filepath.Join(dir, "ws")
	check(t, os.Mkdir(ws, 0o755))
	j, d, err := openIn(dir, time.Minute)
	check(t, err)
	t.Cleanup(func() { d.root.Close() })
	return &bench{Journal: j, t: t, dir: dir, ws: ws, disk: d}
}

func (b *bench) path(name string) string { return filepath.Join(b.ws, filepath.FromSlash(name)) }

// put writes a file past the journal, as other programs do.
func (b *bench) put(name, data string) {
	b.t.Helper()
	check(b.t, os.MkdirAll(filepath.Dir(b.path(name)), 0o755))
	check(b.t, os.WriteFile(b.path(name), []byte(data), 0o644))
}

// do applies changes that must succeed.
func (b *bench) do(changes ...Change) Applied {
	b.t.Helper()
	applied, err := b.Apply(context.Background(), "test", "s", changes...)
	check(b.t, err)
	if len(applied.Warnings) > 0 {
		b.t.Errorf("warnings %v", applied.Warnings)
	}
	return applied
}

// undo takes back what must be possible.
func (b *bench) undo(sel Selector) Reverted {
	b.t.Helper()
	r, err := b.Undo(context.Background(), "s", sel, false)
	check(b.t, err)
	return r
}

func (b *bench) snapshot() map[string]string { return snapshot(b.t, b.ws) }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t testing.TB, err error, code fault.Code) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Errorf("error %v, want %s", err, code)
	}
}

func write(path, data string) Change { return Change{Op: Write, Path: path, Content: []byte(data)} }
