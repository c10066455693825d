//go:build unix

package search_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search"
)

// TestPipes checks that a search does not wait for a pipe, even if it has the
// name of an ignore file.
func TestPipes(t *testing.T) {
	dir := tree(t, map[string]string{"a": "foo", "d/b": "foo"})
	for _, name := range []string{"pipe", ".gitignore", "d/.ignore"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Skip(err)
		}
	}
	for kind, r := range roots(t, dir) {
		if got := text(grep(t, r, search.GrepOptions{Pattern: "foo"})); got != "a:1:foo\nd/b:1:foo\n" {
			t.Errorf("%s: %s", kind, got)
		}
		o := search.GrepOptions{Pattern: "foo"}
		o.Path = "pipe"
		if _, err := search.Grep(context.Background(), r, o); !fault.Is(err, fault.NotAFile) {
			t.Errorf("%s: a pipe as the start: %v", kind, err)
		}
	}
}

// TestUnreadable checks that unreadable files and directories are reported and do
// not end the search.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is unreadable for root")
	}
	dir := tree(t, map[string]string{"a": "foo", "b": "foo", "d/c": "foo"})
	for _, name := range []string{"b", "d"} {
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := os.Chmod(filepath.Join(dir, "d"), 0o755); err != nil {
			t.Error(err)
		}
	})
	r := grep(t, root(t, dir), search.GrepOptions{Pattern: "foo"})
	if text(r) != "a:1:foo\n" || r.Skipped.Denied != 2 || len(r.Problems) != 2 || r.Problems[0].Path != "b" {
		t.Errorf("%+v", r)
	}
	o := search.GrepOptions{Pattern: "foo"}
	o.Path = "d"
	if _, err := search.Grep(context.Background(), root(t, dir), o); !fault.Is(err, fault.PermissionDenied) {
		t.Errorf("%v", err)
	}
}
