package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// everyMode runs a test with each way of confinement that this system has.
func everyMode(t *testing.T, test func(t *testing.T, open func(dir string, o Options) *Root)) {
	for name, opener := range openers {
		t.Run(name, func(t *testing.T) {
			test(t, func(dir string, o Options) *Root {
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
