package state

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestCopyTree tests what Move does between file systems.
func TestCopyTree(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	then := time.Unix(1_000_000_000, 5000)
	for _, step := range []error{
		os.MkdirAll(filepath.Join(from, "sub"), 0o755), os.WriteFile(filepath.Join(from, "sub/f"), []byte("text"), 0o640),
		os.Chtimes(filepath.Join(from, "sub/f"), then, then), os.Symlink("/nowhere", filepath.Join(from, "link")), os.Chmod(filepath.Join(from, "sub"), 0o555),
		copyTree(from, to),
	} {
		if step != nil {
			t.Fatal(step)
		}
	}
	t.Cleanup(func() {
		for _, d := range []string{from, to} {
			if err := os.Chmod(filepath.Join(d, "sub"), 0o755); err != nil {
				t.Error(err)
			}
		}
	})
	for _, name := range []string{".", "sub", "sub/f", "link"} {
		a, err1 := os.Lstat(filepath.Join(from, name))
		b, err2 := os.Lstat(filepath.Join(to, name))
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if a.Mode() != b.Mode() || a.Mode()&fs.ModeSymlink == 0 && !a.ModTime().Equal(b.ModTime()) {
			t.Errorf("%s: %v %v, was %v %v", name, b.Mode(), b.ModTime(), a.Mode(), a.ModTime())
		}
	}
	if data, err := os.ReadFile(filepath.Join(to, "sub/f")); err != nil || string(data) != "text" {
		t.Errorf("%q %v", data, err)
	}
	if target, err := os.Readlink(filepath.Join(to, "link")); err != nil || target != "/nowhere" {
		t.Errorf("%q %v", target, err)
	}
	if err := copyTree(from, to); err == nil {
		t.Error("it was copied over what was there")
	}
}
