package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

func TestOpenRefusesWhatIsNoWorkspace(t *testing.T) {
	ws, _ := workspaceDir(t)
	tree(t, ws, "file")
	tests := []struct {
		dir  string
		opts Options
		code fault.Code
	}{
		{filepath.Join(ws, "absent"), Options{}, fault.NotFound},
		{filepath.Join(ws, "file"), Options{}, fault.NotADirectory},
		{filepath.Join(ws, "file", "x"), Options{}, fault.NotADirectory},
		{ws, Options{Protected: []string{""}}, fault.InvalidArguments},
		{ws, Options{Protected: []string{"a/../b"}}, fault.InvalidArguments},
	}
	if runtime.GOOS == "linux" {
		for _, dir := range []string{"/proc", "/proc/self/task", "/sys", "/dev"} {
			tests = append(tests, struct {
				dir  string
				opts Options
				code fault.Code
			}{dir, Options{}, fault.PermissionDenied})
		}
	}
	for _, tt := range tests {
		r, err := opened(tt.dir, tt.opts)
		if err == nil {
			r.Close()
		}
		wantCode(t, err, tt.code)
		if fault.As(err).Hint.IsZero() {
			t.Errorf("%s: no hint", tt.dir)
		}
	}
}

func TestRootReachedThroughLink(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, above := workspaceDir(t)
		tree(t, ws, "a/file = text", "abs -> "+filepath.Join(above, "alias", "a", "file"))
		tree(t, above, "alias -> ws", "second/")
		tree(t, filepath.Join(above, "second"), "ws -> ../ws")
		r := open(filepath.Join(above, "alias"), Options{})
		if r.Dir() != ws {
			t.Errorf("Dir() = %s, want %s", r.Dir(), ws)
		}
		for _, name := range []string{
			"a/file", "abs",
			filepath.Join(ws, "a/file"),
			filepath.Join(above, "alias/a/file"),
			filepath.Join(above, "second/ws/a/file"), // a spelling nobody opened it by
		} {
			if got, err := r.Resolve(name, schema.ReadPath); err != nil || got != "a/file" {
				t.Errorf("Resolve(%q) = %q, %v", name, got, err)
			}
		}
		if got, err := r.Clean(filepath.Join(above, "alias")); got != "." {
			t.Errorf("Clean of the root itself = %q, %v", got, err)
		}
	})
}

func TestRootRemovedWhileOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open directory cannot be removed there")
	}
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		tree(t, ws, "file")
		r := open(ws, Options{})
		if err := os.RemoveAll(ws); err != nil {
			t.Fatal(err)
		}
		// Another directory of the same name is another workspace.
		tree(t, ws, "file = not ours")
		_, openErr := r.Open("file")
		_, writeErr := r.WriteFile("new", []byte("x"), WriteOptions{})
		_, mkdirErr := r.MkdirAll("d/e")
		for what, err := range map[string]error{"open": openErr, "write": writeErr, "mkdir": mkdirErr} {
			if !errors.Is(err, fs.ErrNotExist) || !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: %v", what, err)
			} else if hint := fault.As(err).Hint.String(); hint != "the workspace "+ws+" itself was moved or removed; open another" {
				t.Errorf("%s: hint %q", what, hint)
			}
		}
		wantNames(t, ws, "file")
	})
}

func TestRootKeepsItsDirectoryWhenRenamed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open directory cannot be renamed there")
	}
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, above := workspaceDir(t)
		r := open(ws, Options{})
		if err := os.Rename(ws, ws+"-moved"); err != nil {
			t.Fatal(err)
		}
		tree(t, above, "ws/")
		if _, err := r.WriteFile("file", []byte("x"), WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		wantNames(t, ws)
		wantText(t, ws+"-moved/file", "x")
	})
}

func TestUseAfterClose(t *testing.T) {
	for name, opener := range openers {
		t.Run(name, func(t *testing.T) {
			ws, _ := workspaceDir(t)
			tree(t, ws, "file")
			r, err := opener(ws, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
			if _, err := r.Open("file"); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("Open: %v", err)
			}
			if _, err := r.WriteFile("file", nil, WriteOptions{}); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("WriteFile: %v", err)
			}
		})
	}
}
