package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

func TestStat(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := maze(t)
		r := open(ws, Options{})
		for _, name := range []string{".", "a", "file", "a/b/c/deep", "in", "absin", "root", "indir/c", "loop", "out", "dangling"} {
			for what, call := range map[string]struct {
				ours func(string) (fs.FileInfo, error)
				os   func(string) (fs.FileInfo, error)
			}{"Lstat": {r.Lstat, os.Lstat}, "Stat": {r.Stat, os.Stat}} {
				got, err := call.ours(name)
				want, osErr := call.os(filepath.Join(ws, name))
				if osErr != nil || name == "out" && what == "Stat" {
					if err == nil {
						t.Errorf("%s(%s): %v where os says %v", what, name, got, osErr)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s(%s): %v", what, name, err)
					continue
				}
				if got.Mode() != want.Mode() || got.Size() != want.Size() || !got.ModTime().Equal(want.ModTime()) || !sameFile(got, want) {
					t.Errorf("%s(%s) = %s, want %s", what, name, fs.FormatFileInfo(got), fs.FormatFileInfo(want))
				}
			}
		}
		for _, name := range []string{"gone", "gone/gone", "dangling"} {
			_, err := r.Stat(name)
			wantCode(t, err, fault.NotFound)
		}
	})
}

func TestReadLink(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, above := maze(t)
		long := strings.Repeat("x/", 600)
		tree(t, ws, "long -> "+long)
		r := open(ws, Options{})
		for name, want := range map[string]string{
			"in": "a/b/c/deep", "out": "../secret", "absout": above + "/secret", "indir/../dangling": "a/new", "long": long,
		} {
			if got, err := r.ReadLink(name); err != nil || got != want {
				t.Errorf("ReadLink(%s) = %q, %v; want %q", name, got, err, want)
			}
		}
		_, err := r.ReadLink("file")
		wantCode(t, err, fault.InvalidArguments)
		_, err = r.ReadLink("gone")
		wantCode(t, err, fault.NotFound)
		_, err = r.ReadLink("outdir/secret")
		wantCode(t, err, fault.OutsideWorkspace)
	})
}

func TestReadDir(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		tree(t, ws, "d/b = text", "d/.hidden", "d/sub/", "d/link -> /etc/passwd", "d/dangling -> x", "via -> d", "file")
		r := open(ws, Options{})
		for _, name := range []string{"d", "via", filepath.Join(ws, "d")} {
			entries, err := r.ReadDir(name)
			if err != nil {
				t.Fatal(err)
			}
			type row struct {
				Name string
				Type fs.FileMode
				Size int64
			}
			var got []row
			for _, e := range entries {
				if e.Err != nil || e.Info.Name() != e.Name {
					t.Errorf("%+v", e)
					continue
				}
				i := row{e.Name, e.Info.Mode().Type(), e.Info.Size()}
				if e.Info.IsDir() {
					i.Size = 0
				}
				got = append(got, i)
			}
			want := []row{
				{".hidden", 0, 0}, {"b", 0, 4}, {"dangling", fs.ModeSymlink, 1},
				{"link", fs.ModeSymlink, int64(len("/etc/passwd"))}, {"sub", fs.ModeDir, 0},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		}
		_, err := r.ReadDir("file")
		wantCode(t, err, fault.NotADirectory)
		if got := fault.As(err).Message.String(); got != "file is not a directory" {
			t.Errorf("message %q", got)
		}
		_, err = r.ReadDir("gone")
		wantCode(t, err, fault.NotFound)
	})
}

func TestLongNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("limits differ there")
	}
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		r := open(ws, Options{})
		name := strings.Repeat("n", 256)
		_, err := r.Open(name)
		wantCode(t, err, fault.InvalidArguments)
		_, err = r.WriteFile(name, nil, WriteOptions{})
		wantCode(t, err, fault.InvalidArguments)
		_, err = r.MkdirAll("a/" + name)
		wantCode(t, err, fault.InvalidArguments)
		if _, err := r.WriteFile(name[1:], []byte("x"), WriteOptions{}); err != nil {
			t.Error(err)
		}
	})
}

// TestOddNames holds what is special to others and plain here.
func TestOddNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("not allowed there")
	}
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		r := open(ws, Options{})
		for _, name := range []string{" ", "-", "a\nb", `a\b`, "*", "~", "$HOME", "%2e%2e", "名字", "\xff\xfe", "...", "a:b", "file:"} {
			if _, err := r.WriteFile(name, []byte(name), WriteOptions{}); err != nil {
				t.Errorf("%q: %v", name, err)
				continue
			}
			wantText(t, filepath.Join(ws, name), name)
			if got, err := r.Resolve(name, schema.ReadPath); err != nil || got != Escape(name) {
				t.Errorf("Resolve(%q) = %q, %v", name, got, err)
			}
		}
	})
}
