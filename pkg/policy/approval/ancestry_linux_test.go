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
	helve, other, locked := &fstest.MapFile{Data: []byte("helve")}, &fstest.MapFile{Data: []byte("sh")}, &fstest.MapFile{Mode: lockedMode}
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
		{"its own program", fstest.MapFS{"7/stat": stat("1"), "7/environ": empty, "7/exe": helve, "1/stat": stat("0"), "1/environ": empty, "1/exe": other}, false},
		{"a parent's program", fstest.MapFS{"7/stat": stat("5"), "7/environ": empty, "7/exe": other, "5/exe": helve, "5/stat": stat("0"), "5/environ": empty}, true},
		{"the shortest stat", fstest.MapFS{"7/stat": {Data: []byte("7 (a) S 0")}, "7/environ": empty}, false},
		{"marks that are none", fstest.MapFS{"7/stat": stat("0"), "7/environ": {Data: []byte("A=b\x00HELVE=\x00HELVES=1\x00")}}, false},
		{"the first process of a sandbox", fstest.MapFS{"7/stat": stat("1"), "7/environ": empty, "1/stat": {Data: []byte("1 (helve-sandbox) S 0 1 1")}, "1/environ": locked}, true},
		{"a process named like it", fstest.MapFS{"7/stat": stat("5"), "7/environ": empty, "5/stat": {Data: []byte("5 (helve-sandbox) S 0 1 1")}, "5/environ": locked}, false},
		{"a first process named a little like it", fstest.MapFS{"7/stat": stat("1"), "7/environ": empty, "1/stat": {Data: []byte("1 (helve-sandbox2) S 0 1 1")}, "1/environ": locked}, false},
		{"a parent of another user", fstest.MapFS{"7/stat": stat("5"), "7/environ": empty, "5/stat": stat("0"), "5/environ": locked}, false},
	} {
		if got := descendsIn(readable{c.proc}, 7, func(exe fs.FileInfo) bool { return exe.Size() == int64(len(helve.Data)) }); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	// A parent that ends meanwhile gives its child another one.
	proc := &ending{MapFS: fstest.MapFS{"7/stat": stat("5"), "7/environ": empty}, then: fstest.MapFS{"7/stat": stat("0"), "7/environ": empty}}
	if descendsIn(proc, 7, func(fs.FileInfo) bool { return false }) {
		t.Error("a process whose parent ended has an unknown one")
	}
}

// A process belongs to a run if it or one above it has the variable, or is below what
// runs jobs; what cannot be found out counts as no.
func TestInRun(t *testing.T) {
	stat := func(ppid string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("1 (sh) S " + ppid + " 1 1")}
	}
	empty, marked := &fstest.MapFile{}, &fstest.MapFile{Data: []byte("A=b\x00HELVE_RUN_ID=j@t\x00")}
	for _, c := range []struct {
		name string
		proc fstest.MapFS
		want bool
	}{
		{"no proc", fstest.MapFS{}, false},
		{"nobody's child", fstest.MapFS{"7/stat": stat("1"), "7/environ": empty, "1/stat": stat("0"), "1/environ": empty}, false},
		{"a marked parent", fstest.MapFS{"7/stat": stat("5"), "7/environ": empty, "5/stat": stat("0"), "5/environ": marked}, true},
		{"below a runner", fstest.MapFS{"7/stat": stat("6"), "7/environ": empty, "6/stat": stat("42"), "6/environ": empty, "42/stat": stat("0"), "42/environ": empty}, true},
		{"a hidden ancestor", fstest.MapFS{"7/stat": stat("5"), "7/environ": empty}, false},
		{"a circle", fstest.MapFS{"7/stat": stat("7"), "7/environ": empty}, false},
	} {
		if got := belowIn(c.proc, 7, RunVariable, []int{41, 42}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if belowIn(fstest.MapFS{"42/stat": stat("0"), "42/environ": empty}, 42, RunVariable, []int{42}) {
		t.Error("a runner itself is not in a run")
	}
	if !InRun("j@t", nil) || !InAgent("fix-tests-k3f9", nil) {
		t.Error("the variable does not count")
	}
	agent := fstest.MapFS{"7/stat": stat("5"), "7/environ": empty, "5/stat": stat("0"), "5/environ": {Data: []byte("HELVE_AGENT=fix-tests-k3f9\x00")}}
	if !belowIn(agent, 7, AgentVariable, nil) || belowIn(agent, 7, RunVariable, nil) {
		t.Error("a child of a sub-agent is one of a run")
	}
}

// lockedMode marks a file that this user may not read.
const lockedMode fs.FileMode = 0o111

// readable is what of a directory of processes this user may read.
type readable struct{ fstest.MapFS }

func (r readable) Open(name string) (fs.File, error) {
	if f := r.MapFS[name]; f != nil && f.Mode == lockedMode {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return r.MapFS.Open(name)
}

// ReadFile opens a file and reads it, so that what is locked stays so.
func (r readable) ReadFile(name string) ([]byte, error) {
	if _, err := r.Open(name); err != nil {
		return nil, err
	}
	return r.MapFS.ReadFile(name)
}

// ending becomes another directory once it is asked for a process that has ended.
type ending struct {
	fstest.MapFS
	then fstest.MapFS
}

func (e *ending) ReadFile(name string) ([]byte, error) {
	text, err := e.MapFS.ReadFile(name)
	if err != nil {
		e.MapFS = e.then
	}
	return text, err
}

// TestGone has the errors by which the kernel says that a process ended meanwhile.
func TestGone(t *testing.T) {
	for err, want := range map[error]bool{fs.ErrNotExist: true, syscall.ESRCH: true, syscall.ENOENT: true, fs.ErrPermission: false, io.EOF: false} {
		if gone(&fs.PathError{Op: "read", Path: "1/environ", Err: err}) != want {
			t.Errorf("%v: %t", err, !want)
		}
	}
}
