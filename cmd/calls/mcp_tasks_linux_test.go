package calls_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// taskClient is a client of "helve mcp" that knows tasks, and speaks nothing but JSON.
type taskClient struct {
	t   *testing.T
	cmd *exec.Cmd
	to  io.WriteCloser
	out *bufio.Scanner
	id  int
}

func beginClient(t *testing.T, dir string, command []string) *taskClient {
	t.Helper()
	a := &taskClient{t: t, cmd: exec.Command(command[0], command[1:]...)}
	cmdtest.In(dir, a.cmd).Stderr = os.Stderr
	var err error
	if a.to, err = a.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	a.out = bufio.NewScanner(out)
	a.out.Buffer(nil, 1<<20)
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = a.cmd.Process.Kill() // it may have ended
		_ = a.cmd.Wait()
	})
	return a
}

// taskOf is what is answered about a task.
type taskOf struct {
	Result struct {
		ResultType, TaskID, Status string
		Result, Error              json.RawMessage
	}
	Error struct{ Message string }
}

// send sends a request, and returns the answer.
func (a *taskClient) send(method, params string) (r taskOf) {
	a.t.Helper()
	a.id++
	_, err := fmt.Fprintf(a.to, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"judge","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}`+"\n",
		a.id, method, params)
	if err != nil {
		a.t.Fatal(err)
	}
	for a.out.Scan() {
		var id struct{ ID int }
		if err := json.Unmarshal(a.out.Bytes(), &id); err != nil {
			a.t.Fatalf("%s: %v", a.out.Bytes(), err)
		}
		if id.ID != a.id {
			continue
		}
		if err := json.Unmarshal(a.out.Bytes(), &r); err != nil || r.Error.Message != "" {
			a.t.Fatalf("%s: %v", a.out.Bytes(), err)
		}
		return r
	}
	a.t.Fatalf("no answer to %s: %v", method, a.out.Err())
	return r
}

func (a *taskClient) get(id string) taskOf { return a.send("tasks/get", `"taskId":"`+id+`"`) }

// until asks for a task until it has a status.
func (a *taskClient) until(id, status string) taskOf {
	a.t.Helper()
	var r taskOf
	cmdtest.Eventually(a.t, "the task "+id+" is "+status, func() bool {
		r = a.get(id)
		if r.Result.Status != status && r.Result.Status != "working" {
			a.t.Fatalf("%s, want %s: %s%s", r.Result.Status, status, r.Result.Result, r.Result.Error)
		}
		return r.Result.Status == status
	})
	return r
}

// A command that takes long is a task: its client gets the result, can cancel it, so that
// no process is left, and is told the truth after the server was killed.
func TestTasksOfCommands(t *testing.T) {
	t.Parallel()
	dir, command := served(t, `{"rules":[{"tool":"exec","decision":"allow"}]}`)
	mark := strconv.Itoa(1_000_000 + rand.IntN(1_000_000_000)) // how long no other process sleeps
	a := beginClient(t, dir, command)
	start := func(line string) string {
		text, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		r := a.send("tools/call", `"name":"exec","arguments":{"command":`+string(text)+`}`)
		if r.Result.ResultType != "task" || r.Result.TaskID == "" {
			t.Fatalf("no task: %+v", r)
		}
		return r.Result.TaskID
	}
	done := start("sleep 1; echo forty-two")
	if r := a.until(done, "completed"); !strings.Contains(string(r.Result.Result), "forty-two") {
		t.Errorf("%s", r.Result.Result)
	}
	canceled := start("sleep " + mark + "; true")
	a.send("tasks/cancel", `"taskId":"`+canceled+`"`)
	a.until(canceled, "cancelled")
	cmdtest.Eventually(t, "the command ends", func() bool { return !sleeps(t, mark) })
	killed := start("sleep " + mark + "; true")
	if err := a.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = a.cmd.Wait() // it was killed
	a = beginClient(t, dir, command)
	if r := a.until(killed, "failed"); !strings.Contains(string(r.Result.Error), "ended before the call did") {
		t.Errorf("%s", r.Result.Error)
	}
	a.until(done, "completed")
	left := start("sleep " + mark + "; true")
	if err := a.to.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.cmd.Wait(); err != nil {
		t.Error(err)
	}
	cmdtest.Eventually(t, "the command ends", func() bool { return !sleeps(t, mark) })
	a = beginClient(t, dir, command)
	a.until(left, "cancelled")
}
