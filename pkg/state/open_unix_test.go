//go:build unix

package state

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// Another user's symbolic link must not lead the state anywhere, so the check
// runs in a process of an ordinary user.
func TestLinkOfSomebodyElse(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be two users")
	}
	const user, stranger = 54321, 54322
	top := t.TempDir()
	check(t, os.Chmod(top, 0o755))
	check(t, os.Chmod(filepath.Dir(top), 0o755)) // made for this test as well
	root, real := filepath.Join(top, "root"), filepath.Join(top, "real")
	for _, dir := range []string{root, real} {
		check(t, os.Mkdir(dir, 0o700))
		check(t, os.Chown(dir, user, user))
	}
	for name, tt := range map[string]struct {
		owner int
		want  string
	}{"own": {user, ""}, "of root": {0, ""}, "of a stranger": {stranger, "belongs to somebody else"}} {
		t.Run(name, func(t *testing.T) {
			link := filepath.Join(top, strings.ReplaceAll(name, " ", "-"))
			check(t, os.Symlink(real, link))
			check(t, os.Lchown(link, tt.owner, tt.owner))
			// The binary lies where only root can go; its open file can be run.
			exe, err := os.Open("/proc/self/exe")
			if err != nil {
				t.Skip("no /proc")
			}
			defer exe.Close()
			cmd := exec.Command("/proc/self/fd/3", link, root)
			cmd.ExtraFiles = []*os.File{exe}
			cmd.Env = append(os.Environ(), childEnv+"=open")
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
			out, err := cmd.CombinedOutput()
			if tt.want == "" && err != nil || !strings.Contains(string(out), tt.want) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// Whoever makes the directory first, where everybody can, must not own the state
// of others, be they root.
func TestDirectoryOfSomebodyElse(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be two users")
	}
	shared := t.TempDir()
	mine := filepath.Join(shared, "helve-"+owner())
	check(t, os.Mkdir(mine, 0o700))
	check(t, os.Chown(mine, 54322, 54322))
	root := t.TempDir()
	for base, opt := range map[string]Options{
		mine: {}, filepath.Join(root, "inside"): {Fallback: shared},
	} {
		d := must[*Dir](t)(Open(base, root, opt))
		if err := d.WriteFile("x", nil); !fault.Is(err, fault.PermissionDenied) {
			t.Errorf("%s: %v", base, err)
		}
	}
}

func TestReadOnlyBase(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can write everywhere")
	}
	base := filepath.Join(t.TempDir(), "state")
	check(t, os.Mkdir(base, 0o500))
	d := must[*Dir](t)(Open(base, t.TempDir(), Options{Fallback: t.TempDir()}))
	check(t, d.WriteFile("x.json", nil))
	if d.Warning().IsZero() {
		t.Error("not volatile")
	}
	d = must[*Dir](t)(Open(base, t.TempDir(), Options{Shared: true, Fallback: t.TempDir()}))
	if err := d.WriteFile("x.json", nil); !fault.Is(err, fault.PermissionDenied) {
		t.Errorf("shared: %v", err)
	}
	if _, writable, err := d.Look(); err != nil || writable {
		t.Errorf("to be read: writable %v, %v", writable, err)
	}
}
