//go:build unix

package track_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
)

// The test binary is also the process that is killed: with childEnv set it runs a command
// in a workspace, or recovers, and ends itself at a step.
const (
	childEnv = "TRACK_TEST_CHILD"
	killedAt = "killed at "
)

func TestMain(m *testing.M) {
	if job := os.Getenv(childEnv); job != "" {
		if err := runChild(job, os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// runChild runs the parts of a command as one that is tracked; at is the step to end at.
func runChild(job, dir, base, at string, parts []string) error {
	left, err := strconv.Atoi(at)
	if err != nil {
		return err
	}
	if job == "shut" {
		return shuts(dir, base, left)
	}
	step := func(name string) {
		if left--; left == 0 {
			fmt.Print(killedAt, name)
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	w, err := open(dir, base, step)
	if err != nil {
		return err
	}
	if job == "recover" {
		_, err = w.Journal.Recover(context.Background())
		return err
	}
	if job == "narrow" {
		w.Most, w.Named = 20, []string{"docs/d2.md", "many/7", "new"}
	}
	run, err := w.Begin(context.Background(), journal.Author{Tool: "exec", Session: "s", Command: strings.Join(parts, "; ")})
	if err != nil {
		return err
	}
	for i, part := range parts {
		step(fmt.Sprintf("part %d", i+1))
		if out, err := shell(dir, part); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	_, err = run.End(context.Background())
	return err
}

// dies runs a child that is killed at a step and returns the name of the step; "" if the
// child had no so many.
func (w *world) dies(job, base string, step int, parts ...string) string {
	w.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	c := exec.Command(exe, append([]string{w.dir, base, strconv.Itoa(step)}, parts...)...)
	c.Env = append(os.Environ(), childEnv+"="+job)
	out, err := c.Output()
	if err == nil {
		return ""
	}
	name, ok := strings.CutPrefix(string(out), killedAt)
	if !ok {
		w.t.Fatalf("step %d of %s: %v: %s", step, job, err, out)
	}
	return name
}

// TestKilledAtEveryStep kills the process that tracks a command at every step, and some of
// the processes that recover from that. Whatever the command had changed until then is one
// entry, whose undo brings back what was.
func TestKilledAtEveryStep(t *testing.T) {
	w := repository(t)
	w.sh("rm docs/d9.md; chmod 700 src/f4.go; git rm -q --cached src/f5.go")
	kept, err := w.State.Path()
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Dir(kept)
	before := w.look()
	for _, parts := range [][]string{
		{"echo more >> docs/d2.md"},
		{"git commit -qam x; rm -r src; echo x > n", "mv docs d; chmod 700 empty; ln -s x l; rm .env; git gc -q"},
	} {
		for step := 1; ; step++ {
			where := w.dies("run", base, step, parts...)
			for again := 1; len(parts) > 1 && strings.HasPrefix(where, "part") && w.dies("recover", base, again) != ""; again++ {
			}
			if _, err := w.Journal.Recover(context.Background()); err != nil {
				t.Fatal(err)
			}
			if late, err := w.Journal.Recover(context.Background()); err != nil || len(late) > 0 {
				t.Errorf("killed at %q, recovery does not end: %s %v", where, late, err)
			}
			changed := !cmp.Equal(before, w.look())
			all, err := w.Journal.History("", 1)
			if err != nil {
				t.Fatal(err)
			}
			if recorded := len(all) > 0 && len(all[0].Undoes) == 0; recorded != changed {
				t.Fatalf("killed at %q, changed %v, recorded %v", where, changed, recorded)
			}
			if changed {
				if len(parts) == 1 && (len(all[0].Files) != 1 || all[0].Command != parts[0]) {
					t.Errorf("killed at %q: %+v", where, all[0])
				}
				w.undo(all[0].ID)
			}
			if diff := cmp.Diff(before, w.look()); diff != "" {
				t.Fatalf("killed at %q, undone: %s", where, diff)
			}
			if left, err := filepath.Glob(filepath.Join(kept, state.TrackDir, "*.run")); err != nil || len(left) > 0 {
				t.Errorf("killed at %q: %s %v", where, left, err)
			}
			if where == "" {
				break
			}
		}
	}
}
