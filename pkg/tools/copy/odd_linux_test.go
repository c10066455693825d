package copy

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// TestOddEntries: a pipe is neither read nor left out.
func TestOddEntries(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	call := &tool.Call{Env: &tool.Env{Root: func() (*workspace.Root, error) { return root, nil }}}
	if _, err := list(t.Context(), call, Args{From: "pipe", To: "b"}); !fault.Is(err, fault.NotAFile) {
		t.Error(err)
	}
}
