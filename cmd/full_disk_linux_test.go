package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// On a full disk a write fails with a code, and the file keeps its content.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("no small file system to fill: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	cmdtest.Put(t, dir, "f.txt", strings.Repeat("old\n", 10_000))
	c := cmdtest.Helve(dir, "write")
	c.Stdin = strings.NewReader(`{"path":"f.txt","allow_shrink":true,"content":"` + strings.Repeat("new", 200_000) + `"}`)
	a, exit := cmdtest.Call(t, c)
	if a.Error.Code != "io_error" || exit != 1 || !strings.Contains(a.Error.Message, "no space") || a.Error.Hint == "" {
		t.Errorf("exit %d, %+v", exit, a)
	}
	got, err := os.ReadFile(filepath.Join(dir, "f.txt"))
	if err != nil || string(got) != strings.Repeat("old\n", 10_000) {
		t.Errorf("the file has changed: %d bytes, %v", len(got), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
