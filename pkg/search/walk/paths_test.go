package walk_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search/walk"
)

// TestPaths packs random directories into a list of several parts and reads them
// back.
func TestPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		var list walk.Paths
		var want []string
		size := 0
		for dir := range r.IntN(800) {
			prefix := strings.Repeat("same/", r.IntN(4)) + fmt.Sprint(dir, strings.Repeat("é", r.IntN(80))) + "/"
			if dir == 0 {
				prefix = ""
			}
			var entries []walk.Entry
			for i := range r.IntN(6) {
				e := walk.EntryAt(fmt.Sprintf("%s%d%s", prefix, i, strings.Repeat("x\xff", r.IntN(100))), walk.Type(r.IntN(5)))
				e.Ignored = r.IntN(3) == 0
				entries = append(entries, e)
			}
			packed, _ := walk.NamesOf(prefix, entries, nil)
			first := r.IntN(7)
			list.Add(packed.First(first))
			for _, e := range entries[:min(first, len(entries))] {
				want = append(want, fmt.Sprint(e.Path(), e.Name(), e.Type, e.Ignored))
				size += len(e.Path())
			}
		}
		list.Seal()
		var got []string
		for n := range list.All() {
			before := len(got)
			for _, e := range n.Append(nil) {
				got = append(got, fmt.Sprint(e.Path(), e.Name(), e.Type, e.Ignored))
			}
			i := before
			for name, kind := range n.All() {
				if e := walk.EntryAt(n.Prefix+name, kind); !strings.HasPrefix(got[i], fmt.Sprint(e.Path(), e.Name(), e.Type)) {
					t.Fatalf("%q is not %q", got[i], e.Path())
				}
				i++
			}
			if n.Len != len(got)-before || i != len(got) {
				t.Fatalf("%d entries instead of %d", len(got)-before, n.Len)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		if list.Len != len(want) || list.Bytes < size {
			t.Fatalf("%d entries of %d bytes, not %d of %d", len(want), size, list.Len, list.Bytes)
		}
	}
}

// TestStatPaths compares the infos of one call with those of a call per file.
func TestStatPaths(t *testing.T) {
	dir := t.TempDir()
	files := grow(t, dir, rand.New(rand.NewPCG(9, 10)))
	for i, name := range files {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, i), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for kind, root := range all(t, dir) {
		var list walk.Paths
		w := walk.New(root, walk.Filter{})
		walk.Levels{
			Take:  func(int, *walk.Handle, walk.Entry) bool { return true },
			Found: list.Add,
			Level: func() bool { return true },
		}.Run(w, w.Start("."))
		list.Seal()
		infos := root.StatPaths(&list)
		seen := 0
		for n := range list.All() {
			for _, e := range n.Append(nil) {
				want, err := root.Stat(e.Path())
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, infos[seen]); diff != "" {
					t.Fatalf("%s: %s: %s", kind, e.Path(), diff)
				}
				seen++
			}
		}
		if seen != len(infos) || seen < len(files) {
			t.Fatalf("%s: %d of %d", kind, seen, len(infos))
		}
	}
}
