//go:build linux && (amd64 || arm64)

package linux

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// tmpDir returns a new directory in the machine's /tmp, with a workspace, a file and a
// secret in it.
func tmpDir(t *testing.T) sandbox.Profile {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "sandbox-temp-") //nolint:usetesting // the place matters
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Log(err)
		}
	})
	return workspaceIn(t, dir)
}

// TestLastingTemp runs commands one after the other with one temporary directory.
func TestLastingTemp(t *testing.T) {
	if !support.Namespaces {
		t.Skip("it takes namespaces")
	}
	p := tmpDir(t)
	dir := filepath.Dir(p.Workspace)
	outside, base := filepath.Join(dir, "outside"), filepath.Base(dir)
	p.Readable = []string{outside, "/usr"}
	for i, c := range []struct{ script, want string }{
		{"echo kept > /tmp/f; cat a; cat " + outside, "a\noutside\n"},
		{"cat /tmp/f; ls " + dir, "kept\noutside\nws\n"},
		{"echo x 2> /dev/null > " + outside + " || echo refused", "refused\n"},
		// What is in the way of a mount is moved aside, and leads it nowhere.
		{"mv /tmp/" + base + " /tmp/other; ln -s /usr /tmp/" + base + "; echo x > /tmp/other/ws/n", ""},
		{"cat n; ls /tmp/*.aside-* > /dev/null && ls " + dir, "x\noutside\nws\n"},
		// A name that is secret on the machine is the command's own here.
		{"echo own > " + dir + "/secret && cat " + dir + "/secret", "own\n"},
		{"cat " + dir + "/secret", "own\n"},
		{"cp /bin/sh /tmp/sh && chmod 4755 /tmp/sh && findmnt -no OPTIONS /tmp 2> /dev/null || grep ' /tmp ' /proc/self/mountinfo", "nosuid"},
	} {
		o := run(t, sandbox.Namespaces, p, "sh", "-c", c.script)
		if o.out != c.want && (c.want != "nosuid" || !strings.Contains(o.out, "nosuid,nodev")) {
			t.Errorf("%d: %q, want %q", i, o.out, c.want)
		}
	}
	if data, err := os.ReadFile(filepath.Join(p.Temp, "f")); err != nil || string(data) != "kept\n" {
		t.Errorf("%q, %v", data, err)
	}
	p.Temp = ""
	if o := run(t, sandbox.Namespaces, p, "sh", "-c", "ls /tmp"); o.out != base+"\n" {
		t.Errorf("without one, there is %q", o.out)
	}
}
