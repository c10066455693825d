package exec

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestCaches starts with what is in the caches of the machine, and changes nothing
// there.
func TestCaches(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".cache/go-build/f", "go/pkg/mod/f", ".m2/repository/f", "mine/f"} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("old\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	call, _ := world(t, config.Exec{Reads: "all"})
	m, err := call.Env.Machine()
	if err != nil {
		t.Fatal(err)
	}
	m.Home = home
	m.Environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
	const line = `unknown-program 2> /dev/null; for d in .cache/go-build .cache/pip go/pkg/mod .m2/repository mine; do
  mkdir -p ~/$d 2> /dev/null; cat ~/$d/f 2> /dev/null; (echo new > ~/$d/f) 2> /dev/null || echo "$d refused"; done`
	r, result := ran(t, call, line)
	switch {
	case !r.Kind.Confines():
		t.Skip("no sandbox")
	case r.Kind != sandbox.Namespaces || slices.ContainsFunc(r.Caches(), func(set string) bool { return strings.HasPrefix(set, "GOCACHE=") }):
		t.Skip("no overlays in user namespaces here")
	}
	if want := "old\nold\nold\nold\nmine refused\n"; result.Output != want {
		t.Errorf("%q, want %q", result.Output, want)
	}
	if _, result = ran(t, call, line); result.Output != "new\nnew\nnew\nnew\nold\nmine refused\n" {
		t.Errorf("later: %q", result.Output)
	}
	for _, name := range []string{".cache/go-build/f", "go/pkg/mod/f"} {
		if text, err := os.ReadFile(filepath.Join(home, name)); err != nil || string(text) != "old\n" {
			t.Errorf("%s is %q, %v", name, text, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(home, ".cache", "pip")); err == nil {
		t.Error("a cache was made on the machine")
	}
	// What is seen to run no tool chain pays for no layers.
	if plain, _ := ran(t, call, "touch x"); plain.usesCaches() {
		t.Errorf("flags %v", plain.verdict.Flags)
	}
	// What the machine does not have is moved to where the command may write.
	env, err := r.environment(false, "/tmp")
	if err != nil {
		t.Fatal(err)
	}
	if npm := run.Value(env, "npm_config_cache"); !strings.HasPrefix(npm, m.Cache) {
		t.Errorf("npm uses %s", npm)
	}
	if dir := run.Value(env, "GOCACHE"); dir != "" {
		t.Errorf("go uses %s", dir)
	}
}
