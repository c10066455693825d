package walk_test

import (
	"os"
	"testing"

	"github.com/helve-dev/helve/pkg/search/walk"
)

func all(t *testing.T, dir string) map[string]walk.Root {
	t.Helper()
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return map[string]walk.Root{"fd": walk.FD(int(f.Fd())), "std": root(t, dir)}
}
