package walk

import (
	"bytes"
	"testing"
)

func FuzzDirents(f *testing.F) {
	entry := append(make([]byte, 16), 24, 0, 8, 'a', 'b', 0, 0, 0)
	entry[0] = 1
	f.Add(entry)
	f.Add(append(bytes.Clone(entry), entry...))
	f.Add([]byte{19: 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		var a arena
		h := &Handle{fd: -1}
		h.parse(data, &a)
		for _, e := range a.list("d/", nil) {
			if e.Name() == "" || e.Path() != "d/"+e.Name() || e.Name() == "." || e.Name() == ".." {
				t.Fatalf("%q in %q", e.Path(), data)
			}
		}
	})
}
