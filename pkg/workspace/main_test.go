package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// everyMode runs a test with each way of confinement that this system has.
func everyMode(t *testing.T, test func(t *testing.T, open func(dir string, o Options) asked)) {
	for name, opener := range openers {
		t.Run(name, func(t *testing.T) {
			test(t, func(dir string, o Options) asked {
				t.Helper()
				r, err := opener(dir, o)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() {
					if err := r.Close(); err != nil {
						t.Error(err)
					}
				})
				return r
			})
		})
	}
}

// tree makes files, directories and links below dir, in this order: "a/" is a
// directory, "a -> b" a link, "a = text" a file, "a" an empty one.
func tree(t *testing.T, dir string, entries ...string) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range entries {
		name, target, link := strings.Cut(e, " -> ")
		name, text, _ := strings.Cut(name, " = ")
		p := filepath.Join(dir, filepath.FromSlash(name))
		check(os.MkdirAll(filepath.Dir(p), 0o755))
		switch {
		case link:
			check(os.Symlink(target, p))
		case strings.HasSuffix(name, "/"):
			check(os.MkdirAll(p, 0o755))
		default:
			check(os.WriteFile(p, []byte(text), 0o644))
		}
	}
}

// workspaceDir is an empty directory "ws", with siblings possible, under its
// real name.
func workspaceDir(t testing.TB) (ws, above string) {
	t.Helper()
	above, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ws = filepath.Join(above, "ws")
	if err := os.Mkdir(ws, 0o755); err != nil {
		t.Fatal(err)
	}
	return ws, above
}

func wantCode(t *testing.T, err error, code fault.Code) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Errorf("got %v, want %s", err, code)
	}
}

func wantText(t *testing.T, file, text string) {
	t.Helper()
	got, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	} else if diff := cmp.Diff(text, string(got)); diff != "" {
		t.Errorf("%s (-want +got)\n%s", file, diff)
	}
}

// wantNames compares what is in a directory with names.
func wantNames(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff(names, got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", dir, diff)
	}
}

// asked is a root whose methods take paths as callers write them.
type asked struct{ *Root }

// opened is [Open].
func opened(dir string, o Options) (asked, error) {
	r, err := Open(dir, o)
	return asked{r}, err
}

// on does something with a path as a caller writes it.
func on[T any](r asked, name string, do func(Path) (T, error)) (T, error) {
	p, err := r.Root.Clean(name)
	if err != nil {
		var none T
		return none, err
	}
	return do(p)
}

// alone is on for what returns nothing else than an error.
func alone(r asked, name string, do func(Path) error) error {
	_, err := on(r, name, func(p Path) (struct{}, error) { return struct{}{}, do(p) })
	return err
}

func (r asked) Clean(name string) (string, error) {
	p, err := r.Root.Clean(name)
	return p.String(), err
}

func (r asked) Resolve(name string, use schema.PathUse) (string, error) {
	return on(r, name, func(p Path) (string, error) {
		real, err := r.Root.Resolve(p, use)
		return real.String(), err
	})
}

func (r asked) Open(name string) (*os.File, error)     { return on(r, name, r.Root.Open) }
func (r asked) Stat(name string) (fs.FileInfo, error)  { return on(r, name, r.Root.Stat) }
func (r asked) Lstat(name string) (fs.FileInfo, error) { return on(r, name, r.Root.Lstat) }
func (r asked) ReadLink(name string) (string, error)   { return on(r, name, r.Root.ReadLink) }
func (r asked) ReadDir(name string) ([]Entry, error)   { return on(r, name, r.Root.ReadDir) }
func (r asked) Create(name string) (*os.File, error)   { return on(r, name, r.Root.Create) }
func (r asked) MkdirAll(name string) ([]string, error) { return on(r, name, r.Root.MkdirAll) }
func (r asked) Mkdir(name string) error                { return alone(r, name, r.Root.Mkdir) }
func (r asked) Remove(name string) error               { return alone(r, name, r.Root.Remove) }
func (r asked) NotFound(name string) error             { return alone(r, name, r.Root.NotFound) }
func (r asked) Chmod(name string, m fs.FileMode) error {
	return alone(r, name, func(p Path) error { return r.Root.Chmod(p, m) })
}

func (r asked) Rename(from, to string, overwrite bool) error {
	return alone(r, from, func(a Path) error {
		return alone(r, to, func(b Path) error { return r.Root.Rename(a, b, overwrite) })
	})
}

func (r asked) WriteFile(name string, data []byte, o WriteOptions) (Written, error) {
	return on(r, name, func(p Path) (Written, error) { return r.Root.WriteFile(p, data, o) })
}

func (r asked) Similar(name string) (similar []string, parent string) {
	p, err := r.Root.Clean(name)
	if err != nil {
		return nil, "."
	}
	return r.Root.Similar(p)
}

func (r asked) Asks(name string, use schema.PathUse) bool {
	p, err := r.Root.Clean(name)
	return err == nil && r.Root.Asks(p, use)
}
