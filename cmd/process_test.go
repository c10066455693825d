package cmd_test

import (
	"bytes"
	"encoding/json"
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

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// here gives this process the home of a workspace, for tests that run helve in it.
func here(t *testing.T, dir string) string {
	t.Helper()
	t.Setenv("HELVE_HOME", cmdtest.HomeOf(dir))
	return dir
}

// Appending processes wait for each other: no line is lost or torn.
func TestConcurrentAppends(t *testing.T) {
	t.Parallel()
	const processes = 100
	dir := cmdtest.Workspace(t)
	var group sync.WaitGroup
	for i := range processes {
		group.Go(func() {
			args, _ := json.Marshal(map[string]string{"path": "log.txt", "mode": "append", "content": fmt.Sprintf("line %03d %s", i, strings.Repeat("x", 200))})
			if out, err := cmdtest.Helve(dir, "write", string(args)).Output(); err != nil {
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
	dir := cmdtest.Workspace(t)
	contents := []string{strings.Repeat("old\n", 50_000), strings.Repeat("new!\n", 60_000)}
	file := cmdtest.Put(t, dir, "f.txt", contents[0])
	if err := os.Chmod(file, 0o750); err != nil {
		t.Fatal(err)
	}
	landed := 0
	for i := range writes {
		args, _ := json.Marshal(map[string]any{"path": "f.txt", "content": contents[(i+1)%2], "allow_shrink": true})
		c := cmdtest.Helve(dir, "write")
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
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "write", `{"path":"f.txt","content":"end","allow_shrink":true}`)); !a.OK {
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
	dir := here(t, cmdtest.Workspace(t))
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
		file := cmdtest.Put(t, dir, base, string(want))
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
