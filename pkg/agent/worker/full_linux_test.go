package worker

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
)

// On a full disk the end of a job waits for room; then it is there, as it was.
func TestFullDisk(t *testing.T) {
	mount := small(t)
	w := worldIn(t, mount)
	j := w.spawn("long") // its end needs more room than there is
	w.begun(j.ID)
	filler := filepath.Join(mount, "filler")
	fill(t, filler)
	worker := w.get(j.ID).Worker
	if err := worker.Process.Terminate(func() bool { return true }); err != nil {
		t.Fatal(err)
	}
	// Another one that has the same to write, to see that it cannot be written.
	tries := make(chan error)
	written := make(chan error, 1)
	long := agent.Outcome{Status: agent.Completed, Result: strings.Repeat("long ", agent.MaxResult/5)}
	go func() {
		written <- quick().patiently(t.Context(), func(ctx context.Context) error {
			_, _, err := w.Finish(ctx, j.ID, worker.ID, long)
			select {
			case tries <- err:
			case <-t.Context().Done():
			}
			return err
		})
	}()
	for range 5 {
		if err := <-tries; !fault.Is(err, fault.IOError) {
			t.Fatalf("on a full disk: %v", err)
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	go func() {
		for range tries { // the rest of them
		}
	}()
	if err := <-written; err != nil {
		t.Error(err)
	}
	close(tries)
	if got := w.ended(j.ID); got.Status != agent.Completed || got.Result != strings.TrimSpace(long.Result) {
		t.Errorf("%d bytes, %+v", len(got.Result), got.Fault)
	}
	w.told(j)
}

// A worker alone writes the end when there is room again.
func TestRoomAgain(t *testing.T) {
	w := worldIn(t, small(t))
	j := w.spawn("long")
	w.begun(j.ID)
	filler := filepath.Join(w.Base, "filler")
	fill(t, filler)
	if err := w.get(j.ID).Worker.Process.Terminate(func() bool { return true }); err != nil {
		t.Fatal(err)
	}
	for range 20 { // if it has got a while, it has failed to write
		if got := w.get(j.ID); got.Status.Final() {
			t.Fatalf("the end was written: %s", got.Status)
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if got := w.ended(j.ID); got.Status != agent.Completed || len(got.Result) < agent.MaxResult-10 {
		t.Errorf("%s, %d bytes, %+v", got.Status, len(got.Result), got.Fault)
	}
	w.told(j)
}

// fill writes a file as long as there is room.
func fill(t *testing.T, name string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	for part := bytes.Repeat([]byte("x"), 1<<10); err == nil; {
		_, err = f.Write(part)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// small returns a file system of a megabyte.
func small(t *testing.T) string {
	t.Helper()
	mount := t.TempDir()
	if err := unix.Mount("none", mount, "tmpfs", 0, "size=1m,mode=700"); err != nil {
		t.Skipf("no small file system to fill: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(mount, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return mount
}
