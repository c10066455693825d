package search_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/helve-dev/helve/pkg/search"
)

// A search says how many files it has opened, or how many names it has seen where it opens
// none, from several goroutines.
func TestProgress(t *testing.T) {
	const files = 2500
	dir := t.TempDir()
	for i := range files {
		if i%50 == 0 {
			if err := os.Mkdir(filepath.Join(dir, fmt.Sprint(i/50)), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		put(t, dir, fmt.Sprintf("%d/f%d.txt", i/50, i), "needle\n")
	}
	var told, most atomic.Int64
	tell := func(n int64) {
		told.Add(1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
	}
	scope := search.Scope{Progress: tell}
	check := func(what string, times, last int64) {
		t.Helper()
		if told.Swap(0) != times || most.Swap(0) != last {
			t.Errorf("%s: told another number of times than %d, or another number than %d", what, times, last)
		}
	}
	for name, root := range roots(t, dir) {
		r := grep(t, root, search.GrepOptions{Scope: scope, Pattern: "nothing"})
		check(name+": grep", files, int64(r.FilesSearched))
		for _, q := range []struct {
			o           search.FindOptions
			times, last int64
		}{
			{search.FindOptions{Scope: scope, Query: "nothing", Type: search.File}, 2, 2000},
			{search.FindOptions{Scope: scope, Globs: []string{"*.go"}}, 2, 2000},
			{search.FindOptions{Scope: scope, Query: "needle", Content: true}, files, files},
		} {
			if _, err := search.Find(t.Context(), root, q.o); err != nil {
				t.Fatal(err)
			}
			check(name+": find "+q.o.Query, q.times, q.last)
		}
	}
}
