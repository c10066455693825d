package cmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// answer is the document that a call prints.
type answer struct {
	OK    bool `json:"ok"`
	Data  map[string]any
	Error struct {
		Code, Message, Hint string
		Details             map[string]any
	}
	Warnings []string
}

// homes holds the home of helve for each workspace that [workdir] made.
var homes sync.Map

// workdir returns a workspace with a home of helve of its own, which what [helve] and
// [person] start has.
func workdir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	homes.Store(dir, t.TempDir())
	return dir
}

// here gives this process the home of a workspace, for tests that run helve in it.
func here(t *testing.T, dir string) string {
	t.Helper()
	t.Setenv("HELVE_HOME", homeOf(dir))
	return dir
}

// homeOf returns the home of helve for what runs in dir: that of the workspace that dir is
// in, unless a test has given this process one.
func homeOf(dir string) string {
	if home := os.Getenv("HELVE_HOME"); home != "" {
		return home
	}
	for {
		if home, ok := homes.Load(dir); ok {
			return home.(string)
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
}

// helve returns a command that runs helve in dir. TestMain has put helve on the
// path.
func helve(dir string, args ...string) *exec.Cmd { return in(dir, exec.Command("helve", args...)) }

// in has a command run in dir, with the home of its workspace.
func in(dir string, c *exec.Cmd) *exec.Cmd {
	c.Dir = dir
	if home := homeOf(dir); home != "" {
		c.Env = append(os.Environ(), "HELVE_HOME="+home)
	}
	return c
}

// call runs a process and returns its document and exit status.
func call(t *testing.T, c *exec.Cmd) (answer, int) {
	t.Helper()
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var a answer
	dec := json.NewDecoder(bytes.NewReader(out))
	if err := dec.Decode(&a); err != nil {
		t.Fatalf("%v: %v\n%s\n%s", c.Args, err, out, stderr.String())
	}
	if rest := out[dec.InputOffset():]; string(rest) != "\n" {
		t.Errorf("%v: after the document: %q", c.Args, rest)
	}
	if stderr.Len() > 0 {
		t.Errorf("%v: stderr: %s", c.Args, stderr.String())
	}
	return a, c.ProcessState.ExitCode()
}

func put(t *testing.T, dir, name, content string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// Appending processes wait for each other: no line is lost or torn.
func TestConcurrentAppends(t *testing.T) {
	t.Parallel()
	const processes = 100
	dir := workdir(t)
	var group sync.WaitGroup
	for i := range processes {
		group.Go(func() {
			args, _ := json.Marshal(map[string]string{"path": "log.txt", "mode": "append", "content": fmt.Sprintf("line %03d %s", i, strings.Repeat("x", 200))})
			if out, err := helve(dir, "write", string(args)).Output(); err != nil {
				t.Errorf("%d: %v: %s", i, err, out)
			}
		})
	}
	group.Wait()
	got, err := os.ReadFile(filepath.Join(dir, "log.txt"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(got)) {
		if len(line) != len("line 000 ")+200+1 || !strings.HasPrefix(line, "line ") {
			t.Errorf("torn: %q", line)
		}
		seen[line] = true
	}
	if len(seen) != processes {
		t.Errorf("%d lines of %d", len(seen), processes)
	}
}

// A write that is killed at any moment leaves all of the old or all of the new
// content, and nothing that a later write does not remove.
func TestKilledWrites(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no kill -9")
	}
	writes := 500
	if testing.Short() {
		writes = 50
	}
	dir := workdir(t)
	contents := []string{strings.Repeat("old\n", 50_000), strings.Repeat("new!\n", 60_000)}
	file := put(t, dir, "f.txt", contents[0])
	if err := os.Chmod(file, 0o750); err != nil {
		t.Fatal(err)
	}
	landed := 0
	for i := range writes {
		args, _ := json.Marshal(map[string]any{"path": "f.txt", "content": contents[(i+1)%2], "allow_shrink": true})
		c := helve(dir, "write")
		c.Stdin = bytes.NewReader(args)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		killer := time.AfterFunc(time.Duration(rand.IntN(12_000))*time.Microsecond, func() { _ = c.Process.Kill() })
		_ = c.Wait() // killed or not: the test wants both
		killer.Stop()
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatalf("write %d: %v", i, err)
		}
		if string(got) != contents[0] && string(got) != contents[1] {
			t.Fatalf("write %d left %d bytes that are neither content", i, len(got))
		}
		if string(got) == contents[(i+1)%2] {
			landed++
		}
	}
	t.Logf("%d of %d writes landed", landed, writes)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if a, _ := call(t, helve(dir, "write", `{"path":"f.txt","content":"end","allow_shrink":true}`)); !a.OK {
		t.Errorf("a later write: %+v", a)
	}
}

// read shows the file's own bytes, and writing them back changes nothing.
func TestGoTreeRoundTrip(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go")
	}
	stride := 23
	if os.Getenv("HELVE_TEST_ALL") != "" {
		stride = 1
	}
	dir := here(t, workdir(t))
	t.Setenv("HELVE_ROOT", dir)
	texts, others, n := 0, map[string]int{}, 0
	err = filepath.WalkDir(strings.TrimSpace(string(goroot)), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if n++; n%stride != 0 {
			return nil
		}
		want, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		base := "f" + filepath.Ext(name)
		file := put(t, dir, base, string(want))
		defer func() { _ = os.Remove(file) }()
		args, _ := json.Marshal(map[string]any{"path": base, "limit": 1_000_000, "max_bytes": 16 << 20})
		a := inProcess(t, "read", string(args))
		if !a.OK {
			others[a.Error.Code]++
			return nil
		}
		if a.Data["kind"] != "text" || a.Data["member"] != nil { // a compressed text is not the file
			others[a.Data["kind"].(string)]++
			return nil
		}
		if a.Data["document"] != nil { // what a compressed file holds
			others["document"]++
			return nil
		}
		texts++
		content := a.Data["content"].(string)
		mark := ""
		if a.Data["bom"] == true {
			mark = "\ufeff"
		}
		if a.Data["encoding"] == "utf-8" && mark+content != string(want) && !strings.Contains(content, "\ufffd") {
			t.Errorf("%s: read gave other bytes", name)
		}
		args, _ = json.Marshal(map[string]any{"path": base, "content": content, "allow_shrink": true})
		if a := inProcess(t, "write", string(args)); !a.OK {
			t.Errorf("%s: write: %+v", name, a.Error)
		}
		got, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: writing what was read changed it: %s", name, cmp.Diff(len(want), len(got)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d texts, others %v", texts, others)
	if texts < 100 {
		t.Errorf("only %d texts", texts)
	}
}
