package run

import (
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

// A command whose processes hold more memory together than it may is ended, in every
// sandbox.
func TestMemory(t *testing.T) {
	support := native.Probe(sandbox.Cache{})
	for _, kind := range []sandbox.Kind{sandbox.None, sandbox.Landlock, sandbox.Namespaces} {
		t.Run(string(kind), func(t *testing.T) {
			if !support.Has(kind) {
				t.Skipf("no sandbox %s here", kind)
			}
			dir := t.TempDir()
			sb, err := native.New(sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: dir}, support, kind)
			if kind == sandbox.None {
				sb, err = nil, nil
			}
			if err != nil {
				t.Fatal(err)
			}
			// Each of the two holds less than the limit.
			const hold = `x=$(head -c 40000000 /dev/zero | tr '\0' x); echo held; sleep 120`
			r, err := Run(t.Context(), Command{
				Argv: []string{"bash", "-c", `(` + hold + `) & ` + hold}, Dir: dir, Env: []string{"PATH=/usr/bin:/bin"},
				Memory: 64 << 20, Timeout: 2 * time.Minute, Sandbox: sb,
			})
			if err != nil {
				t.Fatal(err)
			}
			if r.Ended != TooLarge {
				t.Errorf("%+v", r)
			}
			r, err = Run(t.Context(), Command{Argv: []string{"bash", "-c", "sleep 0.5; echo done"}, Dir: dir, Env: []string{"PATH=/usr/bin:/bin"}, Memory: 64 << 20, Sandbox: sb})
			if err != nil || r.Ended != NoReason || r.Output.Text != "done\n" {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}
