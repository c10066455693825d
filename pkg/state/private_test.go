//go:build unix

package state_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

func TestReadPrivate(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("secret"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file("open", 0o640), link); err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fault.Code{
		file("own", 0o600): "", file("read-only", 0o400): "",
		file("group", 0o640): fault.PermissionDenied, file("others", 0o604): fault.PermissionDenied, file("written", 0o620): fault.PermissionDenied,
		link: fault.PermissionDenied, dir: fault.IsDirectory, fifo: fault.NotAFile, filepath.Join(dir, "none"): fault.NotFound,
	} {
		data, err := state.ReadPrivate(path, 6)
		if want == "" && (err != nil || string(data) != "secret") || want != "" && !fault.Is(err, want) {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	if _, err := state.ReadPrivate(filepath.Join(dir, "own"), 5); !fault.Is(err, fault.TooLarge) {
		t.Error(err)
	}
}
