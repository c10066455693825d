//go:build linux && (amd64 || arm64)

package linux

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// TestSweep has a command wait until what it planted is gone, as on a kernel whose filters
// have no listeners, while what it works on stays.
func TestSweep(t *testing.T) {
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			p := newProfile(t)
			write(t, filepath.Join(p.Workspace, ".git/HEAD"), "ref: refs/heads/x\n")
			write(t, filepath.Join(p.Workspace, ".git/config"), "[core]\n\tbare = false\n")
			if err := os.MkdirAll(filepath.Join(p.Workspace, ".git/objects"), 0o755); err != nil {
				t.Fatal(err)
			}
			p = surveyed(p)
			older := support
			older.Broker = false
			o := runOn(t, older, kind, p, nil, "sh", "-c", `
				printf '[core]\n\tfsmonitor = x\n' 2> /dev/null > .git/config
				mkdir -p d/.vscode new/.git/objects new/.git/refs; echo x > .envrc; echo x > d/.vscode/tasks.json
				echo 'ref: refs/heads/x' > new/.git/HEAD; printf '[core]\n\tfsmonitor = x\n' > new/.git/config; echo x > work
				bad() { test -e .envrc || test -e d/.vscode/tasks.json || test -e new/.git/config || grep -q fsmonitor .git/config; }
				n=0; while bad && test $n -lt 600; do sleep 0.1; n=$((n+1)); done
				bad && echo stays; cat work .git/config; echo y > work; touch new/.git/index`)
			if want := "x\n[core]\n\tbare = false\n"; o.out != want {
				t.Fatalf("%q, want %q", o.out, want)
			}
			if !slices.Contains(o.sb.Report().Degraded, bornDegraded) {
				t.Errorf("%+v", o.sb.Report())
			}
			if _, err := o.sb.Restored(); err != nil {
				t.Fatal(err)
			}
			moved, err := o.sb.Planted()
			if err != nil {
				t.Fatal(err)
			}
			for _, rel := range []string{".envrc", "d/.vscode/tasks.json", "new/.git/config"} {
				if !slices.ContainsFunc(moved, func(m sandbox.Moved) bool {
					return strings.HasPrefix(filepath.Join(p.Workspace, rel), m.Path) && exists(m.To)
				}) {
					t.Errorf("%s is not among %+v", rel, moved)
				}
			}
			if read(t, filepath.Join(p.Workspace, "work")) != "y\n" || !exists(filepath.Join(p.Workspace, "new/.git/index")) {
				t.Error("the work is gone")
			}
		})
	}
}

// TestSweepLooks has something there at one look, at two, and with a link on the way.
func TestSweepLooks(t *testing.T) {
	p, outside := newProfile(t), t.TempDir()
	write(t, filepath.Join(outside, ".envrc"), "the person's\n")
	p = surveyed(p)
	sb, err := newConfined(p, support, kinds(t)[0])
	if err != nil {
		t.Fatal(err)
	}
	if sb.snapshot, err = sb.takeSnapshot(); err != nil {
		t.Fatal(err)
	}
	sb.watch = sb.takeWatch()
	s := sb.newSweeper()
	close(s.stop) // the looks are made here
	<-s.done
	at := func(rel string) string { return filepath.Join(p.Workspace, rel) }
	for _, dir := range []string{"d", "e"} {
		if err := os.Mkdir(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, at(dir+"/.envrc"), "x\n")
	}
	s.look()
	if len(s.moved) > 0 || !exists(at("d/.envrc")) {
		t.Errorf("at once %+v", s.moved)
	}
	if err := os.Remove(at("e/.envrc")); err != nil {
		t.Fatal(err)
	}
	s.look()
	if to := at("d/.envrc") + sb.snapshot.suffix; len(s.moved) != 1 || s.moved[0] != (sandbox.Moved{Path: at("d/.envrc"), To: to}) || read(t, to) != "x\n" {
		t.Errorf("%+v", s.moved)
	}
	write(t, at("d/.envrc"), "again\n")
	s.aside(at("d/.envrc"))
	if to := at("d/.envrc") + sb.snapshot.suffix + "-1"; !exists(to) || exists(at("d/.envrc")) {
		t.Errorf("%+v", s.moved)
	}
	// The command puts a link where the directory was.
	if err := os.Rename(at("e"), at("f")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, at("e")); err != nil {
		t.Fatal(err)
	}
	s.aside(at("e/.envrc"))
	s.aside(filepath.Join(outside, ".envrc"))
	if names, err := namesIn(outside); err != nil || len(names) != 1 || strings.Contains(names[0], workspace.RefusedMark) {
		t.Errorf("outside there is %q, %v", names, err)
	}
}
