package state

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestDirectories(t *testing.T) {
	now := time.Now()
	d, err := Open(filepath.Join(t.TempDir(), "state"), t.TempDir(), Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	path, err := d.Directory("things/one/upper")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path, "shut/in"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(path, "shut"), 0); err != nil {
		t.Fatal(err)
	}
	there := func() bool { _, err := os.Lstat(path); return err == nil }
	if err := d.ExpireDirectories("things", time.Hour); err != nil || !there() {
		t.Errorf("%v, it is there: %v", err, there())
	}
	now = now.Add(2 * time.Hour)
	if err := d.ExpireDirectories("things", time.Hour); err != nil || there() {
		t.Errorf("%v, it is there: %v", err, there())
	}
	if err := d.ExpireDirectories("nothing", time.Hour); err != nil {
		t.Error(err)
	}
	if err := d.RemoveDirectory("things"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"", "..", "a/../..", "/abs"} {
		if _, err := d.Directory(name); err == nil {
			t.Errorf("%q was made", name)
		}
		if err := d.RemoveDirectory(name); err == nil {
			t.Errorf("%q was removed", name)
		}
	}
}
