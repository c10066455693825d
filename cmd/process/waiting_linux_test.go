package process_test

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/cmd/process"
)

// TestPeekPipe looks into a pipe of many small writes, and into one that holds more
// than is looked at.
func TestPeekPipe(t *testing.T) {
	for _, c := range []struct {
		piece  string
		pieces int
		closed bool
		all    bool
	}{
		{"x", 16, false, true},
		{"x", 4096, false, true},
		{"x", 4096, true, true},
		{strings.Repeat("x", 4096), 17, true, false},
		{"", 0, true, true},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := unix.FcntlInt(w.Fd(), unix.F_SETPIPE_SZ, 128<<10); err != nil {
			t.Fatal(err)
		}
		for range c.pieces {
			if _, err := w.WriteString(c.piece); err != nil {
				t.Fatal(err)
			}
		}
		if c.closed {
			w.Close()
		}
		length := len(c.piece) * c.pieces
		seen := process.Peek(r, 0)
		if seen.All != c.all || seen.Ended != (c.closed && c.all) || c.all && len(seen.Text) != length {
			t.Errorf("%d bytes: %d, all %v, ended %v", length, len(seen.Text), seen.All, seen.Ended)
		}
		if left, err := unix.IoctlGetInt(int(r.Fd()), unix.TIOCINQ); err != nil || left != length {
			t.Errorf("%d bytes: %d left, %v", length, left, err)
		}
		if err := seen.Take(); err != nil {
			t.Error(err)
		}
		if left, err := unix.IoctlGetInt(int(r.Fd()), unix.TIOCINQ); err != nil || left != length-len(seen.Text) {
			t.Errorf("%d bytes: %d left after taking %d, %v", length, left, len(seen.Text), err)
		}
		w.Close()
		r.Close()
	}
}

// TestPeekTaken: what another reader has taken meanwhile is not waited for.
func TestPeekTaken(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, err := w.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	seen := process.Peek(r, 0)
	if _, err := r.Read(make([]byte, 2)); err != nil {
		t.Fatal(err)
	}
	if err := seen.Take(); err == nil {
		t.Error("took what was not there")
	}
	if err := seen.Take(); err == nil {
		t.Error("took from an empty pipe")
	}
}
