package workspace

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

const secret = "SECRET: this is outside"

// maze is a workspace full of ways in and out; everything that is not inside
// holds the secret.
func maze(t testing.TB) (ws, above string) {
	t.Helper()
	ws, above = workspaceDir(t)
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(ws, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"ws/a/b/c", "ws-evil", "out/d"} {
		if err := os.MkdirAll(filepath.Join(above, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"ws/file": "file", "ws/..foo": "..foo", "ws/a/b/c/deep": "deep",
		"secret": secret, "ws-evil/secret": secret, "out/secret": secret, "out/d/secret": secret,
	} {
		if err := os.WriteFile(filepath.Join(above, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"in":        "a/b/c/deep",
		"indir":     "a/b",
		"a/up":      "../file",
		"a/upup":    "../../ws/file", // leaves and comes back
		"absin":     filepath.Join(ws, "a/b/c/deep"),
		"absindir":  filepath.Join(ws, "a"),
		"absdots":   ws + "/a/b/../../file",
		"chain1":    "chain2",
		"chain2":    "a/chain3",
		"a/chain3":  filepath.Join(ws, "indir", "c", "deep"),
		"root":      ".",
		"absroot":   ws,
		"loop":      "loop",
		"loop1":     "loop2",
		"loop2":     "loop1/x",
		"dangling":  "a/new",
		"dangling2": "nodir/new",
		"danglup":   "nodir/../file",
		"out":       "../secret",
		"outdir":    "../out",
		"absout":    filepath.Join(above, "secret"),
		"absoutdir": filepath.Join(above, "out"),
		"evil":      ws + "-evil/secret",
		"evildots":  ws + "/../secret",
		"outnew":    "../new",
		"absoutnew": filepath.Join(above, "new"),
		"twice":     "outdir/d",
		"proc":      "/proc/self/root" + above + "/secret",
		"cwd":       "/proc/self/cwd",
		"etc":       "/etc/passwd",
	} {
		link(target, name)
	}
	return ws, above
}

func TestResolve(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := maze(t)
		r := open(ws, Options{})
		tests := []struct {
			name, want string
			code       fault.Code
		}{
			{".", ".", ""},
			{"file", "file", ""},
			{"..foo", "..foo", ""},
			{"in", "a/b/c/deep", ""},
			{"indir/c/deep", "a/b/c/deep", ""},
			{"a/up", "file", ""},
			{"a/upup", "", fault.OutsideWorkspace},
			{"absin", "a/b/c/deep", ""},
			{"absindir/b/c/deep", "a/b/c/deep", ""},
			{"absdots", "file", ""},
			{"chain1", "a/b/c/deep", ""},
			{"root/root/file", "file", ""},
			{"absroot/in", "a/b/c/deep", ""},
			{"root", ".", ""},
			{ws + "/absindir", "a", ""},
			{"nodir/x/y", "nodir/x/y", ""},
			{"indir/new", "a/b/new", ""},
			{"dangling", "a/new", ""},
			{"dangling2", "nodir/new", ""},
			{"danglup", "", fault.NotFound},
			{"loop", "", fault.OutsideWorkspace},
			{"loop1", "", fault.OutsideWorkspace},
			{"out", "", fault.OutsideWorkspace},
			{"outdir/secret", "", fault.OutsideWorkspace},
			{"outdir/../file", "file", ""}, // by the letters
			{"absout", "", fault.OutsideWorkspace},
			{"absoutdir/d", "", fault.OutsideWorkspace},
			{"evil", "", fault.OutsideWorkspace},
			{"evildots", "", fault.OutsideWorkspace},
			{"outnew", "", fault.OutsideWorkspace},
			{"absoutnew", "", fault.OutsideWorkspace},
			{"twice/secret", "", fault.OutsideWorkspace},
			{"proc", "", fault.OutsideWorkspace},
			{"cwd", "", fault.OutsideWorkspace},
			{"etc", "", fault.OutsideWorkspace},
			{"/proc/self/root" + ws + "/file", "", fault.OutsideWorkspace},
			{"/proc/self/fd/0", "", fault.OutsideWorkspace},
			{"file/x", "", fault.NotADirectory},
			{"in/x", "", fault.NotADirectory},
		}
		for _, tt := range tests {
			for _, use := range []schema.PathUse{schema.ReadPath, schema.WritePath} {
				got, err := r.Resolve(tt.name, use)
				if tt.code == "" && (err != nil || got != tt.want) || tt.code != "" && !fault.Is(err, tt.code) {
					t.Errorf("Resolve(%q, %s) = %q, %v; want %q %s", tt.name, use, got, err, tt.want, tt.code)
				}
			}
		}
		// What is done to the entry itself does not follow it.
		for _, name := range []string{"in", "out", "dangling", "loop", "etc", "absroot"} {
			for _, use := range []schema.PathUse{schema.CreatePath, schema.RemovePath} {
				if got, err := r.Resolve("indir/../"+name, use); err != nil || got != name {
					t.Errorf("Resolve(%q, %s) = %q, %v", name, use, got, err)
				}
			}
		}
		if got, err := r.Resolve("absindir/upup", schema.RemovePath); err != nil || got != "a/upup" {
			t.Errorf("a link through a link: %q, %v", got, err)
		}
	})
}

// TestNothingLeaves tries every method on every way out.
func TestNothingLeaves(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, above := maze(t)
		before := snapshot(t, above)
		r := open(ws, Options{})
		ways := []string{
			"out", "outdir/secret", "outdir", "absout", "absoutdir", "absoutdir/secret", "evil", "evildots", "outnew", "absoutnew",
			"twice", "twice/secret", "twice/new", "outdir/new", "outdir/new/new", "root/outdir/secret", "a/../outdir/secret",
			"proc", "cwd/x", "etc", "a/upup", "../secret", above + "/secret", ws + "-evil/secret",
		}
		for _, name := range ways {
			f, err := r.Open(name)
			if err == nil {
				f.Close()
			}
			wantCode(t, err, fault.OutsideWorkspace)
			_, err = r.Stat(name)
			wantCode(t, err, fault.OutsideWorkspace)
			_, err = r.ReadDir(name)
			wantCode(t, err, fault.OutsideWorkspace)
			_, err = r.WriteFile(name, []byte("x"), WriteOptions{Parents: true})
			wantCode(t, err, fault.OutsideWorkspace)
			_, err = r.MkdirAll(name)
			wantCode(t, err, fault.OutsideWorkspace)
			wantCode(t, r.Chmod(name, 0o777), fault.OutsideWorkspace)
			if err := r.Mkdir(name + "/new"); !fault.Is(err, fault.OutsideWorkspace) {
				t.Errorf("Mkdir(%s/new): %v", name, err)
			}
			if err := r.Rename("file", name+"/new", true); !fault.Is(err, fault.OutsideWorkspace) {
				t.Errorf("Rename to %s/new: %v", name, err)
			}
			if err := r.Remove(name + "/secret"); err == nil {
				t.Errorf("Remove(%s/secret)", name)
			}
		}
		if diff := cmp.Diff(before, snapshot(t, above)); diff != "" {
			t.Errorf("something changed (-before +after)\n%s", diff)
		}
	})
}

// snapshot is the mode and contents, or target, of everything below dir.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		i, err := e.Info()
		if err != nil {
			return err
		}
		var text []byte
		switch {
		case i.Mode().IsRegular():
			text, err = os.ReadFile(name)
		case i.Mode()&fs.ModeSymlink != 0:
			var target string
			target, err = os.Readlink(name)
			text = []byte(target)
		}
		all[name] = i.Mode().String() + " " + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestLinksInside(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := maze(t)
		r := open(ws, Options{})
		for name, want := range map[string]string{
			"in": "deep", "absin": "deep", "chain1": "deep", "a/up": "file", "absindir/b/c/deep": "deep", "root/file": "file",
			"absroot/absroot/in": "deep", "absdots": "file", "..foo": "..foo", "a/../file": "file", ws + "/in": "deep",
		} {
			f, err := r.Open(name)
			if err != nil {
				t.Error(err)
				continue
			}
			got, err := io.ReadAll(f)
			if err != nil || string(got) != want {
				t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
			}
			f.Close()
		}
	})
}

func TestLinkLimit(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		tree(t, ws, "l0 = text")
		for i := range 41 {
			// Absolute, so that it is our own walk that counts.
			tree(t, ws, "l"+strconv.Itoa(i+1)+" -> "+filepath.Join(ws, "l"+strconv.Itoa(i)))
		}
		r := open(ws, Options{})
		if f, err := r.Open("l" + strconv.Itoa(40)); err != nil {
			t.Error(err)
		} else {
			f.Close()
		}
		_, err := r.Open("l" + strconv.Itoa(41))
		wantCode(t, err, fault.OutsideWorkspace)
	})
}

func TestNeverFollow(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := maze(t)
		r := open(ws, Options{Symlinks: Never})
		for _, name := range []string{"in", "indir/c/deep", "absin", "a/up", "root/file", "dangling", "out", "outdir/secret"} {
			_, err := r.Open(name)
			wantCode(t, err, fault.OutsideWorkspace)
			_, err = r.Stat(name)
			wantCode(t, err, fault.OutsideWorkspace)
			_, err = r.WriteFile(name, []byte("x"), WriteOptions{})
			wantCode(t, err, fault.OutsideWorkspace)
		}
		if f, err := r.Open("a/b/c/deep"); err != nil {
			t.Error(err)
		} else {
			f.Close()
		}
		if i, err := r.Lstat("in"); err != nil || i.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("Lstat: %v, %v", i, err)
		}
		if got, err := r.ReadLink("out"); err != nil || got != "../secret" {
			t.Errorf("ReadLink: %q, %v", got, err)
		}
		if err := r.Rename("in", "a/in", false); err != nil {
			t.Error(err)
		}
		if err := r.Remove("a/in"); err != nil {
			t.Error(err)
		}
		wantText(t, filepath.Join(ws, "a/b/c/deep"), "deep")
	})
}

func TestRootDirectory(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no one root")
	}
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		tree(t, ws, "file = text", "abs -> "+filepath.Join(ws, "file"), "up -> ../../../../../../../../../.."+filepath.Join(ws, "file"))
		r := open("/", Options{})
		for _, name := range []string{"file", "abs", "up"} {
			for _, spelling := range []string{filepath.Join(ws, name), filepath.Join(ws, name)[1:]} {
				f, err := r.Open(spelling)
				if err != nil {
					t.Error(err)
					continue
				}
				f.Close()
				if got, err := r.Resolve(spelling, schema.ReadPath); err != nil || "/"+got != filepath.Join(ws, "file") {
					t.Errorf("Resolve(%q) = %q, %v", spelling, got, err)
				}
			}
		}
		if _, err := r.WriteFile(filepath.Join(ws, "new"), []byte("x"), WriteOptions{}); err != nil {
			t.Error(err)
		}
		if list, err := r.ReadDir("."); err != nil || len(list) == 0 {
			t.Errorf("%d entries, %v", len(list), err)
		}
		if runtime.GOOS != "linux" {
			return
		}
		tree(t, ws, "env -> /proc/self/environ", "null -> ../../../../../../../dev/null")
		for _, name := range []string{
			"/proc/self/environ", "proc/self/root" + ws + "/file", "/proc/self/fd/0", "dev/null", "/sys/kernel", "proc",
			filepath.Join(ws, "env"), filepath.Join(ws, "null"),
		} {
			_, err := r.Open(name)
			wantCode(t, err, fault.PermissionDenied)
			_, err = r.WriteFile(name, []byte("x"), WriteOptions{})
			wantCode(t, err, fault.PermissionDenied)
		}
	})
}
