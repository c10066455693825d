package state

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestFiles(t *testing.T) {
	d := fresh(t, Options{})
	if _, err := d.ReadFile("a.json"); !errors.Is(err, fs.ErrNotExist) || !fault.Is(err, fault.NotFound) {
		t.Errorf("absent file: %v", err)
	}
	if got := must[[]string](t)(d.List("list")); got != nil {
		t.Errorf("absent directory: %q", got)
	}
	check(t, d.Remove("a.json"))
	for _, data := range []string{"one", "", "three"} {
		check(t, d.WriteFile("list/a.json", []byte(data)))
		if got := must[[]byte](t)(d.ReadFile("list/a.json")); string(got) != data {
			t.Errorf("%q, want %q", got, data)
		}
	}
	check(t, d.WriteFile("list/B", nil))
	check(t, d.WriteFile("list/sub/c", nil))
	if diff := cmp.Diff([]string{"B", "a.json"}, must[[]string](t)(d.List("list"))); diff != "" {
		t.Error(diff)
	}
	check(t, d.Remove("list/a.json"))
	if _, err := d.ReadFile("list/a.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removed file: %v", err)
	}
	check(t, d.WriteFile("big", make([]byte, 32<<20)))
	if err := d.WriteFile("big", make([]byte, 32<<20+1)); !fault.Is(err, fault.TooLarge) {
		t.Errorf("too much: %v", err)
	}
	if left := must[[]os.DirEntry](t)(os.ReadDir(at(t, d, tmpDir))); len(left) > 0 {
		t.Errorf("temporary files: %v", left)
	}
}

func TestNames(t *testing.T) {
	good := []string{"a", "a.json", "a/b-1/c_2", "01H", "a..b", "x@y+z"}
	bad := []string{
		"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", ".a", "a/.b", "a\\b", "a:b", "a\x00", "a b", "a\n", "ä",
		"a.", "blobs/x", "locks/x", "sessions/x", "tmp/x", "tmp", "workspace.json", "journal.jsonl", "CON ", string(make([]byte, 200)),
	}
	for _, name := range good {
		if err := checkFile(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	d := fresh(t, Options{})
	for _, name := range bad {
		_, reading := d.ReadFile(name)
		_, logging := d.Log(name, 0)
		for _, err := range []error{reading, logging, d.WriteFile(name, nil), d.Remove(name)} {
			if !fault.Is(err, fault.InvalidArguments) {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
}

// Readers see one version or the other, never a mixture or nothing.
func TestReadersNeverSeeHalf(t *testing.T) {
	d := fresh(t, Options{})
	versions := [][]byte{bytes.Repeat([]byte("a"), 100<<10), bytes.Repeat([]byte("b"), 50<<10)}
	check(t, d.WriteFile("x", versions[0]))
	var group sync.WaitGroup
	for i := range 2 {
		group.Go(func() {
			for range 20 {
				if err := d.WriteFile("x", versions[i]); err != nil {
					t.Error(err)
				}
			}
		})
		group.Go(func() {
			for range 50 {
				data, err := d.ReadFile("x")
				if err != nil || !bytes.Equal(data, versions[0]) && !bytes.Equal(data, versions[1]) {
					t.Errorf("%d bytes, %v", len(data), err)
				}
			}
		})
	}
	group.Wait()
}
