package search

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/search/pattern"
	"github.com/helve-dev/helve/pkg/search/walk"
)

// TestMappedFault searches a file that is much shorter than the size it is given,
// like one that is truncated during the search. Each kind of scanner must survive
// that and report the part as not searched.
func TestMappedFault(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte(strings.Repeat("some text that is short\n", 300)), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h, r, err := walk.FD(int(f.Fd())).OpenFile("f")
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	defer r.Close()
	if _, unmap, ok := r.Map(0, 1); !ok {
		t.Skip("files here are not mapped")
	} else {
		unmap()
	}
	for _, text := range []string{"needle", "(?i)needle", "needle|thread", `n[e]+d\w+`, `\p{Greek}`, `[m-o]e{2}[b-e][l]e`, "e$"} {
		p, err := pattern.Compile(text, pattern.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := newSearcher(newMatcher(p, nil, nil))
		one := &part{}
		task := task{record: 10, enough: math.MaxInt, numbers: true, stopped: func() bool { return false }}
		if s.mapped(r, one, 8<<20, 0, 0, 8<<20, task) {
			t.Errorf("%s: %+v", text, one)
		}
		// The same searcher can be used afterwards.
		again := &part{}
		s.part(s.read(r), again, 0, 0, math.MaxInt64, task)
		if !again.done.Load() || again.err != nil {
			t.Errorf("%s: %+v", text, again)
		}
	}
}
