//go:build unix

package cron_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestSchedulersShareSlots runs a job of each second by two schedulers, while others make
// single passes: each second has one run, and its message is sent once.
// HELVE_TEST_SECONDS sets how many seconds are to pass.
func TestSchedulersShareSlots(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	seconds := 3
	if n, err := strconv.Atoi(os.Getenv("HELVE_TEST_SECONDS")); err == nil {
		seconds = n
	}
	id := added(t, dir, `{"every_seconds":1,"message":"tick","channel":"test","to":"clock","missed":"all","overlap":"queue"}`)
	first, second := scheduler(t, dir), scheduler(t, dir)
	for ended := 0; ended < seconds; {
		a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "cron", "tick"))
		if !a.OK {
			t.Fatalf("%+v", a)
		}
		ended = len(history(t, dir, id))
	}
	stop(t, first)
	stop(t, second)

	runs := history(t, dir, id)
	slices.SortFunc(runs, func(a, b past) int { return a.at.Compare(b.at) })
	for i, run := range runs {
		if want := runs[0].at.Add(time.Duration(i) * time.Second); run.status != "ok" || !run.at.Equal(want) || run.attempt != 1 {
			t.Errorf("run %d of %d: %+v, want one of %v", i, len(runs), run, want)
		}
	}
	sent := map[string]int{}
	for _, m := range cmdtest.Received(t, dir) {
		origin, _ := m["origin"].(map[string]any)
		sent[origin["run_id"].(string)]++
	}
	for run, n := range sent {
		if n != 1 {
			t.Errorf("%s sent %d messages", run, n)
		}
	}
	if len(sent) != len(runs) {
		t.Errorf("%d runs sent messages of %d", len(runs), len(sent))
	}
	t.Logf("%d slots, each run once", len(runs))
}

// past is a run as history shows it.
type past struct {
	at      time.Time
	status  string
	attempt float64
	pid     int
	error   string
}

// history returns the runs of a job that have ended.
func history(t *testing.T, dir, id string) (ended []past) {
	t.Helper()
	a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "cron", "history", id, "--limit", "1000"))
	runs, ok := a.Data["runs"].([]any)
	if !a.OK || !ok {
		t.Fatalf("%+v", a)
	}
	for _, one := range runs {
		one := one.(map[string]any)
		at, err := time.Parse(time.RFC3339, one["scheduled_at"].(string))
		if err != nil {
			t.Fatal(err)
		}
		run := past{at: at, status: one["status"].(string)}
		run.attempt, _ = one["attempt"].(float64)
		run.error, _ = one["error"].(string)
		pid, _ := one["pid"].(float64)
		run.pid = int(pid)
		if run.status != "running" && run.status != "queued" {
			ended = append(ended, run)
		}
	}
	return ended
}

// added adds a job and returns its id.
func added(t *testing.T, dir, args string) string {
	t.Helper()
	a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "cron", "add", args))
	id, _ := a.Data["id"].(string)
	if !a.OK || id == "" {
		t.Fatalf("%+v", a)
	}
	return id
}

// scheduler starts "helve cron run".
func scheduler(t *testing.T, dir string, flags ...string) *exec.Cmd {
	t.Helper()
	c := cmdtest.Person(t, dir, append([]string{"cron", "run"}, flags...)...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill() // unless it has ended, as it should
		_ = c.Wait()
	})
	return c
}

// stop ends a scheduler as a person or the system does.
func stop(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("a scheduler that was ended: %v", err)
	}
}

// TestSchedulerOfAll has one scheduler run the jobs of three workspaces, each in its own
// place: a job that the scheduler of another workspace ran would change that one.
func TestSchedulerOfAll(t *testing.T) {
	t.Parallel()
	first := cmdtest.Workspace(t)
	dirs := []string{first, t.TempDir(), t.TempDir()}
	ids := make([]string, len(dirs))
	for i, dir := range dirs {
		if i > 0 {
			cmdtest.Setenv(dir, "HELVE_HOME="+cmdtest.HomeOf(first))
		}
		cmdtest.Put(t, dir, "place.txt", strconv.Itoa(i))
		ids[i] = added(t, dir, `{"every_seconds":1,"call":{"name":"read","arguments":{"path":"place.txt"}},"deliver":"never"}`)
	}
	c := scheduler(t, first, "--all")
	for i, dir := range dirs {
		for len(history(t, dir, ids[i])) < 2 { // each look is a process
			continue
		}
		a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "cron", "history", ids[i], "--limit", "1"))
		if run := a.Data["runs"].([]any)[0].(map[string]any); !strings.Contains(run["output"].(string), strconv.Itoa(i)) {
			t.Errorf("%s: %v", dir, run)
		}
	}
	stop(t, c)
}

// TestKilledScheduler kills the scheduler in the middle of a run. Another one notes it as
// lost or runs it again, as the job says, and says so once.
func TestKilledScheduler(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"fail", "rerun"} {
		t.Run(policy, func(t *testing.T) {
			dir := cmdtest.Commands(t)
			cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"tool":"cron_add","decision":"allow"}]}`)
			// The first run waits until it is killed, the second finds what the first has left.
			id := added(t, dir, `{"in":"1s","exec":"if test -e begun; then echo again; else echo > begun; sleep 67.5; fi","channel":"test","to":"clock","on_lost":"`+policy+`","deliver":"always"}`)
			first := scheduler(t, dir)
			for {
				if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
					break
				}
				if ended := history(t, dir, id); len(ended) > 0 {
					t.Fatalf("it has ended: %+v", ended)
				}
			}
			if err := first.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = first.Wait() // it was killed
			second := scheduler(t, dir)
			var runs []past
			for len(runs) == 0 {
				runs = history(t, dir, id)
			}
			stop(t, second)
			want := past{status: "lost", attempt: 1}
			if policy == "rerun" {
				want = past{status: "ok", attempt: 2}
			}
			if len(runs) != 1 || runs[0].status != want.status || runs[0].attempt != want.attempt {
				t.Errorf("%+v, want %+v", runs, want)
			}
			all := cmdtest.Received(t, dir)
			if len(all) != 1 {
				t.Fatalf("%d messages: %v", len(all), all)
			}
			text, _ := all[0]["content"].(string)
			if says := map[string]string{"fail": "lost", "rerun": "again"}[policy]; !strings.Contains(text, says) {
				t.Errorf("the message says %q, want %q", text, says)
			}
		})
	}
}
