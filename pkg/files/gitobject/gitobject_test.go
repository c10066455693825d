package gitobject

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/files/gitindex"
)

// onDisk are the files below a directory.
type onDisk string

func (d onDisk) Open(name string) (File, error) { return os.Open(filepath.Join(string(d), name)) }

func (d onDisk) Names(dir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(string(d), dir))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func git(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "gc.auto=0"}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1")
	out, err := c.Output()
	if err != nil {
		t.Fatalf("git %q: %v", args, err)
	}
	return out
}

// history is a repository in which a file has many versions.
func history(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 300_000)
	for i := range text {
		text[i] = byte(random.Uint32())
	}
	for i := range 12 {
		text = append(text[:i*1000], append([]byte(fmt.Sprintf("version %d\n", i)), text[i*1000+i:]...)...)
		for name, data := range map[string][]byte{"big": text, "small": fmt.Appendf(nil, "%d", i), "empty": nil} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git(t, dir, "add", ".")
		git(t, dir, "commit", "-qm", "x")
	}
	return dir
}

// compare reads every file of the history as git does.
func compare(t *testing.T, dir string) {
	t.Helper()
	s, err := Open(onDisk(dir), ".git/objects")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all := git(t, dir, "cat-file", "--batch", "--batch-all-objects")
	read := 0
	for len(all) > 0 {
		line, rest, _ := bytes.Cut(all, []byte("\n"))
		var name, kind string
		var size int
		if _, err := fmt.Sscan(string(line), &name, &kind, &size); err != nil {
			t.Fatal(err)
		}
		want := rest[:size]
		all = rest[size+1:]
		var id gitindex.OID
		if _, err := hex.Decode(id[:], []byte(name)); err != nil {
			t.Fatal(err)
		}
		got, err := s.Blob(id, 1<<20)
		if kind != "blob" {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("%s is no file: %v", name, err)
			}
			continue
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes instead of %d: %v", name, len(got), len(want), err)
		}
		read++
	}
	if read != 25 {
		t.Errorf("read %d files", read)
	}
}

func TestAgainstGit(t *testing.T) {
	dir := history(t)
	t.Run("loose", func(t *testing.T) { compare(t, dir) })
	git(t, dir, "repack", "-qadf", "--depth=50")
	t.Run("packed", func(t *testing.T) { compare(t, dir) })
	// Without offsets, deltas name their bases.
	git(t, dir, "-c", "repack.useDeltaBaseOffset=false", "repack", "-qadf", "--depth=50")
	t.Run("by name", func(t *testing.T) { compare(t, dir) })
}

// TestRemoved reads from packs whose files were removed.
func TestRemoved(t *testing.T) {
	dir := history(t)
	git(t, dir, "repack", "-qadf")
	name := strings.TrimSpace(string(git(t, dir, "rev-parse", "HEAD:big")))
	want := git(t, dir, "cat-file", "blob", name)
	s, err := Open(onDisk(dir), ".git/objects")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		if filepath.Separator == '\\' {
			t.Skip("no Unix") // open files cannot be removed
		}
		t.Fatal(err)
	}
	var id gitindex.OID
	if _, err := hex.Decode(id[:], []byte(name)); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Blob(id, 1<<20); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := s.Blob(id, 1000); !errors.Is(err, ErrLarge) {
		t.Errorf("above the limit: %v", err)
	}
	if _, err := s.Blob(gitindex.OID{1}, 1000); !errors.Is(err, ErrMissing) {
		t.Errorf("missing: %v", err)
	}
}

func TestIncomplete(t *testing.T) {
	for _, file := range []string{"info/alternates", "pack/pack-1.promisor"} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(onDisk(dir), "."); !errors.Is(err, ErrMissing) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestDamaged changes every byte of a pack and of its index in turn.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	git(t, dir, "init", "-q")
	for i := range 3 {
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte(strings.Repeat("some text\n", 20)+fmt.Sprint(i)), 0o644); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "add", ".")
		git(t, dir, "commit", "-qm", "x")
	}
	git(t, dir, "repack", "-qadf")
	name := strings.TrimSpace(string(git(t, dir, "rev-parse", "HEAD~2:f")))
	want := git(t, dir, "cat-file", "blob", name)
	var id gitindex.OID
	if _, err := hex.Decode(id[:], []byte(name)); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"*.pack", "*.idx"} {
		found, err := filepath.Glob(filepath.Join(dir, ".git/objects/pack", suffix))
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		whole, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(found[0], 0o644); err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			broken := bytes.Clone(whole)
			broken[i] ^= 0x55
			if err := os.WriteFile(found[0], broken, 0o644); err != nil {
				t.Fatal(err)
			}
			s, err := Open(onDisk(dir), ".git/objects")
			if err != nil {
				continue
			}
			if got, err := s.Blob(id, 1<<20); err == nil && !bytes.Equal(got, want) {
				t.Errorf("byte %d of %s: read %q", i, suffix, got)
			}
			s.Close()
		}
		if err := os.WriteFile(found[0], whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzApply(f *testing.F) {
	f.Add([]byte("base of it"), []byte("\x0a\x05\x90\x04\x01!"))
	f.Add([]byte("x"), []byte("\x01\x01\x80"))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		if out, err := apply(base, delta, 1<<16); err == nil && len(out) > 1<<16 {
			t.Errorf("%d bytes", len(out))
		}
	})
}
