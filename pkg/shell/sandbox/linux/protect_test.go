//go:build linux && (amd64 || arm64)

package linux

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestMovable has the protected paths that a command may move.
func TestMovable(t *testing.T) {
	p := sandbox.Profile{Filesystem: sandbox.Workspace, Workspace: "/w", Movable: []string{"/w/gone"}, Settings: []string{"/w/.git/config"}}
	for path, want := range map[string]bool{"/w/gone/a": true, "/w/gone": false, "/w/.git/config": true, "/w/a": false} {
		if movable(p, path) != want {
			t.Errorf("movable %s: %t", path, !want)
		}
	}
}

// TestHolders has the directories that a protected path is protected in: git's, and
// those whose names begin with a dot.
func TestHolders(t *testing.T) {
	ws := filepath.Join(t.TempDir(), "ws")
	for _, name := range []string{"plain/git/objects", "plain/git/refs"} {
		if err := os.MkdirAll(filepath.Join(ws, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(ws, "plain/git/HEAD"), "ref: refs/heads/x\n")
	p := sandbox.Profile{Filesystem: sandbox.Workspace, Workspace: ws}
	for path, want := range map[string]string{ // what is marked, and the holder
		"file": " .", "dir/file": " dir", ".a/b/file": ".a,.a/b .", "dir/.a/b/file": "dir/.a,dir/.a/b dir", "plain/git/hooks/x": "plain/git,plain/git/hooks plain",
	} {
		var dirs []string
		for _, dir := range marked(p, filepath.Join(ws, path)) {
			rel, err := filepath.Rel(ws, dir)
			if err != nil {
				t.Fatal(err)
			}
			dirs = append(dirs, rel)
		}
		holder, err := filepath.Rel(ws, holder(p, filepath.Join(ws, path)))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(dirs, ",") + " " + holder; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
