//go:build linux

package linux

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
