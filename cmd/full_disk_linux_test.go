package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// On a full disk a message is refused. When there is room again, what was sent is there,
// and more can be sent.
func TestFullDiskKeepsMessages(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	home := t.TempDir()
	if err := unix.Mount("tmpfs", home, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("no small file system to fill: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(home, unix.MNT_DETACH) })
	t.Setenv("HELVE_HOME", home)
	filler := cmdtest.Put(t, home, "filler", strings.Repeat("x", 128<<10))
	long := strings.Repeat(" word", 12000)
	var want []string
	for {
		content := fmt.Sprint(len(want), long)
		a, exit := cmdtest.Call(t, cmdtest.Helve(dir, "message", "--channel", "c", "--to", "1", "--content", content))
		if a.OK {
			want = append(want, content)
			continue
		}
		if a.Error.Code != "io_error" || exit != 1 || !strings.Contains(a.Error.Message, "no space") || a.Error.Hint == "" {
			t.Errorf("exit %d, %+v", exit, a)
		}
		break
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "message", "--channel", "c", "--to", "1", "--content", "the end")); !a.OK {
		t.Errorf("with room again: %+v", a)
	}
	var got []string
	for _, m := range cmdtest.Received(t, dir) {
		got = append(got, m["content"].(string))
	}
	if diff := cmp.Diff(append(want, "the end"), got); diff != "" || len(want) == 0 {
		t.Errorf("%d were sent: %.2000s", len(want), diff)
	}
}

// On a full disk a write fails with a code, and the file keeps its content.
func TestFullDisk(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
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
