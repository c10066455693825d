package state

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestOpenTouchesNothing(t *testing.T) {
	base := filepath.Join(t.TempDir(), "state")
	if _, err := Open(base, filepath.Join(base, "no", "such", "root"), Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(base); !os.IsNotExist(err) {
		t.Fatalf("base after Open: %v", err)
	}
	if _, err := Open("state", t.TempDir(), Options{}); !fault.Is(err, fault.NotConfigured) {
		t.Fatalf("relative base: %v", err)
	}
}

func TestDirectoryIsPrivateAndSaysWhose(t *testing.T) {
	d := fresh(t, Options{})
	check(t, d.WriteFile("a/b.json", []byte("{}")))
	dir := at(t, d, "")
	for name, want := range map[string]fs.FileMode{"": 0o700 | fs.ModeDir, "a": 0o700 | fs.ModeDir, "a/b.json": 0o600, identity: 0o600} {
		info := must[fs.FileInfo](t)(os.Lstat(filepath.Join(dir, name)))
		if runtime.GOOS != "windows" && info.Mode() != want {
			t.Errorf("%q has mode %v, want %v", name, info.Mode(), want)
		}
	}
	var who struct{ Root string }
	check(t, json.Unmarshal(must[[]byte](t)(os.ReadFile(filepath.Join(dir, identity))), &who))
	if real := must[string](t)(filepath.EvalSymlinks(d.root)); who.Root != real {
		t.Errorf("identity says %q, want %q", who.Root, real)
	}
	if !d.Warning().IsZero() {
		t.Errorf("volatile: %v", d.Warning())
	}
}

func TestOneDirectoryForAllSpellingsOfARoot(t *testing.T) {
	root := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	check(t, os.Symlink(root, link))
	base := t.TempDir()
	check(t, os.Chmod(base, 0o700))
	paths := map[string]bool{}
	for _, spelling := range []string{root, link, root + "/", filepath.Join(root, "x", "..")} {
		d := must[*Dir](t)(Open(base, spelling, Options{}))
		paths[at(t, d, "")] = true
	}
	if len(paths) != 1 {
		t.Errorf("directories: %v", paths)
	}
	other := must[*Dir](t)(Open(base, t.TempDir(), Options{}))
	if paths[at(t, other, "")] {
		t.Error("another root has the same directory")
	}
}

func TestBaseThatCannotBeUsed(t *testing.T) {
	blocked := func(t *testing.T, root string) string {
		file := filepath.Join(t.TempDir(), "file")
		check(t, os.WriteFile(file, nil, 0o600))
		return filepath.Join(file, "state")
	}
	tests := map[string]struct {
		base     func(t *testing.T, root string) string
		fallback bool
		code     fault.Code // "" is the fallback in use
	}{
		"blocked":             {blocked, true, ""},
		"blocked, no other":   {blocked, false, fault.NotConfigured},
		"inside":              {func(_ *testing.T, root string) string { return filepath.Join(root, ".state") }, true, ""},
		"inside, no other":    {func(_ *testing.T, root string) string { return filepath.Join(root, ".state") }, false, fault.NotConfigured},
		"the root itself":     {func(_ *testing.T, root string) string { return root }, false, fault.NotConfigured},
		"inside by a symlink": {insideByLink, false, fault.NotConfigured},
		"group may write":     {withMode(0o770), true, fault.PermissionDenied},
		"all may write":       {withMode(0o777), true, fault.PermissionDenied},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && tt.code == fault.PermissionDenied {
				t.Skip("no mode bits")
			}
			root := t.TempDir()
			base, opt := tt.base(t, root), Options{}
			if tt.fallback {
				opt.Fallback = t.TempDir()
			}
			d := must[*Dir](t)(Open(base, root, opt))
			err := d.WriteFile("x.json", []byte("1"))
			if tt.code != "" {
				if !fault.Is(err, tt.code) {
					t.Errorf("error %v, want %s", err, tt.code)
				}
				return
			}
			check(t, err)
			dir := at(t, d, "")
			if real := must[string](t)(filepath.EvalSymlinks(opt.Fallback)); !strings.HasPrefix(dir, real) {
				t.Errorf("directory %s is not below the fallback", dir)
			}
			if d.Warning().In(fault.Chinese) == "" || !strings.Contains(d.Warning().String(), dir) {
				t.Errorf("warning %q", d.Warning())
			}
			if entries := must[[]os.DirEntry](t)(os.ReadDir(root)); len(entries) > 0 {
				t.Errorf("the workspace has %v", entries)
			}
		})
	}
}

// What others must find is kept where they look for it, or nowhere.
func TestSharedNeverMoves(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(file, nil, 0o600))
	opt := Options{Shared: true, Fallback: t.TempDir()}
	d := must[*Dir](t)(Open(filepath.Join(file, "state"), t.TempDir(), opt))
	if err := d.WriteFile("x", nil); !fault.Is(err, fault.IOError) {
		t.Errorf("below a file: %v", err)
	}
	if path, _, err := d.Look(); err == nil {
		t.Errorf("to be read below a file: %s", path)
	}
	if entries := must[[]os.DirEntry](t)(os.ReadDir(opt.Fallback)); len(entries) > 0 {
		t.Errorf("the fallback has %v", entries)
	}
	root := t.TempDir()
	d = must[*Dir](t)(Open(filepath.Join(root, "state"), root, opt))
	check(t, d.WriteFile("x", nil))
	if d.Warning().IsZero() {
		t.Error("nothing warns of a base inside the workspace")
	}
}

func insideByLink(t *testing.T, root string) string {
	check(t, os.Mkdir(filepath.Join(root, "sub"), 0o700))
	link := filepath.Join(t.TempDir(), "link")
	check(t, os.Symlink(filepath.Join(root, "sub"), link))
	return filepath.Join(link, "state")
}

func withMode(mode fs.FileMode) func(*testing.T, string) string {
	return func(t *testing.T, _ string) string {
		base := filepath.Join(t.TempDir(), "state")
		check(t, os.Mkdir(base, 0o700))
		check(t, os.Chmod(base, mode))
		return base
	}
}

func TestDirectoryTakenAwayComesBack(t *testing.T) {
	d := fresh(t, Options{})
	check(t, d.WriteFile("x.json", []byte("1")))
	check(t, os.RemoveAll(d.base))
	check(t, d.WriteFile("x.json", []byte("2")))
	if got := must[[]byte](t)(os.ReadFile(at(t, d, "x.json"))); string(got) != "2" {
		t.Errorf("file holds %q", got)
	}
}

func TestLabel(t *testing.T) {
	tests := map[string]struct{ name, tail string }{
		"plain":  {"my-project_1", "-my-project_1"},
		"odd":    {"a b/../c:d\x00e\xff", "-abcde"},
		"none":   {"項目", ""},
		"long":   {strings.Repeat("x", 100), "-" + strings.Repeat("x", 32)},
		"nul":    {"NUL", "-NUL"},
		"device": {".", ""},
	}
	for name, tt := range tests {
		if got := dirName("root", tt.name); got != dirName("root", "")+tt.tail {
			t.Errorf("%s: %q", name, got)
		}
	}
}
