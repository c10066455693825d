package approval

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"
)

// under runs the copy of this binary at exe, below a shell, with an environment.
func under(t *testing.T, exe, script string, env ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script)
	cmd.Env = append([]string{"PATH=/usr/bin:/bin", "EXE=" + exe}, env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestStartedByHelve(t *testing.T) {
	if !StartedByHelve(true) {
		t.Error("the marker does not count")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "other")
	duplicate(t, exe, copied)
	for _, c := range []struct {
		name, exe, script string
		env               []string
		want              string
	}{
		{"a child of the same program", exe, jobEnv + `=under "$EXE"; true`, nil, "true"},
		{"a child that dropped its environment", exe, `env -i ` + jobEnv + `=under "$EXE"; true`, nil, "true"},
		{"a marked ancestor", copied, `env -i ` + jobEnv + `=under "$EXE"; true`, []string{"HELVE=1"}, "true"},
		{"a marked ancestor further up", copied, `env -i EXE="$EXE" sh -c 'env ` + jobEnv + `=under "$EXE"; true'; true`, []string{"HELVE=1"}, "true"},
		{"nobody's child", copied, `env -i ` + jobEnv + `=under "$EXE"; true`, []string{"HELVES=1", "XHELVE=1", "HELVE="}, "false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := under(t, c.exe, c.script, c.env...); got != c.want {
				t.Errorf("%s", got)
			}
		})
	}
}

func duplicate(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestUnknownAncestors(t *testing.T) {
	stat := func(ppid string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("1 (a) b (c)) S " + ppid + " 1 1")}
	}
	empty := &fstest.MapFile{}
	for _, c := range []struct {
		name string
		proc fstest.MapFS
		want bool
	}{
		{"no proc", fstest.MapFS{}, true},
		{"up to init", fstest.MapFS{"7/stat": stat("1"), "7/environ": empty, "1/stat": stat("0"), "1/environ": empty}, false},
		{"marked init", fstest.MapFS{"7/stat": stat("1"), "7/environ": empty, "1/stat": stat("0"), "1/environ": {Data: []byte("A=b\x00HELVE=1\x00")}}, true},
		{"an ancestor that is hidden", fstest.MapFS{"7/stat": stat("5"), "7/environ": empty}, true},
		{"a stat that makes no sense", fstest.MapFS{"7/stat": empty, "7/environ": empty}, true},
		{"a circle", fstest.MapFS{"7/stat": stat("7"), "7/environ": empty}, true},
	} {
		if got := descendsIn(c.proc, 7, func(fs.FileInfo) bool { return false }); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestGone has the errors by which the kernel says that a process ended meanwhile.
func TestGone(t *testing.T) {
	for err, want := range map[error]bool{fs.ErrNotExist: true, syscall.ESRCH: true, syscall.ENOENT: true, fs.ErrPermission: false, io.EOF: false} {
		if gone(&fs.PathError{Op: "read", Path: "1/environ", Err: err}) != want {
			t.Errorf("%v: %t", err, !want)
		}
	}
}
