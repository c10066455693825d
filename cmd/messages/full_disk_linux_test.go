package messages_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// On a full disk a message is refused. When there is room again, what was sent is there,
// and more can be sent.
func TestFullDiskKeepsMessages(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	home := t.TempDir()
	if err := unix.Mount("tmpfs", home, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("no small file system to fill: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(home, unix.MNT_DETACH) })
	cmdtest.Setenv(dir, "HELVE_HOME="+home)
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
