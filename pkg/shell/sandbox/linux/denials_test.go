//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestDenials runs commands that are refused and reads what they say.
func TestDenials(t *testing.T) {
	for _, kind := range kinds(t) {
		p := newProfile(t)
		p.Secrets = append(p.Secrets, "/etc/passwd-")
		for _, c := range []struct {
			script, op, path string
		}{
			{"touch /usr/x", "write", "/usr/x"},
			{"echo x > /etc/x | cat", "write", "/etc/x"},
			{"cat /etc/shadow | true", "read", "/etc/shadow"},
			{"bash -c 'exec 3<> /dev/tcp/127.0.0.1/9'", "network", ""},
			{"touch /does/not/exist", "", ""},
			{"cat nothing /usr/nothing /etc/nothing", "", ""},
			{"echo 'x: Permission denied'", "", ""},
			{"echo '/work: fine'", "", ""},
		} {
			o := run(t, kind, p, "sh", "-c", c.script)
			var got, want []string
			for _, d := range o.sb.Denials(o.out, p.Workspace) {
				got = append(got, d.Op, d.Path)
				if d.Rule == "" || d.Fix.IsZero() {
					t.Errorf("%+v says too little", d)
				}
			}
			if c.op != "" {
				want = []string{c.op, c.path}
			}
			if kind == sandbox.Landlock && c.op == "network" {
				continue // the shell says "Operation not permitted" and no path
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s: %s: %s %q", kind, c.script, d, o.out)
			}
		}
	}
}

// TestReplaced has a file and a directory that the profile opens replaced while a command
// runs: a rule of Landlock belongs to what was there before.
func TestReplaced(t *testing.T) {
	if support.LandlockABI == 0 {
		t.Skip("no Landlock here")
	}
	p := workspaceIn(t, outsideDir(t))
	lay(t, filepath.Dir(p.Workspace), "home/", "home/settings=old\n", "home/tools/", "home/tools/x=old\n", "home/same=old\n", "home/notes=notes\n", "home/new=new\n", "home/others/", "home/others/x=new\n")
	home := filepath.Join(filepath.Dir(p.Workspace), "home")
	in := func(name string) string { return filepath.Join(home, name) }
	p.Withheld, p.Readable = []string{home}, []string{in("settings"), in("tools"), in("same")}
	ready, on := filepath.Join(p.Workspace, "ready"), filepath.Join(p.Workspace, "on")
	if err := errors.Join(unix.Mkfifo(ready, 0o600), unix.Mkfifo(on, 0o600)); err != nil {
		t.Fatal(err)
	}
	replaced := make(chan error, 1)
	go func() {
		_, err := os.ReadFile(ready) // until the command closes it
		replaced <- errors.Join(err, os.Rename(in("new"), in("settings")), os.RemoveAll(in("tools")), os.Rename(in("others"), in("tools")), os.WriteFile(on, []byte("\n"), 0))
	}()
	o := run(t, sandbox.Landlock, p, "sh", "-c", fmt.Sprintf("cd %s; cat settings tools/x same; echo > %s; read on < %s; cat same settings tools/x notes", home, ready, on))
	if err := <-replaced; err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(o.out, "old\nold\nold\nold\n") || strings.Contains(o.out, "notes\n") {
		t.Errorf("%s", o.out)
	}
	got := map[string]string{}
	for _, d := range o.sb.Denials(o.out, home) {
		got[d.Path] = d.Op + " " + d.Rule
	}
	want := map[string]string{in("notes"): "read exec.reads", in("settings"): "read replaced", in("tools/x"): "read replaced"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s %s", d, o.out)
	}
}
