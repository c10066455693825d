//go:build unix

package process_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/cmd/process"
)

// TestWithoutSIGPIPE writes to a pipe without a reader: that is an error, also for
// standard output, where it would otherwise end the process.
func TestWithoutSIGPIPE(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	quiet := process.WithoutSIGPIPE(w)
	defer quiet.Close()
	if quiet.Fd() == w.Fd() || quiet.Fd() < 3 {
		t.Errorf("descriptor %d of %d", quiet.Fd(), w.Fd())
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := quiet.WriteString("x"); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("writing: %v", err)
	}
}

func TestIsTerminal(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, stream := range []any{f, &bytes.Buffer{}, nil} {
		if process.IsTerminal(stream) {
			t.Errorf("%T is a terminal", stream)
		}
	}
}

// TestSettle: a call that ends at once is not settled, and nothing cancels it.
func TestSettle(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stop := process.Settle(cancel)
	stop()
	if ctx.Err() != nil {
		t.Error("canceled by nothing")
	}
}
