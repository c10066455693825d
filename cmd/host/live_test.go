package host

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/tool"
)

// settle makes what was noted count as old, as it is two seconds later.
func (s *sources) settle() {
	for path, one := range s.noted {
		one.fresh = false
		s.noted[path] = one
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSources notices each way in which a source can become another, and nothing
// where none did.
func TestSources(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(file string) error
		same   bool
	}{
		{"nothing", func(string) error { return nil }, true},
		{"content of another length", func(f string) error { return os.WriteFile(f, []byte("longer"), 0o600) }, false},
		{"content of the same length, with the old time", func(f string) error {
			before, err := os.Stat(f)
			if err != nil {
				return err
			}
			for range 1000 { // until the clock of the file system has ticked
				if err := os.WriteFile(f, []byte("two"), 0o600); err != nil {
					return err
				}
				if now, err := os.Stat(f); err != nil || !changed(now).Equal(changed(before)) {
					break
				}
				<-time.After(time.Millisecond)
			}
			return os.Chtimes(f, time.Time{}, before.ModTime())
		}, false},
		{"another file by a rename", func(f string) error {
			if err := os.WriteFile(f+"~", []byte("one"), 0o600); err != nil {
				return err
			}
			return os.Rename(f+"~", f)
		}, false},
		{"no file", os.Remove, false},
		{"a link", func(f string) error {
			if err := os.Rename(f, f+"~"); err != nil {
				return err
			}
			return os.Symlink(f+"~", f)
		}, false},
		{"a file where none was", func(f string) error { return os.WriteFile(f+".missing", nil, 0o600) }, false},
		{"a file in a directory", func(f string) error { return os.WriteFile(filepath.Join(filepath.Dir(f), "dir", "x"), nil, 0o600) }, false},
		{"a file where one only works", func(f string) error { return os.WriteFile(filepath.Join(filepath.Dir(f), "place", "x"), nil, 0o600) }, true},
		{"another directory to work in", func(f string) error {
			place := filepath.Join(filepath.Dir(f), "place")
			if err := os.Rename(place, place+"~"); err != nil {
				return err
			}
			return os.Mkdir(place, 0o755)
		}, false},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "config.json")
		write(t, file, "one")
		for _, sub := range []string{"dir", "place"} {
			if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		s := &sources{}
		s.note(file)
		s.note(file + ".missing")
		s.note(filepath.Join(dir, "dir"))
		s.notePlace(filepath.Join(dir, "place"))
		if s.unchanged() {
			t.Error("a file that changed just now may change again unseen")
		}
		s.settle()
		if err := c.change(file); err != nil {
			t.Logf("%s: %v", c.name, err) // such as a link on Windows
			continue
		}
		if got := s.unchanged(); got != c.same {
			t.Errorf("%s: unchanged is %v", c.name, got)
		}
	}
}

// TestLive loads once, and anew only after a change.
func TestLive(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	for name, value := range map[string]string{"HELVE_HOME": home, "HELVE_ROOT": dir, "HELVE_PROJECT": "", "HELVE": ""} {
		t.Setenv(name, value)
	}
	write(t, filepath.Join(dir, ".helve", "tools", "a.json"), "{}")
	h := New(FromEnvironment())
	defer h.Close()
	live := h.Live()
	env := func() *tool.Env {
		t.Helper()
		e, catalog, err := live.Env()
		if err != nil {
			t.Fatal(err)
		}
		catalog.Tools() // reads the manifests, too
		live.seen.settle()
		return e
	}
	first := env()
	for range 2 {
		if env() != first {
			t.Error("loaded again without a change")
		}
	}
	root, err := first.Root()
	if err != nil {
		t.Fatal(err)
	}
	write(t, h.Dirs.UserConfig, `{"readonly":true}`)
	second := env()
	if second == first || !second.ReadOnly || first.ReadOnly {
		t.Errorf("first read-only %v, second %v", first.ReadOnly, second.ReadOnly)
	}
	if again, err := second.Root(); err != nil || again != root || len(h.roots.opened) != 1 {
		t.Errorf("the directory was opened %d times, %v", len(h.roots.opened), err)
	}
	write(t, filepath.Join(dir, ".helve", "tools", "a.json"), "{ }")
	if env() == second {
		t.Error("a manifest changed unseen")
	}
	write(t, h.Dirs.UserConfig, `{"readonly":`)
	for range 2 {
		if _, _, err := live.Env(); err == nil {
			t.Error("a faulty file is no error")
		}
	}
	write(t, h.Dirs.UserConfig, `{"readonly":false}`)
	if env().ReadOnly {
		t.Error("the mended file does not count")
	}
}
