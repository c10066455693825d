package agent

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestClaimOrder(t *testing.T) {
	engines(t, func(w *world) {
		gpu := task("on a gpu")
		gpu.Labels = []string{"gpu", "big"}
		other := task("of another runtime")
		other.Runtime = "other"
		ids := map[string]string{}
		for _, j := range []Job{gpu, task("first"), other, task("second")} {
			ids[w.add(j).ID] = j.Task
		}
		takes := func(want ...string) func(*Job) bool {
			return func(j *Job) bool {
				if j.Task == "" || j.Worker != nil {
					w.Errorf("asked about %+v", j)
				}
				return len(want) == 0 || j.Runtime == want[0]
			}
		}
		labeled := here("labeled")
		labeled.Labels = []string{"x", "big", "gpu"}
		for _, c := range []struct {
			worker Worker
			takes  func(*Job) bool
			want   string
		}{
			{here("a"), takes(Builtin), "first"},
			{here("b"), takes(Builtin), "second"},
			{here("c"), takes(Builtin), ""},
			{labeled, takes("other"), "of another runtime"},
			{labeled, nil, "on a gpu"},
			{labeled, nil, ""},
		} {
			got, err := w.Claim(w.Context(), c.worker, 10, c.takes)
			if err != nil {
				w.Fatal(err)
			}
			switch {
			case got == nil && c.want == "":
			case got == nil || ids[got.ID] != c.want:
				w.Errorf("%s: %+v, want %q", c.worker.ID, got, c.want)
			}
		}
		if running, queued, err := w.Running(w.Context(), here("").Machine); running != 4 || queued != 0 || err != nil {
			w.Error(running, queued, err)
		}
	})
	w := newWorld(t)
	if _, err := w.Claim(t.Context(), Worker{}, 1, nil); !fault.Is(err, fault.Internal) {
		t.Error(err)
	}
}

// Many claim at once, on two machines: each job once, and never more at a time on one of
// them than the limit.
func TestClaimLimit(t *testing.T) {
	engines(t, func(w *world) {
		const number, limit, workers = 24, 3, 5
		for n := range number {
			w.add(task(fmt.Sprint("task ", n)))
		}
		var mu sync.Mutex
		now, most, times := map[string]int{}, map[string]int{}, map[string]int{}
		var group sync.WaitGroup
		for _, machine := range []string{"m1", "m2"} {
			for n := range workers {
				jobs := w.another()
				group.Go(func() {
					for again := 0; ; again++ {
						self := Worker{ID: fmt.Sprint(machine, n, "-", again), Host: machine, Machine: machine}
						j, err := jobs.Claim(w.Context(), self, limit, nil)
						if err != nil {
							w.Error(err)
							return
						}
						if j == nil {
							_, queued, err := jobs.Running(w.Context(), machine)
							if err != nil || queued == 0 {
								return
							}
							continue
						}
						mu.Lock()
						times[j.ID]++
						now[machine]++
						most[machine] = max(most[machine], now[machine])
						mu.Unlock()
						if running, _, err := jobs.Running(w.Context(), machine); running > limit || err != nil {
							w.Error(running, err)
						}
						mu.Lock()
						now[machine]-- // before others can know
						mu.Unlock()
						if _, mine, err := jobs.Finish(w.Context(), j.ID, self.ID, Outcome{Status: Completed}); !mine || err != nil {
							w.Error(mine, err)
						}
					}
				})
			}
		}
		group.Wait()
		if len(times) != number || most["m1"] > limit || most["m2"] > limit {
			w.Errorf("%d jobs, at most %v at a time", len(times), most)
		}
		for id, n := range times {
			if n != 1 {
				w.Errorf("%s: %d times", id, n)
			}
		}
		finals := w.finals()
		if len(finals) != number {
			w.Errorf("%d were told of", len(finals))
		}
	})
}

// The times are those of the job's own clock, and a second attempt has its own start.
func TestTimes(t *testing.T) {
	w := newWorld(t)
	j := task("x")
	j.OnLost = LostRerun
	added := w.add(j)
	w.set(time.Hour)
	first := w.claim(here("a"))
	if wait := first.StartedAt.Sub(added.CreatedAt); wait < time.Hour || wait > 2*time.Hour || !first.Beat.Equal(first.StartedAt) {
		t.Error(wait, first.Beat)
	}
	if _, err := w.Note(t.Context(), added.ID, "a", func(j *Job) { j.Iterations, j.Tokens = 5, 6 }); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Finish(t.Context(), added.ID, "a", Outcome{Status: Lost}); err != nil {
		t.Fatal(err)
	}
	w.set(time.Hour)
	second := w.claim(here("b"))
	if second.StartedAt.Sub(first.StartedAt) < time.Hour || second.Attempt != 2 || second.Iterations != 0 || second.Tokens != 0 || !second.CreatedAt.Equal(added.CreatedAt) {
		t.Errorf("%+v", second)
	}
}
