package textfile

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// The session record keeps the text of a file up to 1 MiB.
func TestSnapshot(t *testing.T) {
	dir, base := t.TempDir(), t.TempDir()
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	call := tool.NewCall(&tool.Env{
		Root:  func() (*workspace.Root, error) { return root, nil },
		State: sync.OnceValues(func() (*state.Dir, error) { return state.Open(base, dir, state.Options{}) }),
		Now:   time.Now, Session: "s",
	}, nil, nil)
	for size, kept := range map[int]bool{1 << 20: true, 1<<20 + 1: false} {
		raw := bytes.Repeat([]byte("x"), size)
		if err := os.WriteFile(filepath.Join(dir, "a.txt"), raw, 0o600); err != nil {
			t.Fatal(err)
		}
		Record(call, "a.txt", text.Sum(raw), raw, nil)
		f, err := Load(call, "a.txt")
		if err != nil {
			t.Fatal(err)
		}
		if k, err := f.Known(); err != nil || !k.Known || !k.Current {
			t.Errorf("%d bytes: %+v, %v", size, k, err)
		}
		if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("changed"), 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err = Load(call, "a.txt"); err != nil {
			t.Fatal(err)
		}
		if k, err := f.Known(); err != nil || !k.Known || k.Current || (len(k.Shown()) > 0) != kept {
			t.Errorf("%d bytes, changed: %v, %v", size, len(k.Shown()), err)
		}
	}
	if w := call.Warnings(); len(w) > 0 {
		t.Error(w)
	}
}
