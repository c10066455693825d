//go:build unix

package track_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/state/journal"
)

// shutting are commands that shut what they change.
var shutting = []string{
	"chmod 000 f", "echo more >> f; chmod 000 f", "chmod 000 d", "echo more >> d/x; rm d/y; chmod 000 d", "mkdir n; echo n > n/n; chmod 000 n/n n",
	"chmod 000 d/e; chmod 000 d", "rm d/e/z; chmod 600 d/e; chmod 300 d", "touch s; chmod 000 s", "mv d k; chmod 000 k", "mv f d/; chmod 400 d",
	"ln -s x d/l; chmod 100 d", "mkdir -p d/m/m; chmod 000 d/m/m; chmod 000 d/m; chmod 000 d",
}

// TestShut undoes commands that shut files and directories, as a user whom that stops.
func TestShut(t *testing.T) {
	top, err := os.MkdirTemp("", "helve-shut-") //nolint:usetesting // that of the test is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if out, err := shell(top, "chmod -R u+rwx . && rm -rf w state && rmdir ../${PWD##*/}"); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	user := "0" // which the child stays, where others do not exist
	if os.Getuid() == 0 && errors.Join(os.Chmod(top, 0o755), os.Chown(top, other, other)) == nil {
		user = strconv.Itoa(other)
	}
	dir, base := filepath.Join(top, "w"), filepath.Join(top, "state")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe, dir, base, user)
	c.Env = append(os.Environ(), childEnv+"=shut")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

const other = 65534 // a user without privileges

// shuts runs the commands in a workspace that it makes, as another user unless that is 0.
func shuts(dir, base string, user int) error {
	if user != 0 {
		if err := syscall.Setgid(user); err != nil {
			return err
		}
		if err := syscall.Setuid(user); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	if out, err := shell(dir, "mkdir -p d/e; echo f > f; echo x > d/x; echo y > d/y; echo z > d/e/z"); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	w, err := open(dir, base, nil)
	if err != nil {
		return err
	}
	defer w.Root.Close()
	ctx := context.Background()
	const all, top = "find . -printf '%P %y %m %l\n' -type f -exec cksum {} + | sort", "for f in *; do stat -c '%n %f' $f; done"
	for _, script := range shutting {
		before, err := shell(dir, all)
		if err != nil {
			return fmt.Errorf("%w: %s", err, before)
		}
		run, err := w.Begin(ctx, journal.Author{Tool: "exec"})
		if err != nil {
			return err
		}
		if out, err := shell(dir, script); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		after, err := shell(dir, top)
		if err != nil {
			return err
		}
		report, err := run.End(ctx)
		if err != nil || report.UndoID == "" || len(report.NotCovered)+len(report.Warnings) > 0 {
			return fmt.Errorf("%s: %+v %w", script, report, err)
		}
		if now, err := shell(dir, top); err != nil || now != after {
			return fmt.Errorf("%s: recorded, %s %w", script, cmp.Diff(after, now), err)
		}
		id := report.UndoID
		for _, want := range []struct{ say, look, is string }{{"undone", all, before}, {"redone", top, after}, {"undone again", all, before}} {
			back, err := w.Journal.Undo(ctx, "s", journal.Selector{ID: id}, false)
			if err != nil {
				return fmt.Errorf("%s: not %s: %w", script, want.say, err)
			}
			if now, err := shell(dir, want.look); err != nil || now != want.is {
				return fmt.Errorf("%s: %s: %s %w", script, want.say, cmp.Diff(want.is, now), err)
			}
			id = back.ID
		}
	}
	return nil
}
