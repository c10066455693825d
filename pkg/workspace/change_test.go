package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestMkdir(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		tree(t, ws, "file", "d/", "link -> d", "dangling -> d/made", "abs -> "+filepath.Join(ws, "d"))
		r := open(ws, Options{})
		if err := r.Mkdir("d/one"); err != nil {
			t.Error(err)
		}
		wantCode(t, r.Mkdir("d"), fault.AlreadyExists)
		wantCode(t, r.Mkdir("link"), fault.AlreadyExists)
		wantCode(t, r.Mkdir("dangling"), fault.AlreadyExists)
		wantCode(t, r.Mkdir("x/y"), fault.NotFound)
		wantCode(t, r.Mkdir("file/y"), fault.NotADirectory)
		wantCode(t, r.Mkdir("."), fault.IsDirectory)
		tests := []struct {
			name string
			made []string
			code fault.Code
		}{
			{"a/b/c", []string{"a", "a/b", "a/b/c"}, ""},
			{"a/b/c", nil, ""},
			{"a/b/d", []string{"a/b/d"}, ""},
			{".", nil, ""},
			{"link/two", []string{"d/two"}, ""},
			{"abs/three/four", []string{"d/three", "d/three/four"}, ""},
			{"dangling", []string{"d/made"}, ""},
			{"link", nil, ""},
			{"file", nil, fault.AlreadyExists},
			{"file/x", nil, fault.NotADirectory},
		}
		for _, tt := range tests {
			made, err := r.MkdirAll(tt.name)
			if tt.code != "" {
				wantCode(t, err, tt.code)
			} else if err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(tt.made, made); diff != "" {
				t.Errorf("MkdirAll(%s) (-want +got)\n%s", tt.name, diff)
			}
		}
		wantNames(t, filepath.Join(ws, "d"), "made", "one", "three", "two")
	})
}

func TestRemove(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, above := maze(t)
		r := open(ws, Options{})
		for _, name := range []string{"in", "out", "outdir", "dangling", "loop", "absdots", "indir/c/deep", "a/b/c"} {
			if err := r.Remove(name); err != nil {
				t.Error(err)
			}
			if _, err := os.Lstat(filepath.Join(ws, name)); err == nil {
				t.Errorf("%s is still there", name)
			}
		}
		wantCode(t, r.Remove("a"), fault.IsDirectory)
		wantCode(t, r.Remove("."), fault.IsDirectory)
		wantCode(t, r.Remove("gone"), fault.NotFound)
		wantCode(t, r.Remove("gone/gone"), fault.NotFound)
		wantCode(t, r.Remove("file/x"), fault.NotADirectory)
		wantText(t, filepath.Join(above, "secret"), secret)
		wantNames(t, filepath.Join(above, "out"), "d", "secret")
	})
}

func TestRename(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		tests := []struct {
			from, to  string
			overwrite bool
			code      fault.Code
		}{
			{"f", "new", false, ""},
			{"f", "d/new", false, ""},
			{"f", "new", true, ""},
			{"f", "g", true, ""},
			{"f", "link", true, ""}, // the link is replaced, not its target
			{"link", "moved", false, ""},
			{"out", "moved", false, ""},
			{"linkdir/in", "f", true, ""},
			{"d", "new", false, ""},
			{"d", "empty", true, ""},
			{"f", "hard", true, ""}, // two names of one file: one remains
			{"f", "f", true, ""},
			{"d/../f", "linkdir/../f", true, ""},

			{"f", "g", false, fault.AlreadyExists},
			{"f", "link", false, fault.AlreadyExists},
			{"f", "out", false, fault.AlreadyExists},
			{"f", "f", false, fault.AlreadyExists},
			{"f", "hard", false, fault.AlreadyExists},
			{"f", "d", false, fault.AlreadyExists},
			{"f", "d", true, fault.IsDirectory},
			{"d", "f", true, fault.NotADirectory},
			{"d", "empty", false, fault.AlreadyExists},
			{"empty", "d", true, fault.AlreadyExists},
			{"d", "d/sub/x", false, fault.InvalidArguments},
			{"d", "linkdir/x", false, fault.InvalidArguments},
			{"gone", "x", false, fault.NotFound},
			{"gone/x", "x", false, fault.NotFound},
			{"f", "gone/x", false, fault.NotFound},
			{"f", "g/x", false, fault.NotADirectory},
			{"f", "outdir/x", true, fault.OutsideWorkspace},
			{"outdir/secret", "x", true, fault.OutsideWorkspace},
			{".", "x", true, fault.IsDirectory},
			{"f", ".", true, fault.IsDirectory},
		}
		for _, tt := range tests {
			ws, above := workspaceDir(t)
			tree(t, ws, "f = f", "g = g", "d/in = in", "d/sub/", "empty/", "link -> g", "linkdir -> d", "out -> ../secret", "outdir -> ../out")
			tree(t, above, "secret = secret", "out/secret = secret")
			if err := os.Link(filepath.Join(ws, "f"), filepath.Join(ws, "hard")); err != nil {
				t.Fatal(err)
			}
			before := snapshot(t, above)
			err := open(ws, Options{}).Rename(tt.from, tt.to, tt.overwrite)
			after := snapshot(t, above)
			if tt.code != "" {
				if !fault.Is(err, tt.code) {
					t.Errorf("Rename(%q, %q, %v): %v, want %s", tt.from, tt.to, tt.overwrite, err, tt.code)
				}
				if diff := cmp.Diff(before, after); diff != "" {
					t.Errorf("Rename(%q, %q, %v) failed and changed (-before +after)\n%s", tt.from, tt.to, tt.overwrite, diff)
				}
				continue
			}
			if err != nil {
				t.Errorf("Rename(%q, %q, %v): %v", tt.from, tt.to, tt.overwrite, err)
				continue
			}
			from, to := filepath.Join(ws, tt.from), filepath.Join(ws, tt.to)
			if real := filepath.Join(ws, "f"); filepath.Clean(to) == real && filepath.Clean(from) == real {
				continue
			}
			if _, ok := after[from]; ok {
				t.Errorf("Rename(%q, %q, %v) left the old name", tt.from, tt.to, tt.overwrite)
			}
			source := from
			if tt.from == "linkdir/in" {
				source = filepath.Join(ws, "d/in")
			}
			if after[to] != before[source] {
				t.Errorf("Rename(%q, %q, %v) left %q, want %q", tt.from, tt.to, tt.overwrite, after[to], before[source])
			}
		}
	})
}

// TestRenameNeverReplacesUnasked lets many moves to one name race.
func TestRenameNeverReplacesUnasked(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		r := open(ws, Options{})
		const movers = 8
		for range 10 {
			won := make(chan int, movers)
			for i := range movers {
				tree(t, ws, string(rune('a'+i))+" = "+string(rune('a'+i)))
			}
			start := make(chan struct{})
			done := make(chan struct{})
			for i := range movers {
				go func() {
					<-start
					if err := r.Rename(string(rune('a'+i)), "target", false); err == nil {
						won <- i
					} else if !fault.Is(err, fault.AlreadyExists) {
						t.Error(err)
					}
					done <- struct{}{}
				}()
			}
			close(start)
			for range movers {
				<-done
			}
			if len(won) != 1 {
				t.Fatalf("%d moves to one name succeeded", len(won))
			}
			wantText(t, filepath.Join(ws, "target"), string(rune('a'+<-won)))
			if err := r.Remove("target"); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestChmod(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such bits")
	}
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, above := workspaceDir(t)
		tree(t, ws, "f", "d/", "link -> f", "out -> ../secret", "sticky/")
		tree(t, above, "secret")
		if err := os.Chmod(filepath.Join(ws, "sticky"), 0o700|fs.ModeSticky); err != nil {
			t.Fatal(err)
		}
		r := open(ws, Options{})
		for _, tt := range []struct {
			name string
			mode fs.FileMode
			file string
			want fs.FileMode
		}{
			{"f", 0o755, "f", 0o755},
			{"f", 0, "f", 0},
			{"link", 0o640, "f", 0o640},
			{"f", 0o755 | fs.ModeSetuid, "f", 0o755},
			{"d", 0o700, "d", 0o700 | fs.ModeDir},
			{"sticky", 0o777, "sticky", 0o777 | fs.ModeDir | fs.ModeSticky},
		} {
			if err := r.Chmod(tt.name, tt.mode); err != nil {
				t.Error(err)
			}
			if i, err := os.Stat(filepath.Join(ws, tt.file)); err != nil || i.Mode() != tt.want {
				t.Errorf("Chmod(%s, %o): %v, %v", tt.name, tt.mode, i.Mode(), err)
			}
		}
		wantCode(t, r.Chmod("out", 0o777), fault.OutsideWorkspace)
		wantCode(t, r.Chmod("gone", 0o777), fault.NotFound)
		wantCode(t, r.Chmod(".", 0o777), fault.IsDirectory)
	})
}
