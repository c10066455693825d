package agents_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/testing/modeltest"
)

// spawning returns a workspace whose sub-agents follow a script.
func spawning(t *testing.T, script string) (dir string) {
	t.Helper()
	server := modeltest.Start(t, script)
	dir = cmdtest.Workspace(t)
	cmdtest.Setenv(dir, "OPENAI_BASE_URL="+server.Base(), "OPENAI_MODEL=m", "OPENAI_API_KEY=k")
	home := cmdtest.HomeOf(dir)
	t.Cleanup(func() {
		_, _ = cmdtest.Person(t, dir, "spawn", "cancel", "--all").Output() // what a test that failed has left
		unused(home)
	})
	return dir
}

// unused waits for a while until no process has this home: a keeper may still tidy up
// after its job has ended.
func unused(home string) {
	for until := time.Now().Add(time.Minute); time.Now().Before(until); {
		used := false
		files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is valid
		for _, file := range files {
			environ, err := os.ReadFile(file)
			used = used || err == nil && slices.Contains(strings.Split(string(environ), "\x00"), "HELVE_HOME="+home)
		}
		if !used {
			return
		}
	}
}

// kills is how many rounds a test of killed processes has: HELVE_TEST_KILLS, or few.
func kills(few int) int {
	if n, err := strconv.Atoi(os.Getenv("HELVE_TEST_KILLS")); err == nil {
		return n
	}
	return few
}

// tasked gives a task to a sub-agent, and returns the id of its job.
func tasked(t *testing.T, dir string, args ...string) string {
	t.Helper()
	a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, append([]string{"spawn"}, args...)...))
	id, _ := a.Data["job_id"].(string)
	if id == "" || exit != 0 {
		t.Fatalf("%d %+v", exit, a)
	}
	return id
}

// workersOf returns the processes of a job: those with its id in their environment.
func workersOf(id string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is valid
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err != nil || !slices.Contains(strings.Split(string(environ), "\x00"), "HELVE_AGENT="+id) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// parentOf returns the number of the parent of a process; 0 if it has ended.
func parentOf(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}

// finals returns how many messages there are about the end of each job. They are
// received by a consumer that has received none yet.
func finals(t *testing.T, dir string) map[string]int {
	t.Helper()
	count := map[string]int{}
	for _, m := range cmdtest.Received(t, dir) {
		id, about := strings.CutSuffix(m["id"].(string), ":final")
		if id, ok := strings.CutPrefix(id, "job:"); ok && about {
			count[id]++
		}
	}
	return count
}

// gone waits until a job has no process. Every further command of helve may see to it.
func gone(t *testing.T, dir, id string) {
	t.Helper()
	for until := time.Now().Add(time.Minute); len(workersOf(id)) > 0; {
		if time.Now().After(until) {
			t.Fatalf("%s has processes left: %v", id, workersOf(id))
		}
		if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "status", id)); !a.OK {
			t.Fatalf("%+v", a)
		}
	}
}

// A worker is killed at a random moment; its keeper, or both of them. Every job ends with
// one message, is never reported as done if it is not, and no process is left.
// HELVE_TEST_KILLS sets how many.
func TestKilledWorkers(t *testing.T) {
	t.Parallel()
	dir := spawning(t, `{"steps": [
		{"calls": [{"name": "write", "arguments": {"path": "a", "content": "x\n"}}, {"name": "ls", "arguments": {}}]},
		{"calls": [{"name": "exec", "arguments": {"command": "(sleep 77.25 & sleep 77.5) >/dev/null 2>&1 & sleep 0.2; echo more >> a"}}]},
		{"calls": [{"name": "read", "arguments": {"path": "a"}}]},
		{"say": "it is done"}]}`)
	rounds := kills(6)
	ends, want := map[string]int{}, map[string]int{}
	for i := range rounds {
		id := tasked(t, dir, fmt.Sprintf("work %d", i))
		a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "status", id))
		pid, _ := a.Data["pid"].(float64)
		victims := []int{int(pid)}
		if keeper := parentOf(int(pid)); keeper > 1 {
			victims = [][]int{victims, {keeper, int(pid)}, {keeper}}[i%3]
		}
		timer := time.NewTimer(time.Duration(rand.Int64N(int64(500 * time.Millisecond))))
		<-timer.C
		for _, victim := range victims {
			if victim > 1 {
				_ = syscall.Kill(victim, syscall.SIGKILL) // it may have ended
			}
		}
		a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "wait", id, "--timeout", "2m"))
		jobs, _ := a.Data["jobs"].([]any)
		if len(jobs) != 1 {
			t.Fatalf("%d %+v", exit, a)
		}
		job := jobs[0].(map[string]any)
		status, _ := job["status"].(string)
		if done := status == "completed"; done != (exit == 0) || done != (job["result"] == "it is done") {
			t.Errorf("%s: exit status %d, %+v", id, exit, job)
		}
		if !slices.Contains([]string{"completed", "lost", "failed"}, status) {
			t.Errorf("%s is %s", id, status)
		}
		ends[status]++
		want[id] = 1
		gone(t, dir, id)
	}
	if got := finals(t, dir); !maps.Equal(got, want) {
		t.Errorf("messages: %v, want %v", got, want)
	}
	t.Logf("of %d jobs: %v; one message each, and no process is left", rounds, ends)
	if rounds > 3 && ends["completed"] == rounds {
		t.Error("none was killed while it worked")
	}
}

// Whoever spawns is killed at a random moment: there is no job, or it is done and told of
// once. One that was reported is there.
func TestKilledSpawners(t *testing.T) {
	t.Parallel()
	dir := spawning(t, `{"steps": [{"calls": [{"name": "exec", "arguments": {"command": "sleep 0.1; echo x >> log"}}]}, {"say": "it is done"}]}`)
	rounds := kills(6)
	reported := map[string]bool{}
	killed := 0
	for i := range rounds {
		args := []string{"spawn", fmt.Sprintf("task %d", i)}
		switch i % 3 {
		case 1: // a parent that waits
			args = append(args, "--wait")
		case 2:
			args = slices.Insert(args, 1, "run")
		}
		c := cmdtest.Person(t, dir, args...)
		var out bytes.Buffer
		c.Stdout = &out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rand.Int64N(int64(150*time.Millisecond))), func() { _ = c.Process.Kill() }) // it may have ended
		_ = c.Wait()                                                                                                      // see above
		timer.Stop()
		if c.ProcessState.ExitCode() < 0 {
			killed++
		}
		var a cmdtest.Answer
		if json.Unmarshal(out.Bytes(), &a) == nil && a.OK {
			reported[a.Data["job_id"].(string)] = true
		}
	}
	want := map[string]int{}
	for _, id := range jobsOf(t, dir) {
		a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "wait", id, "--timeout", "2m"))
		if exit != 0 {
			t.Errorf("%s: %d %+v", id, exit, a)
		}
		want[id] = 1
		delete(reported, id)
	}
	if len(reported) > 0 {
		t.Errorf("reported, but not there: %v", reported)
	}
	if got := finals(t, dir); !maps.Equal(got, want) {
		t.Errorf("messages: %v, want %v", got, want)
	}
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	if n := strings.Count(string(log), "x"); n != len(want) || err != nil && len(want) > 0 {
		t.Errorf("%d jobs have worked %d times, %v", len(want), n, err)
	}
	t.Logf("of %d that spawned, %d were killed; %d jobs were done, and told of once", rounds, killed, len(want))
	if killed == 0 && rounds > 3 {
		t.Error("none was killed")
	}
}

// jobsOf returns the ids of all jobs.
func jobsOf(t *testing.T, dir string) (ids []string) {
	t.Helper()
	a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "spawn", "list", "--all"))
	if exit != 0 {
		t.Fatalf("%+v", a)
	}
	jobs, _ := a.Data["jobs"].([]any)
	for _, one := range jobs {
		ids = append(ids, one.(map[string]any)["job_id"].(string))
	}
	return ids
}
