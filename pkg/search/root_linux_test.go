package search_test

import (
	"os"
	"testing"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/walk"
)

func descriptor(t testing.TB, dir string) (search.Root, bool) {
	t.Helper()
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return walk.FD(int(f.Fd())), true
}
