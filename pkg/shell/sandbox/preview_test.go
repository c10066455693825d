//go:build unix

package sandbox

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRemoveAll removes directories that a command has shut.
func TestRemoveAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	if err := os.MkdirAll(filepath.Join(dir, "shut/inner"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"shut/inner", "shut"} {
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := RemoveAll(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Error(err)
	}
}
