package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// TestInPlace has files that writing overwrites, because they have further names.
func TestInPlace(t *testing.T) {
	dir := t.TempDir()
	root, err := opened(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"single", "linked"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(dir, "linked"), filepath.Join(dir, "other")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"single": false, "linked": true, "other": true, "sub": false, "absent": false, "sub/absent": false, "absent/x": false} {
		if got := root.Tree().InPlace(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
