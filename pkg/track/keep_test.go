package track

import (
	"io/fs"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search/walk"
)

func FuzzDecode(f *testing.F) {
	odd := []*entry{
		{path: "a b\n\"\xff", Status: walk.Status{Mode: 0o644, Size: 3, Modified: -1, Changed: 7, Inode: 1 << 63}, blob: "00"},
		{path: "d", Status: walk.Status{Mode: fs.ModeDir | 0o755}},
		{path: "l", Status: walk.Status{Mode: fs.ModeSymlink | 0o777}, target: "\x01 x"},
		{path: "c", Status: walk.Status{Mode: 0o600}, clean: true},
	}
	f.Add(encode(odd, true))
	f.Add(encode(odd, false))
	f.Add([]byte(head + "0 0 0 0 0 0  \"\" \"\"\n" + tail))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, ok := decode(data)
		if !ok {
			return
		}
		again, ok := decode(encode(entries, true))
		if !ok || len(again) != len(entries) {
			t.Fatalf("%d entries of %d, %v", len(again), len(entries), ok)
		}
		for i, e := range entries {
			if a := again[i]; a.path != e.path || a.target != e.target || a.Mode != e.Mode || a.source() != e.source() {
				t.Errorf("%s", cmp.Diff(e.path, a.path))
			}
		}
	})
}

// TestSettled tells a time that a later change may repeat from one that it cannot.
func TestSettled(t *testing.T) {
	const second = int64(time.Second)
	for _, c := range []struct {
		modified, changed, at int64
		want                  bool
	}{
		{5*second + 1, 5*second + 1, 5*second + 1, false},
		{5*second + 1, 5*second + 1, 5*second + 1 + int64(clockTick), true},
		{second + 1, 5*second + 1, 5*second + 2, false}, // its time was set back
		{9*second + 1, 5*second + 1, 6 * second, false}, // in the future
		{5 * second, 0, 6 * second, false},              // the clock counts seconds
		{5 * second, 5 * second, 7 * second, false},
		{5 * second, 5 * second, 7*second + int64(clockTick), true},
		{5 * second, 5*second + 1, 6 * second, true}, // its time was set
	} {
		if got := settled(walk.Status{Modified: c.modified, Changed: c.changed}, time.Unix(0, c.at)); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
