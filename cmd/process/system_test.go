package process

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestKernel(t *testing.T) {
	if name, release, ok := strings.Cut(Kernel(), " "); !ok || name == "" || !strings.ContainsAny(release[:1], "0123456789") {
		t.Errorf("%q", Kernel())
	}
}

func TestDiskLeft(t *testing.T) {
	dir := t.TempDir()
	if left, err := DiskLeft(dir); err != nil || left < 1<<20 {
		t.Errorf("%d, %v", left, err)
	}
	if _, err := DiskLeft(filepath.Join(dir, "none")); err == nil {
		t.Error("there is no such directory")
	}
}
