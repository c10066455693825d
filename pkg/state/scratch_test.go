package state

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestScratch(t *testing.T) {
	now := time.Now()
	d, err := Open(filepath.Join(t.TempDir(), "state"), t.TempDir(), Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	scratch := func(session string) string {
		t.Helper()
		path, err := d.Scratch(session)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	one := scratch("one")
	if info, err := os.Stat(one); err != nil || runtime.GOOS != "windows" && info.Mode() != fs.ModeDir|fs.ModeSticky|0o777 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(filepath.Join(one, "f"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	there := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	now = now.Add(6 * 24 * time.Hour)
	if two := scratch("two"); two == one || !there(one) {
		t.Errorf("%s and %s", one, two)
	}
	if scratch("one") != one || !there(filepath.Join(one, "f")) {
		t.Error("it did not last")
	}
	now = now.Add(6 * 24 * time.Hour)
	if err := d.Sweep(t.Context()); err != nil || !there(filepath.Join(one, "f")) {
		t.Errorf("what is in use went: %v", err)
	}
	now = now.Add(2 * 24 * time.Hour)
	if scratch("three"); there(one) {
		t.Error("it stays for ever")
	}
	if _, err := d.Scratch("a/b"); err == nil {
		t.Error("the name of a session has no slashes")
	}
}

func TestTrim(t *testing.T) {
	now := time.Now()
	d, err := Open(filepath.Join(t.TempDir(), "state"), t.TempDir(), Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{}
	for i, name := range []string{"oldest", "middle", "newest"} {
		path, err := d.Directory("things/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(path, "deep"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "deep", "f"), make([]byte, 1000), 0o600); err != nil {
			t.Fatal(err)
		}
		at := now.Add(time.Duration(i-3) * time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		paths[name] = path
	}
	for _, c := range []struct {
		bytes int64
		age   time.Duration
		want  int
	}{{3000, 4 * time.Hour, 3}, {2500, 4 * time.Hour, 2}, {10, 4 * time.Hour, 1}, {10, time.Minute, 0}} {
		if err := d.Trim("things", c.age, c.bytes); err != nil {
			t.Fatal(err)
		}
		left := 0
		for name, path := range paths {
			if _, err := os.Lstat(path); err == nil {
				left++
				if c.want == 1 && name != "newest" {
					t.Errorf("%s is left", name)
				}
			}
		}
		if left != c.want {
			t.Errorf("%d bytes, %s: %d are left, want %d", c.bytes, c.age, left, c.want)
		}
	}
	if err := d.Trim("nothing", 0, 0); err != nil {
		t.Error(err)
	}
}
