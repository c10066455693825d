//go:build unix

package process_test

import (
	"os"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/process"
)

// TestPeek looks at what is there and takes it only when told so. Pipes and sockets
// are shown in the tests of package cmd, where other processes share them.
func TestPeek(t *testing.T) {
	for _, text := range []string{"", "text", strings.Repeat("x", 64<<10), strings.Repeat("x", 64<<10+1)} {
		s := strings.NewReader("0" + text)
		if _, err := s.ReadByte(); err != nil {
			t.Fatal(err)
		}
		w := process.Peek(s, 0)
		all := len(text) <= 64<<10
		if string(w.Text) != text || w.All != all || w.Ended != all || s.Len() != len(text) {
			t.Errorf("%d bytes: %d, all %v, ended %v, %d left", len(text), len(w.Text), w.All, w.Ended, s.Len())
		}
		if err := w.Take(); err != nil || s.Len() != 0 {
			t.Errorf("%d bytes: %v, %d left", len(text), err, s.Len())
		}
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, stream := range []any{nil, null, struct{}{}} {
		w := process.Peek(stream, 0)
		if err := w.Take(); err != nil || w.Text != nil || w.All {
			t.Errorf("%T: %+v, %v", stream, w, err)
		}
	}
}
