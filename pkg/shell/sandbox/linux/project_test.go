//go:build linux && (amd64 || arm64)

package linux

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestProject builds this project and tests a part of it as a command of an agent
// does: in a workspace of its own, with the caches of Go, of which that of the modules
// is read-only, and without a network.
func TestProject(t *testing.T) {
	if testing.Short() {
		t.Skip("builds everything")
	}
	for _, program := range []string{"git", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("no " + program)
		}
	}
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		t.Skip("no repository")
	}
	// One workspace for all, so that the second build finds what the first one made.
	shared := workspaceIn(t, outsideDir(t))
	copied := exec.Command("sh", "-ec", `git -C "$0" ls-files -z -co --exclude-standard | tar cf - -C "$0" --null -T - | tar xf - -C "$1"`,
		strings.TrimSpace(string(root)), shared.Workspace)
	if out, err := copied.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	// Without paths in what is compiled, the cache has it from where the project lies. This is
	// compiled here.
	if err := os.WriteFile(filepath.Join(shared.Workspace, "pkg", "schema", "new.go"), []byte("package schema\n\n// "+shared.Workspace+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			p := shared
			env := []string{"GOTOOLCHAIN=local", "GOPROXY=off", "GOFLAGS=-buildvcs=false -trimpath", "CGO_ENABLED=0", "GOTMPDIR=/tmp"}
			if kind == sandbox.Landlock {
				env[4] = "GOTMPDIR=" + p.Temp
			}
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOROOT"} {
				value, err := exec.Command("go", "env", name).Output()
				dir := strings.TrimSpace(string(value))
				if err != nil || !filepath.IsAbs(dir) {
					t.Fatal(name, err)
				}
				env = append(env, name+"="+dir)
				// The sandbox shows what lies in a directory that it replaces only if
				// the profile names it.
				if name == "GOCACHE" || isReplaced(dir) {
					if err := os.MkdirAll(dir, 0o755); err != nil {
						t.Fatal(err)
					}
					p.Writable = append(p.Writable, dir)
				}
			}
			o := runWith(t, kind, p, env, "sh", "-c", `PATH="$GOROOT/bin:$PATH"; go build ./... && go test -count=1 ./pkg/schema/...`)
			if o.ExitCode != 0 || !strings.HasPrefix(o.out, "ok  \tgithub.com/helve-dev/helve/pkg/schema") || strings.Count(o.out, "\n") != 1 {
				t.Errorf("%+v\n%s", o.State, o.out)
			}
		})
	}
}
