package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestMoveOutAndIn(t *testing.T) {
	dir, snapshots := t.TempDir(), t.TempDir()
	for _, d := range []string{"d/e", ".git/objects", "plain", ".helve"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	write("d/e/f", "text")
	if err := os.Symlink("e/f", filepath.Join(dir, "d/link")); err != nil {
		t.Fatal(err)
	}
	r, err := opened(dir, Options{Protected: []string{"plain/secret"}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tree := r.Tree()
	sum, size, err := tree.Digest("d")
	if err != nil || size != 4 {
		t.Fatal(size, err)
	}
	if err := tree.MoveOut("d", snapshots, "x"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "d")); err == nil {
		t.Error("d is still there")
	}
	if err := tree.MoveIn(snapshots, "x", "missing/d"); !os.IsNotExist(err) && !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
	if err := tree.MoveIn(snapshots, "x", ".git"); !fault.Is(err, fault.AlreadyExists) {
		t.Errorf("%v", err)
	}
	if err := tree.MoveIn(snapshots, "x", "back"); err != nil {
		t.Fatal(err)
	}
	if again, _, err := tree.Digest("back"); err != nil || again != sum {
		t.Errorf("%s is not %s: %v", again, sum, err)
	}
	if err := errors.Join(tree.Sync([]string{"back", "gone/x"}), tree.SyncTree([]string{"back"})); err != nil {
		t.Error(err)
	}
	for i := range syncSingly {
		write("plain/"+strconv.Itoa(i), "x")
	}
	if err := tree.SyncTree([]string{"plain"}); err != nil {
		t.Error(err)
	}
	for what, change := range map[string]func() error{
		"bytes":  func() error { return os.WriteFile(filepath.Join(dir, "back/e/f"), []byte("TEXT"), 0o640) },
		"a mode": func() error { return os.Chmod(filepath.Join(dir, "back/e"), 0o700) },
		"a name": func() error { return os.Rename(filepath.Join(dir, "back/e/f"), filepath.Join(dir, "back/e/g")) },
		"a link": func() error {
			return os.Remove(filepath.Join(dir, "back/link"))
		},
	} {
		before, _, err := tree.Digest("back")
		if err != nil {
			t.Fatal(err)
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if after, _, err := tree.Digest("back"); err != nil || after == before {
			t.Errorf("the digest does not see that %s changed: %v", what, err)
		}
	}
	// What a repository trusts goes and comes back as a whole only.
	if err := tree.MoveOut(".git", snapshots, "git"); err != nil {
		t.Error(err)
	}
	if err := tree.MoveIn(snapshots, "git", ".git"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{".helve", "plain", "plain/secret"} {
		if err := tree.MoveOut(name, snapshots, "y"); !fault.Is(err, fault.ProtectedPath) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{".helve/x", "../x"} {
		if err := os.MkdirAll(filepath.Join(snapshots, "z"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := tree.MoveIn(snapshots, "z", name); err == nil {
			t.Errorf("%s was made", name)
		}
	}
}
