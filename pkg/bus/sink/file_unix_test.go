//go:build unix

package sink_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/bus/sink"
	"github.com/helve-dev/helve/pkg/fault"
)

// TestFileLocked waits for a file that another process has locked no longer than it may.
func TestFileLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	other, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if err := unix.Flock(int(other.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(context.DeadlineExceeded)
	failed(t, (&sink.File{Path: path}).Deliver(ctx, message(id1, "x")), sink.Again, fault.Timeout)
	if got := read(t, path); got != "" {
		t.Errorf("%q was written", got)
	}
}

// TestFilePipe does not wait for the reader of a pipe.
func TestFilePipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	failed(t, (&sink.File{Path: path}).Deliver(t.Context(), message(id1, "x")), sink.Again, fault.NotAFile)
}
