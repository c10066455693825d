package workspace

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Git, which wrote the index, says what is in it.
func TestTracks(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	put := func(name string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	open := func(dir string) *Root {
		t.Helper()
		r, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close() })
		return r
	}
	for _, name := range []string{"a/b", "ab/c", "link", "a-b", "sub/dist/x"} {
		put(name)
	}
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", dir, "-c", "core.hooksPath=/dev/null"}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v %s", args, err, out)
		}
	}
	r := open(dir)
	git("init", "-q")
	if Tracks(r, ".", "a") {
		t.Error("nothing was added")
	}
	git("add", ".")
	for _, c := range []struct {
		dir  string
		want bool
	}{{"a", true}, {"ab", true}, {"b", false}, {"dist", false}, {"sub/dist", true}, {"sub", true}, {"lin", false}} {
		if got := Tracks(r, ".", c.dir); got != c.want {
			t.Errorf("%s: %v", c.dir, got)
		}
	}
	put("later")
	git("add", "-N", "later") // version 3, for a flag that only it has
	if Tracks(r, ".", "dist") || !Tracks(r, ".", "a") {
		t.Error("version 3")
	}
	// A part of the repository as root, and a worktree.
	sub := open(filepath.Join(dir, "sub"))
	if !Tracks(sub, "../", "dist") || Tracks(sub, "../", "other") {
		t.Error("from below")
	}
	if !Tracks(r, "nowhere", "nowhere/dist") {
		t.Error("no repository: nobody knows")
	}
	for _, form := range []string{"--index-version=4", "--split-index"} {
		git("update-index", "--index-version=2")
		git("update-index", form)
		if !Tracks(r, ".", "dist") {
			t.Errorf("%s: cannot be known", form)
		}
	}
}

func FuzzIndexed(f *testing.F) {
	entry := make([]byte, 62, 72)
	entry = append(entry, "dist/x\x00\x00\x00\x00"...)
	index := append([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"), entry...)
	f.Add(append(index, make([]byte, 20)...), "dist/")
	f.Add([]byte("DIRC"), "")
	f.Fuzz(func(t *testing.T, index []byte, prefix string) {
		if indexed(index, prefix) {
			return
		}
		// What is not there is not there, and then there were entries to look at.
		if len(index) < 32 || prefix == "" && binary.BigEndian.Uint32(index[8:]) > 0 {
			t.Errorf("%q has nothing that begins with %q", index, prefix)
		}
	})
}
