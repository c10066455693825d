package copy

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// TestBounds: what would take too long or too much memory is refused before anything
// of it is read.
func TestBounds(t *testing.T) {
	for name, c := range map[string]struct {
		files int
		bytes int64 // of each
		code  fault.Code
	}{
		"most files":     {maxEntries - 1, 0, ""},
		"too many files": {maxEntries, 0, fault.TooLarge},
		"most bytes":     {2, 32 << 20, ""},
		"too many bytes": {3, 32 << 20, fault.TooLarge},
		"a large file":   {1, 32<<20 + 1, fault.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "from"), 0o755); err != nil {
				t.Fatal(err)
			}
			for i := range c.files {
				file := filepath.Join(dir, "from", strconv.Itoa(i))
				if err := os.WriteFile(file, nil, 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.Truncate(file, c.bytes); err != nil { // takes no room
					t.Fatal(err)
				}
			}
			root, err := workspace.Open(dir, workspace.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			call := &tool.Call{Env: &tool.Env{Root: func() (*workspace.Root, error) { return root, nil }}}
			entries, err := list(t.Context(), call, Args{From: "from", To: "to"})
			if c.code == "" && (err != nil || len(entries) != c.files+1) || c.code != "" && !fault.Is(err, c.code) {
				t.Errorf("%d entries, %v; want %q", len(entries), err, c.code)
			}
		})
	}
}

// TestMeanwhile: what another process puts there between the judging and the copying
// is not copied.
func TestMeanwhile(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("a", "a")
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	call := &tool.Call{Env: &tool.Env{Root: func() (*workspace.Root, error) { return root, nil }}}
	entries, err := list(t.Context(), call, Args{From: "a", To: "b"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := changesOf(t.Context(), root, entries); err != nil {
		t.Error(err)
	}
	put("other", "b") // while the first is there, so that it is another file
	if err := os.Rename(filepath.Join(dir, "other"), filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	if _, err := changesOf(t.Context(), root, entries); !fault.Is(err, fault.Conflict) {
		t.Errorf("another file: %v", err)
	}
	if err := judged(call, entries); !fault.Is(err, fault.Conflict) {
		t.Errorf("a path that was not judged: %v", err)
	}
	call.Paths = []tool.Path{{Target: tool.Target{Use: schema.CreatePath}, Real: root.At("b")}}
	if err := judged(call, entries); err != nil {
		t.Error(err)
	}
}
