package worker

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
)

// none waits until no process of a job is left.
func (w *world) none(id string) {
	w.Helper()
	w.until("the end of the processes of "+id, func() bool { return len(marked(w.T, id)) == 0 })
}

// parent returns the parent of a process.
func parent(t *testing.T, pid int) int {
	t.Helper()
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		t.Fatal(err)
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	ppid, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		t.Fatal(err)
	}
	return ppid
}

func kill(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, s); err != nil && err != syscall.ESRCH {
		t.Fatal(err)
	}
}

// naptime is how long the processes of a brood() sleep: by this they are told from those of
// other runs of this test, also where they have dropped the mark.
func naptime() string { return fmt.Sprintf("71.%d", os.Getpid()) }

// brood is a task whose processes do all to outlive it: sessions of their own, no parent,
// deaf to TERM.
func brood() string {
	return strings.ReplaceAll(`sh trap '' TERM
setsid sh -c 'trap "" TERM; sleep TIME & sleep TIME' &
(setsid sleep TIME &)
(env -i setsid sleep TIME &)
sleep TIME &
touch $READY
wait`, "TIME", naptime())
}

// sleepers returns the processes of broods.
func sleepers(t *testing.T) []int { return pidsOf(t, "sleep\x00"+naptime()+"\x00") }

// quiet waits until none of them is left.
func (w *world) quiet() {
	w.Helper()
	w.until("the end of all that was started", func() bool { return len(sleepers(w.T)) == 0 })
}

// The worker of a job is killed at any moment: the job has one end, that is told once, and
// nothing is left of it.
func TestKilledWorker(t *testing.T) {
	w := newWorld(t)
	w.Limit = 64
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	for i := range 20 {
		task := brood()
		if i%2 == 1 {
			task = "say short" // it may have ended before
		}
		j := w.spawn(task)
		for range random.IntN(40) {
			w.get(j.ID)
		}
		// Before it says so it is the keeper that has the job.
		var now agent.Job
		w.until("the worker", func() bool {
			now = w.get(j.ID)
			return now.Status.Final() || now.Worker != nil && slices.Contains(marked(t, j.ID), now.Worker.Process.PID)
		})
		if !now.Status.Final() {
			kill(t, now.Worker.Process.PID, syscall.SIGKILL)
		}
		if i%4 > 1 { // another one notices it at the same time
			w.until("its death", func() bool { return !now.Worker.Process.Alive() })
			if _, err := w.Reap(t.Context()); err != nil {
				t.Error(err)
			}
		}
		got := w.ended(j.ID)
		if got.Status != agent.Lost && (task == brood() || got.Status != agent.Completed) {
			t.Errorf("%d: %+v %+v", i, got, got.Fault)
		}
		w.none(j.ID)
		w.told(j)
	}
	w.quiet()
}

// The keeper is killed: its worker writes the end, and ends all that it can.
func TestKilledKeeper(t *testing.T) {
	w := newWorld(t)
	for _, task := range []string{"wait", "deaf", "finish", brood()} {
		j := w.spawn(task)
		w.begun(j.ID)
		kill(t, parent(t, w.get(j.ID).Worker.Process.PID), syscall.SIGKILL)
		got := w.ended(j.ID)
		want := agent.Failed
		if task == "finish" {
			want = agent.Completed
		}
		if got.Status != want || want == agent.Failed && (got.Reason != agent.BySystem || got.Fault.Code != fault.Unavailable) {
			t.Errorf("%s: %+v %+v", task, got, got.Fault)
		}
		w.told(j)
		w.none(j.ID)
		w.quiet()
	}
}

// Both are killed: the next one that looks writes the end, and kills what is left.
func TestBothKilled(t *testing.T) {
	w := newWorld(t)
	j := w.spawn(brood())
	w.begun(j.ID)
	waits := w.add(agent.Job{Task: "say next"})
	w.killBoth(j.ID)
	reaped, err := w.Reap(t.Context())
	if err != nil || len(reaped) != 1 || reaped[0].ID != j.ID || reaped[0].Status != agent.Lost {
		t.Errorf("%+v, %v", reaped, err)
	}
	if len(marked(t, j.ID)) == 0 {
		t.Error("nothing is left to sweep")
	}
	Sweep(nil)
	Sweep([]string{j.ID})
	w.none(j.ID)
	w.told(j)
	for _, pid := range sleepers(t) { // without the mark
		kill(t, pid, syscall.SIGKILL)
	}
	w.launch()
	w.ended(waits.ID)
	w.told(waits)
}

// pidsOf returns the processes with a command line.
func pidsOf(t *testing.T, line string) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if have, err := os.ReadFile(file); err == nil && string(have) == line {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// A job of both that were killed takes no room from others: the next keeper looks.
func TestDeadTakeNoRoom(t *testing.T) {
	w := newWorld(t)
	w.Limit = 1
	j := w.spawn("deaf")
	w.begun(j.ID)
	w.killBoth(j.ID)
	next := w.spawn("say next")
	if got := w.ended(next.ID); got.Status != agent.Completed {
		t.Errorf("%+v", got)
	}
	if got := w.ended(j.ID); got.Status != agent.Lost {
		t.Errorf("%+v", got)
	}
	w.told(j, next)
}

// A job that may run again does, and nothing of its first attempt is left then.
func TestRerun(t *testing.T) {
	w := newWorld(t)
	j := w.add(agent.Job{Task: "once", OnLost: agent.LostRerun})
	w.launch()
	w.begun(j.ID)
	first := w.get(j.ID).Worker
	kill(t, first.Process.PID, syscall.SIGKILL)
	got := w.ended(j.ID)
	if got.Status != agent.Completed || got.Result != "attempt 2" || got.Worker.ID == first.ID {
		t.Errorf("%+v %+v", got, got.Fault)
	}
	w.told(j)
	// A keeper that is to end gives it back, and the next one takes it.
	j = w.add(agent.Job{Task: "once again", OnLost: agent.LostRerun})
	w.launch()
	w.begun(j.ID)
	keeper := parent(t, w.get(j.ID).Worker.Process.PID)
	kill(t, keeper, syscall.SIGTERM)
	w.until("the end of the keeper", func() bool { return syscall.Kill(keeper, 0) == syscall.ESRCH })
	if got := w.get(j.ID); !got.Queued {
		t.Errorf("%+v", got)
	}
	w.launch()
	if got := w.ended(j.ID); got.Result != "attempt 2" {
		t.Errorf("%+v", got)
	}
	w.told(j)
}

// When a job runs again, nothing is left of an attempt whose keeper was killed with its
// worker.
func TestRerunAlone(t *testing.T) {
	w := newWorld(t)
	j := w.add(agent.Job{OnLost: agent.LostRerun, Task: fmt.Sprintf(`sh if [ -e $READY ]; then grep -q sleep /proc/$(cat $READY)/cmdline && exit 3; exit 0; fi
setsid sleep %s & echo $! >$READY.new; mv $READY.new $READY; wait`, naptime())})
	w.launch()
	w.begun(j.ID)
	w.killBoth(j.ID)
	if len(marked(t, j.ID)) == 0 {
		t.Error("nothing is left of the first attempt")
	}
	w.launch()
	if got := w.ended(j.ID); got.Status != agent.Completed || got.Attempt != 2 {
		t.Errorf("%+v %+v", got, got.Fault)
	}
	w.told(j)
}

// killBoth kills the worker of a job and its keeper at the same time.
func (w *world) killBoth(id string) {
	w.Helper()
	worker := w.get(id).Worker.Process
	keeper := parent(w.T, worker.PID)
	kill(w.T, keeper, syscall.SIGSTOP) // so that it does nothing any more
	kill(w.T, worker.PID, syscall.SIGKILL)
	kill(w.T, keeper, syscall.SIGKILL)
	w.until("the death of both", func() bool { return !worker.Alive() })
}

// A worker that does not react at all is killed with what it has started: when the job is
// canceled, or its time is over.
func TestFrozen(t *testing.T) {
	w := newWorld(t)
	for _, timeout := range []int{0, 1} {
		j := w.add(agent.Job{Task: brood(), Limits: agent.Limits{Timeout: timeout}})
		w.launch()
		w.begun(j.ID)
		kill(t, w.get(j.ID).Worker.Process.PID, syscall.SIGSTOP)
		want := agent.Incomplete
		if timeout == 0 {
			want = agent.Canceled
			if _, err := w.Cancel(t.Context(), j.ID); err != nil {
				t.Fatal(err)
			}
		}
		if got := w.ended(j.ID); got.Status != want {
			t.Errorf("%+v %+v", got, got.Fault)
		}
		w.none(j.ID)
		w.quiet()
		w.told(j)
	}
}

// What a job leaves when it ends by itself does not outlive it either.
func TestLeftovers(t *testing.T) {
	w := newWorld(t)
	j := w.spawn(fmt.Sprintf("sh (setsid sleep %[1]s &); (env -i setsid sleep %[1]s &); touch $READY", naptime()))
	if got := w.ended(j.ID); got.Status != agent.Completed {
		t.Errorf("%+v %+v", got, got.Fault)
	}
	w.none(j.ID)
	w.quiet()
}
