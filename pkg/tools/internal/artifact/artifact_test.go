package artifact

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

func newCall(t *testing.T, now func() time.Time) (*tool.Call, string) {
	t.Helper()
	root, err := workspace.Open(t.TempDir(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	env := &tool.Env{Root: func() (*workspace.Root, error) { return root, nil }, Now: now, Session: "s"}
	return tool.NewCall(env, nil, nil), filepath.Join(root.Dir(), ".helve/artifacts/s")
}

func create(t *testing.T, call *tool.Call) {
	t.Helper()
	f, err := NewOutput(call).Create()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func outputs(t *testing.T, dir string) int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "exec-*.log"))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// A session keeps 50 outputs, for a week.
func TestOutputs(t *testing.T) {
	now := time.Now()
	call, dir := newCall(t, func() time.Time { now = now.Add(time.Millisecond); return now })
	for range 52 {
		create(t, call)
	}
	if n := outputs(t, dir); n != 50 {
		t.Errorf("%d outputs are kept", n)
	}
	now = now.Add(7*24*time.Hour - time.Minute)
	create(t, call)
	if n := outputs(t, dir); n != 50 {
		t.Errorf("%d outputs are kept for almost a week", n)
	}
	now = now.Add(2 * time.Minute)
	create(t, call)
	if n := outputs(t, dir); n != 1 { // the times of the others are those of the system
		t.Errorf("%d outputs are kept for more than a week", n)
	}
}

// The same image is the same file, under a name that says its type.
func TestImage(t *testing.T) {
	call, dir := newCall(t, time.Now)
	for mime, extension := range map[string]string{
		"image/png": ".png", "image/jpeg": ".jpg", "image/svg+xml": ".svg", "image/x-icon": ".ico", "image/webp": ".webp", "image/../x": ".bin", "text/html": ".bin",
	} {
		path, err := Image(call, []byte(mime), mime)
		again, err2 := Image(call, []byte(mime), mime)
		if err != nil || err2 != nil || path != again || filepath.Ext(path) != extension {
			t.Errorf("%s: %s, %s, %v, %v", mime, path, again, err, err2)
		}
		if data, err := os.ReadFile(filepath.Join(dir, filepath.Base(path))); err != nil || string(data) != mime {
			t.Errorf("%q, %v", data, err)
		}
	}
	call.Env.ReadOnly = true
	if path, err := Image(call, []byte("x"), "image/png"); err == nil {
		t.Errorf("a read-only run saved %s", path)
	}
}
