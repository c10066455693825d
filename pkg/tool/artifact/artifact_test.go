package artifact

import (
	"errors"
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

// The outputs of other sessions go by age and size, too; other files stay.
func TestOtherSessions(t *testing.T) {
	now := time.Now()
	call, dir := newCall(t, func() time.Time { return now })
	create(t, call)
	other := filepath.Join(filepath.Dir(dir), "other")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, bytes := range map[string]int64{"exec-1.log": 10, "exec-2.log": maxBytes, "image.png": 10} {
		f, err := os.Create(filepath.Join(other, name))
		if err != nil {
			t.Fatal(err)
		}
		age := time.Hour
		if name == "exec-1.log" {
			age = 2 * time.Hour
		}
		if err := errors.Join(f.Truncate(bytes), f.Close(), os.Chtimes(f.Name(), now, now.Add(-age))); err != nil { // a hole
			t.Fatal(err)
		}
	}
	create(t, call)
	if n := outputs(t, other); n != 1 {
		t.Errorf("%d outputs of another session are kept", n)
	}
	if _, err := os.Lstat(filepath.Join(other, "exec-2.log")); err != nil {
		t.Error(err)
	}
	now = now.Add(maxAge)
	create(t, call)
	if n := outputs(t, other); n != 0 {
		t.Errorf("%d outputs of another session are kept for more than a week", n)
	}
	if _, err := os.Lstat(filepath.Join(other, "image.png")); err != nil {
		t.Error(err)
	}
}

// The same image is the same file, under a name that says its type.
func TestImage(t *testing.T) {
	call, dir := newCall(t, time.Now)
	for mime, extension := range map[string]string{
		"image/png": ".png", "image/jpeg": ".jpg", "image/svg+xml": ".svg", "image/x-icon": ".ico", "image/webp": ".webp", "image/../x": ".bin", "text/x-python": ".bin",
		"application/pdf": ".pdf", "audio/mpeg": ".mp3", "text/csv; charset=utf-8": ".csv", "Audio/WAV": ".wav",
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
