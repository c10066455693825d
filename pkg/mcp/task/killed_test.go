package task_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/task"
	"github.com/helve-dev/helve/pkg/state"
)

// childEnv makes the test binary a process that begins a task and is killed.
const childEnv = "TASK_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) == "" {
		os.Exit(m.Run())
	}
	dir, err := state.Open(os.Args[1], os.Args[2], state.Options{})
	if err != nil {
		panic(err)
	}
	_, cancel := context.WithCancelCause(context.Background())
	r, err := task.New(dir, nil, fault.English).Begin("me", cancel)
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Task().ID)
	select {}
}

// The task of a process that was killed has failed, and says why, however many ask at
// once; until then it is at work.
func TestKilled(t *testing.T) {
	w := newWorld(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(exe, w.base, w.root)
	child.Env = append(os.Environ(), childEnv+"=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSpace(line)
	if got := w.get(w.store(), id); got.Status != task.Working {
		t.Errorf("%+v", got)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	for range 3 {
		if got := w.get(w.store(), id); got.Status != task.Failed || got.Error == nil || !strings.Contains(got.Error.Message, "process") {
			t.Errorf("%+v", got)
		}
	}
}
