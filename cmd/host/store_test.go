package host

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/helve-dev/helve/pkg/state/store"
)

// A run has one store, however often the settings are loaded; it lies in the state
// directory of the workspace.
func TestStore(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	t.Setenv("HELVE_HOME", home)
	h := New(Options{Root: root})
	defer h.Close()
	s, err := h.Store()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := h.Store(); err != nil || again != s {
		t.Errorf("opened again: %v", err)
	}
	if err := s.Update(t.Context(), func(tx store.Tx) error { return tx.Put("a/b", []byte("1")) }); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(home, "state", "*", "store", "*"))
	if err != nil || len(found) == 0 {
		t.Errorf("no store below %s: %v", home, err)
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
		t.Errorf("in the workspace: %v, %v", entries, err)
	}
}
