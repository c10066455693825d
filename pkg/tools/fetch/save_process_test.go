package fetch

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// child runs a call in a process of its own: of this test, with the world of w.
func child(t *testing.T, w *world, stateDir, path string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), "SAVE_ROOT="+w.root.Dir(), "SAVE_STATE="+stateDir, "SAVE_URL="+w.url+path)
	return c
}

// asChild makes the call of a child, and reports whether this process is one.
func asChild(t *testing.T) bool {
	t.Helper()
	root, at := os.Getenv("SAVE_ROOT"), os.Getenv("SAVE_URL")
	if root == "" {
		return false
	}
	w := storeAt(t, root, os.Getenv("SAVE_STATE"))
	input, err := json.Marshal(map[string]any{"url": at, "save": "deep/f", "timeout": 120})
	if err != nil {
		t.Fatal(err)
	}
	if o := guard.Run(t.Context(), w.env, Tool, input); o.Err != nil && !fault.Is(o.Err, fault.Stale) && !fault.Is(o.Err, fault.Locked) {
		t.Error(o.Err)
	}
	return true
}

// A process that is killed while a file comes leaves nothing in the workspace, and the
// next one can save there.
func TestSaveKilled(t *testing.T) {
	if asChild(t) {
		return
	}
	half, stateDir := make(chan struct{}), t.TempDir()
	w := newStore(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("abcdefgh", 100_000))
		if r.URL.Path != "/half" {
			return
		}
		_ = http.NewResponseController(w).Flush()
		close(half)
		<-r.Context().Done()
	})
	c := child(t, w, stateDir, "/half")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	<-half
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
	left, err := os.ReadDir(w.root.Dir())
	if err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if out, err := child(t, w, stateDir, "/all").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := w.get(t, "deep/f"); len(got) != 800_000 {
		t.Errorf("%d bytes", len(got))
	}
}

// Of two processes that save to one path, each saves all of its file or nothing.
func TestSaveProcesses(t *testing.T) {
	if asChild(t) {
		return
	}
	var both sync.WaitGroup // so that they overlap
	both.Add(2)
	w := newStore(t, func(w http.ResponseWriter, r *http.Request) {
		both.Done()
		both.Wait()
		_, _ = io.WriteString(w, strings.Repeat(filepath.Base(r.URL.Path), 500_000))
	})
	stateDir := t.TempDir()
	var all sync.WaitGroup
	for _, n := range []string{"a", "b"} {
		c := child(t, w, stateDir, "/"+n)
		all.Go(func() {
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	all.Wait()
	if got := w.get(t, "deep/f"); len(got) != 500_000 || strings.Trim(got, got[:1]) != "" {
		t.Errorf("%d bytes", len(got))
	}
}
