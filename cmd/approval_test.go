package cmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// program builds helve as a binary of its own and returns its path. The test
// binary itself cannot approve: a process that its own program started decides
// nothing.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "helve-program-")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "helve.exe")
	if out, err := building(file, "..").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return file, nil
})

// building returns the command that builds a program as helve is released, which the cache
// may have.
func building(file, directory string) *exec.Cmd {
	c := exec.Command("go", "build", "-trimpath", "-o", file, directory)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	return c
}

// person returns a command as a person runs it in their own terminal.
func person(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return in(dir, exec.Command(file, args...))
}

// asked returns a workspace where changes of SOUL.md need approval.
func asked(t *testing.T) (dir, soul string) {
	t.Helper()
	dir = workdir(t)
	put(t, homeOf(dir), "config.json", `{"rules":[{"path":"SOUL.md","write":"ask","edit":"ask"}]}`)
	return dir, put(t, dir, "SOUL.md", "old\n")
}

// ask makes a call that needs approval, and returns the id of the request.
func ask(t *testing.T, dir string) string {
	t.Helper()
	a, exit := call(t, helve(dir, "write", `{"path":"SOUL.md","content":"new\n"}`))
	if a.Error.Code != "approval_required" || exit != 4 {
		t.Fatalf("exit %d, %+v", exit, a)
	}
	return a.Error.Details["approval"].(map[string]any)["id"].(string)
}

func content(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestApprove(t *testing.T) {
	t.Parallel()
	dir, soul := asked(t)
	id := ask(t, dir)
	if a, _ := call(t, person(t, dir, "approve", id)); !a.OK || a.Data["path"] != "SOUL.md" {
		t.Fatalf("%+v", a)
	}
	if got := content(t, soul); got != "new\n" {
		t.Errorf("%q", got)
	}
	if a, exit := call(t, person(t, dir, "approve", id)); a.Error.Code != "approval_invalid" || exit != 3 {
		t.Errorf("a second time: exit %d, %+v", exit, a)
	}
	if a, _ := call(t, helve(dir, "undo")); a.Error.Code != "approval_required" {
		t.Errorf("undo changes the file, too, and was not asked about: %+v", a)
	}
}

// A person sees all of what they decide about; the caller, who has it, is told less.
func TestApproveLarge(t *testing.T) {
	t.Parallel()
	dir, _ := asked(t)
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	for tool, args := range map[string]map[string]any{
		"write": {"path": "SOUL.md", "content": b.String()},
		"edit":  {"path": "SOUL.md", "old": "old\n", "new": b.String()},
	} {
		input, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		c := helve(dir, tool)
		c.Stdin = bytes.NewReader(input)
		a, exit := call(t, c)
		if exit != 4 {
			t.Fatalf("%s: exit %d, %+v", tool, exit, a)
		}
		request := a.Error.Details["approval"].(map[string]any)
		told, id := request["preview"].(string), request["id"].(string)
		if !strings.Contains(told, "+line 150\n") || strings.Contains(told, "+line 250\n") || !strings.Contains(told, "helve approvals show "+id) {
			t.Errorf("%s: the caller is told %d bytes: %s", tool, len(told), told[max(0, len(told)-200):])
		}
		shown, err := person(t, dir, "approvals", "show", id).Output()
		if err != nil || !strings.Contains(string(shown), "+line 2999") {
			t.Errorf("%s: %v, %d bytes are shown", tool, err, len(shown))
		}
	}
}

func TestApprovalGoesStale(t *testing.T) {
	t.Parallel()
	dir, soul := asked(t)
	id := ask(t, dir)
	put(t, dir, "SOUL.md", "changed by others\n")
	if a, exit := call(t, person(t, dir, "approve", id)); a.Error.Code != "approval_stale" || exit != 3 {
		t.Errorf("exit %d, %+v", exit, a)
	}
	if got := content(t, soul); got != "changed by others\n" {
		t.Errorf("%q", got)
	}
}

func TestDeny(t *testing.T) {
	t.Parallel()
	dir, soul := asked(t)
	id := ask(t, dir)
	if a, _ := call(t, person(t, dir, "deny", id, "--reason", "not in this tone")); !a.OK {
		t.Fatalf("%+v", a)
	}
	a, exit := call(t, helve(dir, "--approval", id, "write", `{"path":"SOUL.md","content":"new\n"}`))
	if a.Error.Code != "rejected" || exit != 3 || !strings.Contains(a.Error.Message+a.Error.Hint, "not in this tone") {
		t.Errorf("exit %d, %+v", exit, a)
	}
	if got := content(t, soul); got != "old\n" {
		t.Errorf("%q", got)
	}
}

// When many processes redeem one approval, one of them runs the call.
func TestRedeemRace(t *testing.T) {
	t.Parallel()
	dir, _ := asked(t)
	id := ask(t, dir)
	var group sync.WaitGroup
	var ran atomic.Int64
	for range 50 {
		group.Go(func() {
			if person(t, dir, "approve", id).Run() == nil {
				ran.Add(1)
			}
		})
	}
	group.Wait()
	if ran.Load() != 1 {
		t.Errorf("%d ran", ran.Load())
	}
}
