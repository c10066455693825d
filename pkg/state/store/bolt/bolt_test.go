package bolt

import (
	"path/filepath"
	"testing"

	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/testing/storetest"
)

func TestConformance(t *testing.T) {
	empty := func(t *testing.T) func() store.Store {
		base, root := filepath.Join(t.TempDir(), "state"), t.TempDir()
		return func() store.Store { return openAt(t, base, root) }
	}
	storetest.Run(t, empty)
	storetest.Consumers(t, empty)
}

// openAt opens the store of a state directory, as another process would.
func openAt(t testing.TB, base, root string) *Store {
	t.Helper()
	dir, err := state.Open(base, root, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return Open(dir)
}

// fresh opens a store that is empty.
func fresh(t testing.TB) *Store {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "state"), t.TempDir())
}
