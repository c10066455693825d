package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

func TestLabel(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := opened(dir, Options{Label: "[lib]"})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, c := range []struct{ in, clean, shown string }{
		{"[lib]", ".", "[lib]"},
		{"[lib]/", ".", "[lib]"},
		{"[lib]/a", "a", "[lib]/a"},
		{"[lib]//a", "a", "[lib]/a"},
		{"[lib]///etc/passwd", "etc/passwd", "[lib]/etc/passwd"},
		{"a", "a", "[lib]/a"},
		{"[lib]a", "[lib]a", "[lib]/[lib]a"},
		{"[other]/a", "[other]/a", "[lib]/[other]/a"},
	} {
		clean, err := root.Clean(c.in)
		if err != nil || clean != c.clean || root.Show(clean) != c.shown || root.Spell(clean) != c.shown {
			t.Errorf("%s: %q, shown as %q, %v", c.in, clean, root.Show(clean), err)
		}
		if again, err := root.Clean(root.Show(clean)); err != nil || again != clean {
			t.Errorf("%s comes back as %q, %v", root.Show(clean), again, err)
		}
	}
	for in, code := range map[string]fault.Code{
		"[lib]/..": fault.OutsideWorkspace, "[lib]/../x": fault.OutsideWorkspace, "[lib]/[lib]/a": fault.Conflict, "[lib]/[lib]": fault.Conflict,
	} {
		if clean, err := root.Clean(in); !fault.Is(err, code) {
			t.Errorf("%s: %q, %v", in, clean, err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "[lib]"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := opened(dir, Options{Label: "[lib]"}); !fault.Is(err, fault.Conflict) {
		t.Error(err)
	}
	plain, err := opened(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if plain.Show("[lib]/a") != "[lib]/a" || plain.Spell("[lib]/a") != "./[lib]/a" {
		t.Error(plain.Show("[lib]/a"), plain.Spell("[lib]/a"))
	}
}

func TestReserved(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"home/.config/tool", "real/state"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "real", "state"), filepath.Join(dir, "state")); err != nil {
		t.Skip("no symlinks")
	}
	root, err := opened(dir, Options{Reserved: []string{
		filepath.Join(dir, "home/.config/tool/config.json"), filepath.Join(dir, "state"), dir, filepath.Join(dir, "..", "elsewhere"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, c := range []struct {
		path string
		use  schema.PathUse
		ok   bool
	}{
		{"home/.config/tool/config.json", schema.WritePath, false},
		{"HOME/.Config/tool/CONFIG.json", schema.WritePath, false},
		{"home/.config/tool/config.json", schema.ReadPath, true},
		{"home/.config", schema.RemovePath, false},
		{"home/.config/tool/other", schema.WritePath, true},
		{"state/x", schema.CreatePath, false},
		{"real/state/x", schema.CreatePath, false},
		{"real", schema.RemovePath, false},
		{"real/x", schema.WritePath, true},
		{"elsewhere", schema.WritePath, true},
	} {
		_, err := root.Resolve(c.path, c.use)
		if (err == nil) != c.ok || err != nil && !fault.Is(err, fault.ProtectedPath) {
			t.Errorf("%s: %v", c.path, err)
		}
	}
}
