package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestResolver holds a resolver against filepath.EvalSymlinks, for a tree with links of all
// kinds.
func TestResolver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	err := os.MkdirAll(filepath.Join(dir, "a/b/c"), 0o700)
	err = errors.Join(err, os.WriteFile(filepath.Join(dir, "a/b/f"), nil, 0o600))
	for name, target := range map[string]string{
		"l": "a/b", "a/up": "..", "a/b/abs": filepath.Join(dir, "a"), "dangling": "none", "loop": "loop", "chain": "l", "a/file": "b/f", "a/b/c/out": "../../../chain/c",
	} {
		err = errors.Join(err, os.Symlink(filepath.FromSlash(target), filepath.Join(dir, name)))
	}
	if err != nil {
		t.Skip(err)
	}
	var r Resolver
	for range 2 {
		for _, name := range []string{
			"", "a", "a/b", "a/b/f", "a/b/f/x", "l", "l/c", "l/f", "a/up/a/b", "a/b/abs/b", "dangling", "dangling/x", "loop", "loop/x", "none", "none/x", "chain/c/out",
			"chain/f", "a/file", "a/file/x", "a/b/c/out/out/out", "a//b", "a/../l/..", "a/./b/",
		} {
			path := dir + string(filepath.Separator) + filepath.FromSlash(name)
			want, wantErr := filepath.EvalSymlinks(path)
			got, err := r.Resolve(path)
			if got != want || (err == nil) != (wantErr == nil) || errors.Is(err, os.ErrNotExist) != errors.Is(wantErr, os.ErrNotExist) {
				t.Errorf("%s: %q, %v; want %q, %v", name, got, err, want, wantErr)
			}
		}
	}
}
