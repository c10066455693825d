package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestWriteKeepsAttributes(t *testing.T) {
	ws, _ := workspaceDir(t)
	tree(t, ws, "f = old")
	file := filepath.Join(ws, "f")
	want := map[string]string{"user.helve.test": "value", "user.empty": ""}
	for name, value := range want {
		if err := unix.Setxattr(file, name, []byte(value), 0); errors.Is(err, unix.ENOTSUP) {
			t.Skip("no extended attributes here")
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 {
		// What gives the old program rights must not pass to the new text.
		capability := []byte{1, 0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
		if err := unix.Setxattr(file, "security.capability", capability, 0); err != nil {
			t.Log("no file capabilities here:", err)
		}
	}
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.WriteFile("f", []byte("new"), WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, value := range want {
		buf := make([]byte, 100)
		if n, err := unix.Getxattr(file, name, buf); err != nil || string(buf[:n]) != value {
			t.Errorf("%s = %q, %v", name, buf[:max(n, 0)], err)
		}
	}
	if _, err := unix.Getxattr(file, "security.capability", nil); err != unix.ENODATA {
		t.Errorf("the capability: %v", err)
	}
}

func TestWriteKeepsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may give a file away")
	}
	ws, _ := workspaceDir(t)
	tree(t, ws, "f = old")
	file := filepath.Join(ws, "f")
	if err := os.Chown(file, 1234, 4321); err != nil {
		t.Fatal(err)
	}
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.WriteFile("f", []byte("new"), WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	i, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if st := i.Sys().(*syscall.Stat_t); st.Uid != 1234 || st.Gid != 4321 {
		t.Errorf("owner %d:%d", st.Uid, st.Gid)
	}
}

// TestHardLinkToProtected writes to a protected file under its other name.
func TestHardLinkToProtected(t *testing.T) {
	ws, _ := workspaceDir(t)
	tree(t, ws, ".git/config = old", ".git/hooks/pre-commit = old", ".git/description = old", ".helve/config.json = old")
	for name, target := range map[string]string{
		"c": ".git/config", "h": ".git/hooks/pre-commit", "d": ".git/description", "j": ".helve/config.json",
	} {
		if err := os.Link(filepath.Join(ws, target), filepath.Join(ws, name)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, name := range []string{"c", "h", "j"} {
		_, err := r.WriteFile(name, []byte("new"), WriteOptions{})
		wantCode(t, err, fault.ProtectedPath)
		wantText(t, filepath.Join(ws, name), "old")
	}
	if _, err := r.WriteFile("d", []byte("new"), WriteOptions{}); err != nil {
		t.Error(err)
	}
	wantText(t, filepath.Join(ws, ".git/description"), "new")
}
