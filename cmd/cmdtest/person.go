package cmdtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Program builds helve as a binary of its own, once for each package of tests, and returns
// its path. The test binary itself cannot approve: a process that its own program started
// decides nothing.
var Program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "helve-program-")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "helve.exe")
	if out, err := Build(file, "github.com/helve-dev/helve").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return file, nil
})

// Build returns the command that builds a program as helve is released, which the cache
// may have.
func Build(file, program string) *exec.Cmd {
	c := exec.Command("go", "build", "-trimpath", "-o", file, program)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	return c
}

// Person returns a command as a person runs it in their own terminal.
func Person(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	file, err := Program()
	if err != nil {
		t.Fatal(err)
	}
	return In(dir, exec.Command(file, args...))
}

// Asked returns a workspace where changes of SOUL.md need approval.
func Asked(t *testing.T) (dir, soul string) {
	t.Helper()
	dir = Workspace(t)
	Put(t, HomeOf(dir), "config.json", `{"rules":[{"path":"SOUL.md","write":"ask","edit":"ask"}]}`)
	return dir, Put(t, dir, "SOUL.md", "old\n")
}

// Ask makes a call that needs approval, in a workspace of [Asked], and returns the id of
// the request.
func Ask(t *testing.T, dir string) string {
	t.Helper()
	a, exit := Call(t, Helve(dir, "write", `{"path":"SOUL.md","content":"new\n"}`))
	if a.Error.Code != "approval_required" || exit != 4 {
		t.Fatalf("exit %d, %+v", exit, a)
	}
	return a.Error.Details["approval"].(map[string]any)["id"].(string)
}

// Commands returns a workspace for commands, with a temporary directory of its own. It
// skips the test where there is no shell.
func Commands(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	dir := Workspace(t)
	Setenv(dir, "TMPDIR="+t.TempDir())
	return dir
}

// Exec makes a call of exec as a person does.
func Exec(t *testing.T, dir string, args map[string]any) Answer {
	t.Helper()
	a, _ := Call(t, Person(t, dir, "exec", JSON(args)))
	return a
}

// Received returns all messages of a workspace, for a consumer that has received none yet.
func Received(t *testing.T, dir string) (all []map[string]any) {
	t.Helper()
	for {
		a, _ := Call(t, Person(t, dir, "messages", "recv", "--consumer", "judge", "--max", "100", "--ack"))
		if !a.OK {
			t.Fatalf("%+v", a)
		}
		messages, _ := a.Data["messages"].([]any)
		if len(messages) == 0 {
			return all
		}
		for _, m := range messages {
			all = append(all, m.(map[string]any))
		}
	}
}
