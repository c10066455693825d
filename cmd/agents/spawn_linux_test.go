package agents_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// held is a script of a sub-agent that works until there is a file "go".
const held = `{"steps": [
	{"calls": [{"name": "exec", "arguments": {"command": "echo began > began; until test -e go; do sleep 0.02; done; echo went"}}]},
	{"say": "it is done"}]}`

// exists reports whether a file of a workspace is there.
func written(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && info.Size() > 0 // a shell makes a file before it writes to it
}

// A sub-agent is spawned by a call of a model, whether or not the call waits; its result
// comes with the call's answer, or as a message.
func TestSpawnThroughCall(t *testing.T) {
	t.Parallel()
	dir := spawning(t, held)
	started := cmdtest.Converse(t, cmdtest.Person(t, dir, "call", "--ndjson"))
	asked := started.Say("spawn", `{"task":"in the background"}`)
	if !strings.Contains(asked, "is being worked on") || !strings.Contains(asked, "do not poll") {
		t.Errorf("%s", asked)
	}
	cmdtest.Eventually(t, "the job has begun", func() bool { return written(dir, "began") })
	// The line of a call that waits does not keep the next one from being asked.
	if asked := started.Say("read", `{"path":"began"}`); !strings.Contains(asked, "began") {
		t.Errorf("%s", asked)
	}
	again := started.Say("spawn", `{"task":"in the background"}`)
	if !strings.Contains(again, "does the same already") {
		t.Errorf("%s", again)
	}
	cmdtest.Put(t, dir, "go", "")
	if asked := started.Say("spawn", `{"task":"and wait","wait":true}`); !strings.Contains(asked, "it is done") {
		t.Errorf("%s", asked)
	}
	c := cmdtest.Person(t, dir, "call")
	c.Stdin = strings.NewReader(`{"role":"assistant","tool_calls":[
		{"id":"1","type":"function","function":{"name":"spawn","arguments":"{\"task\":\"one of two\",\"wait\":true}"}},
		{"id":"2","type":"function","function":{"name":"spawn","arguments":"{\"task\":\"two of two\",\"wait\":true}"}}]}`)
	out, err := c.Output()
	if err != nil || strings.Count(string(out), "it is done") != 2 {
		t.Errorf("%s %v", out, err)
	}
	want := map[string]int{}
	for _, id := range jobsOf(t, dir) {
		if a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "wait", id)); exit != 0 {
			t.Errorf("%+v", a)
		}
		want[id] = 1
	}
	if got := finals(t, dir); !maps.Equal(got, want) || len(want) != 4 {
		t.Errorf("messages %v, want %v", got, want)
	}
}

// Ctrl-C ends the sub-agent of "spawn run", with what it has started, and says so.
func TestSpawnRunInterrupted(t *testing.T) {
	t.Parallel()
	dir := spawning(t, held)
	c := cmdtest.Person(t, dir, "spawn", "run", "work")
	var out, errw bytes.Buffer
	c.Stdout, c.Stderr = &out, &errw
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	cmdtest.Eventually(t, "the job has begun", func() bool { return written(dir, "began") })
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // the status is checked below
	var a cmdtest.Answer
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Fatalf("%v %s", err, out.Bytes())
	}
	id, _ := a.Data["job_id"].(string)
	if a.OK || a.Error.Code != "canceled" || a.Data["status"] != "canceled" || c.ProcessState.ExitCode() != 6 || !strings.Contains(errw.String(), id+" is being canceled") {
		t.Errorf("exit status %d: %+v %q", c.ProcessState.ExitCode(), a, errw.String())
	}
	cmdtest.Eventually(t, "no process is left", func() bool { return len(workersOf(id)) == 0 })
	if got := finals(t, dir); !maps.Equal(got, map[string]int{id: 1}) {
		t.Errorf("messages: %v", got)
	}
}

// When nobody reads what "spawn run --stream" prints, it ends, and the sub-agent goes on.
func TestSpawnRunUnread(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"run", "--stream", "work"}, {"logs", "-f"}} {
		dir := spawning(t, held)
		if args[0] == "logs" {
			args = append(args, tasked(t, dir, "work"))
		}
		c := cmdtest.Person(t, dir, append([]string{"spawn"}, args...)...)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var errw bytes.Buffer
		c.Stderr = &errw
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil || !strings.Contains(line, `"kind":"started"`) {
			t.Fatalf("%q %v", line, err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		cmdtest.Put(t, dir, "go", "")
		if err := c.Wait(); err != nil || errw.Len() > 0 {
			t.Errorf("%q: %v %q", args, err, errw.String())
		}
		for _, id := range jobsOf(t, dir) {
			if a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "wait", id)); exit != 0 {
				t.Errorf("%+v", a)
			}
		}
	}
}

// "spawn run --stream" prints events as lines of JSON, and the result last.
func TestSpawnRunStream(t *testing.T) {
	t.Parallel()
	dir := spawning(t, held)
	cmdtest.Put(t, dir, "go", "")
	out, err := cmdtest.Person(t, dir, "spawn", "run", "--stream", "work").Output()
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	var last cmdtest.Answer
	for line := range bytes.Lines(out) {
		var e struct{ Kind string }
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v %s", err, line)
		}
		kinds = append(kinds, e.Kind)
		last = cmdtest.Answer{}
		if err := json.Unmarshal(line, &last); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"started", "request", "reply", "calls", "request", "reply", "ended", ""}; !slices.Equal(kinds, want) {
		t.Errorf("%q, want %q", kinds, want)
	}
	if !last.OK || last.Data["result"] != "it is done" || last.Data["iterations"] != 2.0 {
		t.Errorf("%+v", last)
	}
}

// A worker on a host takes what needs its labels, says so, and ends when it is asked to.
func TestSpawnWorker(t *testing.T) {
	t.Parallel()
	dir := spawning(t, held)
	cmdtest.Put(t, dir, "go", "")
	id := tasked(t, dir, "on a GPU", "--labels", "gpu")
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "status", id)); a.Data["queued"] != true {
		t.Errorf("somebody without the label has it: %+v", a)
	}
	c := cmdtest.Person(t, dir, "spawn", "worker", "--labels", "gpu,fast", "--slots", "1")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for _, want := range []string{"working", "completed"} {
		line, err := lines.ReadString('\n')
		var j struct {
			ID     string `json:"job_id"`
			Status string
		}
		if err != nil || json.Unmarshal([]byte(line), &j) != nil || j.ID != id || j.Status != want {
			t.Fatalf("%q %v, want %s", line, err, want)
		}
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	var a cmdtest.Answer
	if err := json.Unmarshal(rest, &a); err != nil || !a.OK || a.Data["jobs"] != 1.0 || a.Data["ended"] != 1.0 {
		t.Errorf("%v %s", err, rest)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	if a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "result", id)); exit != 0 || a.Data["result"] != "it is done" {
		t.Errorf("%+v", a)
	}
}

// What helve has started may neither carry out tasks, nor cancel or forget those of others.
func TestSpawnPersonal(t *testing.T) {
	t.Parallel()
	dir := spawning(t, held)
	id := tasked(t, dir, "work")
	for _, args := range [][]string{{"worker"}, {"cancel", id}, {"cancel", "--all"}, {"gc"}} {
		c := cmdtest.Person(t, dir, append([]string{"spawn"}, args...)...)
		c.Env = append(c.Environ(), "HELVE=1")
		if a, exit := cmdtest.Call(t, c); a.Error.Code != "denied" || exit != 3 {
			t.Errorf("%q: %d %+v", args, exit, a)
		}
	}
	cmdtest.Put(t, dir, "go", "")
	if a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "wait", id)); exit != 0 {
		t.Errorf("%+v", a)
	}
}

// On a full disk no task is taken. One that was taken before ends once there is room
// again, is told of once, and is not reported as done.
func TestFullDiskKeepsJobs(t *testing.T) {
	t.Parallel()
	dir := spawning(t, strings.Replace(held, "echo went", "printf %9000s went", 1)) // more than fits in what the transcript has of the disk
	home := t.TempDir()
	if err := unix.Mount("tmpfs", home, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("no small file system to fill: %v", err)
	}
	t.Cleanup(func() {
		unused(home)
		_ = unix.Unmount(home, unix.MNT_DETACH)
	})
	cmdtest.Setenv(dir, "HELVE_HOME="+home)
	id := tasked(t, dir, "work")
	cmdtest.Eventually(t, "the job has begun", func() bool { return written(dir, "began") })
	fill, err := os.Create(filepath.Join(home, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{64 << 10, 4 << 10, 1} {
		for {
			if _, err := fill.Write(make([]byte, size)); err != nil {
				break
			}
		}
	}
	if err := fill.Close(); err != nil {
		t.Fatal(err)
	}
	if a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", strings.Repeat("another task ", 2000))); a.OK || a.Error.Code != "io_error" || exit != 1 || !strings.Contains(a.Error.Message, "no space") {
		t.Errorf("%d %+v", exit, a)
	}
	cmdtest.Put(t, dir, "go", "")
	if a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "wait", id, "--timeout", "2s")); exit == 0 {
		t.Errorf("it is reported as done: %+v", a)
	}
	if err := os.Remove(fill.Name()); err != nil {
		t.Fatal(err)
	}
	a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "wait", id, "--timeout", "2m"))
	jobs, _ := a.Data["jobs"].([]any)
	if len(jobs) != 1 {
		t.Fatalf("%d %+v", exit, a)
	}
	job := jobs[0].(map[string]any)
	if failure, _ := job["error"].(map[string]any); job["status"] != "failed" || exit != 1 || failure["code"] != "io_error" {
		t.Errorf("%d %+v", exit, job)
	}
	if got := finals(t, dir); !maps.Equal(got, map[string]int{id: 1}) {
		t.Errorf("messages: %v", got)
	}
	if a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "run", "work again")); exit != 0 {
		t.Errorf("with room again: %+v", a)
	}
}
