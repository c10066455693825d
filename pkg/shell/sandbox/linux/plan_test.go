//go:build linux && (amd64 || arm64)

package linux

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestReplacedProgram keeps a program in view that lies in a directory which the
// sandbox replaces, unless the workspace holds it.
func TestReplacedProgram(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	workspace, program := filepath.Join(top, "ws"), filepath.Join(top, "program")
	own, link := filepath.Join(workspace, "own"), filepath.Join(workspace, "link")
	if err := os.Mkdir(workspace, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{program, own} {
		if err := os.WriteFile(file, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	for _, filesystem := range []sandbox.Filesystem{sandbox.ReadOnly, sandbox.Workspace} {
		p := sandbox.Profile{Filesystem: filesystem, Workspace: workspace}
		for path, want := range map[string]string{program: program, link: program, own: "", "/bin/sh": "", filepath.Join(top, "missing"): ""} {
			real, ok := replacedProgram(p, path, []string{top})
			if ok != (want != "") || ok && real != want {
				t.Errorf("%s: %s leads to %q, %v; want %q", filesystem, path, real, ok, want)
			}
		}
	}
}
