package client

import (
	"bytes"
	"slices"
	"testing"
)

// FuzzLines compares what comes out, however the bytes were split, with what the bytes say
// at once; and has a child take them, which must not fail.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{"a\nb\n", "\r\n \n\x00\xff\n", `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n", "123456789012345678901\n", "half"} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, printed []byte, step int) {
		const most = 20
		var want [][]byte
		long := false
		all := bytes.Split(printed, []byte{'\n'})
		for i, line := range all {
			if long = long || len(line) > most; long {
				break
			}
			if line = bytes.TrimSpace(line); i < len(all)-1 && len(line) > 0 {
				want = append(want, line)
			}
		}
		step = max(1, min(step, 1000))
		l := &lines{most: most}
		var got [][]byte
		fine := true
		for piece := range slices.Chunk(printed, step) {
			piece = bytes.Clone(piece)
			fine = fine && l.add(piece, func(line []byte) { got = append(got, line) })
			clear(piece) // the lines must not be in there
		}
		if fine == long || !slices.EqualFunc(want, got, bytes.Equal) {
			t.Errorf("%q by %d: %q, want %q; too long: %v, want %v", printed, step, got, want, !fine, long)
		}
		c := newChild("fuzz", probeTime, startTime, nil)
		close(c.gone)
		for _, line := range got {
			c.line(line)
		}
		if c.noise > 0 && len(c.warnings()) != 1 {
			t.Error("noise without a warning")
		}
	})
}

func TestTail(t *testing.T) {
	kept := tail{most: 5}
	for _, piece := range []string{"ab", "cdefghij", "", "k"} {
		kept.write([]byte(piece))
	}
	if string(kept.kept) != "ghijk" {
		t.Errorf("%q", kept.kept)
	}
}
