package agent

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state/store"
)

// deadHere returns a worker of this machine whose process has ended.
func deadHere(t *testing.T) Worker {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childWaits+"=1") // what has ended has no start any more
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w := here("dead")
	w.Process = process.Of(cmd.Process.Pid)
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if process.Machine() == "" {
		t.Skip("this system does not say what process numbers are of")
	}
	return w
}

func (w *world) reap() []Job {
	w.Helper()
	jobs, err := w.Reap(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	return jobs
}

// Workers of this machine are known to be dead at once; those that live are left alone.
func TestReapHere(t *testing.T) {
	engines(t, func(w *world) {
		dead := deadHere(w.T)
		lost, alive := w.add(task("lost")), w.add(task("alive"))
		for _, self := range []Worker{dead, here("alive")} {
			w.claim(self)
		}
		again := task("again")
		again.OnLost = LostRerun
		again = w.add(again)
		w.claim(dead)
		stopped := w.add(task("stopped"))
		w.claim(here("soon dead"))
		if j, err := w.Cancel(w.Context(), stopped.ID); err != nil || j.Status != Working || !j.Canceling {
			w.Fatalf("%+v, %v", j, err)
		}
		if _, err := w.Note(w.Context(), stopped.ID, "soon dead", func(j *Job) { j.Worker.Process = dead.Process }); err != nil {
			w.Fatal(err)
		}
		queued := w.add(task("queued"))

		got := map[string]Status{}
		for _, j := range w.reap() {
			got[j.ID] = j.Status
		}
		want := map[string]Status{lost.ID: Lost, again.ID: Working, stopped.ID: Canceled}
		if diff := cmp.Diff(want, got); diff != "" {
			w.Error(diff)
		}
		if diff := cmp.Diff(map[string]int{lost.ID: 1, stopped.ID: 1}, w.finals()); diff != "" {
			w.Error(diff)
		}
		if j := w.get(alive.ID); j.Status != Working || j.Queued {
			w.Errorf("%+v", j)
		}
		if !w.get(again.ID).Queued || !w.get(queued.ID).Queued {
			w.Error("they are not in the queue")
		}
		if running, queued, err := w.Running(w.Context(), process.Machine()); running != 1 || queued != 2 || err != nil {
			w.Error(running, queued, err)
		}
		if pids, err := w.Workers(w.Context()); err != nil || !slices.Equal(pids, []int{os.Getpid()}) {
			w.Error(pids, err)
		}
		if more := w.reap(); len(more) > 0 {
			w.Errorf("%+v", more)
		}
	})
}

// Canceling a job whose worker has died ends it.
func TestCancelOfDead(t *testing.T) {
	w := newWorld(t)
	id := w.add(task("x")).ID
	w.claim(deadHere(t))
	j, err := w.Cancel(t.Context(), id)
	if err != nil || j.Status != Canceled || w.finals()[id] != 1 {
		t.Errorf("%+v, %v", j, err)
	}
	again, err := w.Cancel(t.Context(), id)
	if diff := cmp.Diff(j, again); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// Several look at the same moment: each job ends once, and is told of once.
func TestReapTogether(t *testing.T) {
	engines(t, func(w *world) {
		dead := deadHere(w.T)
		const number = 8
		for n := range number {
			j := task(fmt.Sprint("task ", n))
			if n%2 == 1 {
				j.OnLost = LostRerun
			}
			w.add(j)
			w.claim(dead)
		}
		var group sync.WaitGroup
		var mu sync.Mutex
		times := map[string]int{}
		for range 4 {
			jobs := w.another()
			group.Go(func() {
				all, err := jobs.Reap(w.Context())
				if err != nil {
					w.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				for _, j := range all {
					times[j.ID]++
				}
			})
		}
		group.Wait()
		for id, n := range times {
			if n != 1 {
				w.Errorf("%s: %d times", id, n)
			}
		}
		if len(times) != number || len(w.finals()) != number/2 {
			w.Errorf("%d were reaped, %v told of", len(times), w.finals())
		}
		if running, queued, err := w.Running(w.Context(), dead.Machine); running != 0 || queued != number/2 || err != nil {
			w.Error(running, queued, err)
		}
	})
}

// A worker of another machine is dead when it has not written for a time, by the clock
// of who looks once. If it lives nevertheless, it cannot write any more.
func TestReapByClock(t *testing.T) {
	w := newWorld(t)
	id := w.add(task("x")).ID
	w.claim(elsewhere("far"))
	w.set(deadByClock - time.Second)
	if jobs := w.reap(); len(jobs) > 0 {
		t.Fatalf("%+v", jobs)
	}
	if _, err := w.Note(t.Context(), id, "far", func(*Job) {}); err != nil {
		t.Fatal(err)
	}
	w.set(deadByClock - time.Second)
	if jobs, err := w.another().Reap(t.Context()); err != nil || len(jobs) > 0 {
		t.Fatalf("%+v, %v", jobs, err)
	}
	w.set(2 * time.Second)
	if jobs, err := w.another().Reap(t.Context()); err != nil || len(jobs) != 1 || jobs[0].Status != Lost {
		t.Fatalf("%+v, %v", jobs, err)
	}
	if _, mine, err := w.Finish(t.Context(), id, "far", Outcome{Status: Completed}); mine || err != nil {
		t.Error(mine, err)
	}
	if got := w.get(id); got.Status != Lost || w.finals()[id] != 1 {
		t.Errorf("%+v, %v", got, w.finals())
	}
}

// Who goes on looking needs no clock of the wall: it takes a worker for dead whose last
// Beat stays the same.
func TestReapByWatching(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.add(task("x")).ID
		w.claim(elsewhere("far"))
		w.set(-time.Hour) // so that all that is written lies ahead
		for range 10 {
			<-time.After(deadAfter - time.Second)
			if jobs := w.reap(); len(jobs) > 0 {
				t.Fatalf("%+v", jobs)
			}
			if _, err := w.Note(t.Context(), id, "far", func(*Job) {}); err != nil {
				t.Fatal(err)
			}
		}
		w.reap()
		<-time.After(deadAfter + time.Second)
		if jobs := w.reap(); len(jobs) != 1 || jobs[0].Status != Lost {
			t.Fatalf("%+v", jobs)
		}
	})
}

// Where the system does not say what process numbers are of, a number that is free on
// the same host counts, once nothing was written for a while.
func TestDiedWithoutMachine(t *testing.T) {
	jobs := NewJobs(nil, nil, time.Now)
	dead := deadHere(t)
	dead.Machine = ""
	for name, c := range map[string]struct {
		host    string
		process process.ID
		silent  time.Duration
		want    bool
	}{
		"silent":               {hostname(), dead.Process, deadAfter + time.Second, true},
		"wrote a moment ago":   {hostname(), dead.Process, deadAfter - time.Second, false},
		"lives":                {hostname(), process.This(), deadAfter + time.Second, false},
		"another host":         {"far", dead.Process, deadAfter + time.Second, false},
		"long silent":          {"far", dead.Process, deadByClock + time.Second, true},
		"lives, but is silent": {hostname(), process.This(), deadByClock + time.Second, true},
	} {
		j := Job{Status: Working, Worker: &Worker{ID: name, Host: c.host, Process: c.process}, Beat: time.Now().Add(-c.silent)}
		if got := jobs.died(&j); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for _, j := range []Job{{Status: Working, Queued: true}, {Status: Lost, Worker: &dead}} {
		if jobs.died(&j) {
			t.Errorf("%+v", j)
		}
	}
}

// What is wrong in the keys of machines is put right: slots are neither lost nor given
// away twice.
func TestSlotsAreMended(t *testing.T) {
	w := newWorld(t)
	machine := process.Machine()
	one, two := w.add(task("one")), w.add(task("two"))
	w.claim(here("a"))
	w.claim(here("b"))
	put := func(key, value string) {
		t.Helper()
		if err := w.store.Update(t.Context(), func(tx store.Tx) error { return tx.Put(key, []byte(value)) }); err != nil {
			t.Fatal(err)
		}
	}
	running := func(want int) {
		t.Helper()
		if n, _, err := w.Running(t.Context(), machine); n != want || err != nil {
			t.Errorf("%d run, want %d: %v", n, want, err)
		}
	}
	key := store.DigestKey(machineKeys, machine)
	put(key, "{")
	running(2)
	if j, err := w.Claim(t.Context(), here("c"), 2, nil); j != nil || err != nil {
		t.Errorf("%+v, %v", j, err)
	}
	if _, err := w.Note(t.Context(), one.ID, "a", func(j *Job) { j.Worker.Process = deadHere(t).Process }); err != nil {
		t.Fatal(err)
	}
	if jobs := w.reap(); len(jobs) != 1 || jobs[0].ID != one.ID {
		t.Errorf("%+v", jobs)
	}
	running(1)

	s := slots{Place: machine, Jobs: []string{two.ID, one.ID, "never-was"}}
	err := w.store.Update(t.Context(), func(tx store.Tx) error { return s.put(tx) })
	if err != nil {
		t.Fatal(err)
	}
	running(3)
	w.reap()
	running(1)
	put(jobKeys+two.ID, `{"version":1,"job_id":"`+two.ID+`"`)
	w.reap()
	running(0)
	all, err := w.List(t.Context())
	if err != nil || len(all) != 2 {
		t.Error(all, err)
	}
	for _, j := range all {
		if j.ID == two.ID && (j.Fault == nil || !strings.Contains(j.Fault.Message, "damaged")) {
			t.Errorf("%+v", j)
		}
	}
}
