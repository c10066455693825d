package run

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestDiskFull lets a command fill a small disk.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=20m"); err != nil {
		t.Skip("cannot mount: ", err)
	}
	defer func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	run := func(script string, disks ...string) *Result {
		r, err := Run(t.Context(), Command{Argv: []string{"sh", "-c", script}, Dir: dir, Env: []string{"PATH=/usr/bin:/bin"}, Timeout: time.Minute, Disks: disks})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := run("head -c 10000000 /dev/zero > half; sleep 1.5", dir, "", "/nowhere"); r.Ended != NoReason {
		t.Errorf("half of it: %+v", r)
	}
	if r := run("cat /dev/zero > all; sleep 100", dir); r.Ended != DiskFull {
		t.Errorf("%+v", r)
	}
	if got := MemoryBudget(); got < leastMemory {
		t.Errorf("a command may hold %d bytes", got)
	}
	if r := run("sleep 1.5; echo done", dir); r.Ended != NoReason || r.Output.Text != "done\n" {
		t.Errorf("another command was blamed: %+v", r)
	}
}
