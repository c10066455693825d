package schedule

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
)

// lasting is an action that goes on for a time.
func lasting(d time.Duration) func(context.Context, Run) (string, error) {
	return func(ctx context.Context, _ Run) (string, error) {
		select {
		case <-time.After(d):
			return "", nil
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// Slots come while an earlier run goes on.
func TestOverlap(t *testing.T) {
	for policy, want := range map[string]string{
		OverlapSkip:     "10 ok, 20-30*2 skipped, 40 ok, 50-60*2 skipped",
		OverlapQueue:    "10 ok, 20 ok, 30 running, 40 queued, 50 queued, 60 queued",
		OverlapParallel: "10 ok, 20 ok, 30 ok, 40 running, 50 running, 60 running",
	} {
		t.Run(policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.act = lasting(25 * time.Second)
				job := w.every(10)
				job.Overlap = policy
				job = w.add(job)
				stop := w.background(w.scheduler())
				defer stop()
				w.sleep(64*time.Second + 500*time.Millisecond)
				if policy == OverlapSkip { // the run at 40 ends at 65
					w.sleep(2 * time.Second)
				}
				if got := w.story(job); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			})
		})
	}
}

// A run that fails runs again under the same id, later and later.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		start := w.now()
		var begun []time.Duration
		w.act = func(_ context.Context, run Run) (string, error) {
			begun = append(begun, w.now().Sub(start).Truncate(time.Second))
			if run.Attempt != len(begun) {
				t.Errorf("attempt %d of %d", run.Attempt, len(begun))
			}
			if run.Attempt == 4 {
				return "at last", nil
			}
			return "", errBroken
		}
		job := w.in(10 * time.Second)
		job.Retries, job.Backoff = 3, 20
		job = w.add(job)
		stop := w.background(w.scheduler(), w.scheduler())
		defer stop()
		w.sleep(10 * time.Minute)
		want := []time.Duration{10 * time.Second, 30 * time.Second, 70 * time.Second, 150 * time.Second}
		if diff := cmp.Diff(want, begun); diff != "" {
			t.Errorf("begun, want -, got +:\n%s", diff)
		}
		runs := w.history(job.ID)
		if len(runs) != 1 || runs[0].Status != OK || runs[0].Attempt != 4 || runs[0].Error != "" || runs[0].Output != "at last" {
			t.Errorf("%+v", runs)
		}
		if all := w.messages(); len(all) != 1 || all[0].Content != "at last" {
			t.Errorf("messages: %+v", all)
		}
	})
}

// A job that runs once is removed when it has, and stays disabled if it has failed.
func TestOneShot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		good, bad := w.in(10*time.Second), w.in(20*time.Second)
		bad.Action.Exec = "false"
		good, bad = w.add(good), w.add(bad)
		w.act = func(_ context.Context, run Run) (string, error) {
			if run.Job == bad.ID {
				return "so far", errBroken
			}
			return "", nil
		}
		stop := w.background(w.scheduler())
		defer stop()
		w.sleep(time.Minute)
		if _, err := w.jobs.Get(t.Context(), good.ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("one that has run: %v", err)
		}
		if runs := w.history(good.ID); len(runs) != 1 || runs[0].Status != OK {
			t.Errorf("its history: %+v", runs)
		}
		kept := w.get(bad.ID)
		if kept.Enabled || !strings.Contains(kept.Reason, "its run has failed: internal error: it is broken") || kept.State.Last.Status != Failed {
			t.Errorf("one that has failed: %+v", kept)
		}
		// It can be run again by hand, which does not remove it.
		w.act = nil
		run, err := w.scheduler().RunNow(t.Context(), bad.ID)
		if err != nil || run.Status != OK || !run.Manual {
			t.Errorf("RunNow: %+v, %v", run, err)
		}
		w.get(bad.ID)
	})
}

func TestMaxRuns(t *testing.T) {
	for _, overlap := range []string{OverlapSkip, OverlapParallel, OverlapQueue} {
		t.Run(overlap, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.act = lasting(25 * time.Second)
				job := w.every(10)
				job.MaxRuns, job.Overlap = 2, overlap
				job = w.add(job)
				stop := w.background(w.scheduler())
				defer stop()
				w.sleep(5 * time.Minute)
				kept := w.get(job.ID)
				if n := len(w.times()); n != 2 || kept.Enabled || kept.Reason != "it has run 2 times" {
					t.Errorf("%d runs, enabled %v: %q", n, kept.Enabled, kept.Reason)
				}
			})
		})
	}
}

func TestExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.every(10)
		job.ExpiresAt = w.now().Add(20 * time.Second)
		job = w.add(job)
		stop := w.background(w.scheduler())
		defer stop()
		w.sleep(time.Minute)
		if got := w.story(job); got != "10 ok, 20 ok" {
			t.Error(got)
		}
		if kept := w.get(job.ID); kept.Enabled || kept.Reason != "it has expired" {
			t.Errorf("enabled %v: %q", kept.Enabled, kept.Reason)
		}
	})
}

// A job that always fails is disabled, which its conversation is told.
func TestMaxFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.act = func(context.Context, Run) (string, error) { return "", errBroken }
		job := w.every(10)
		job.MaxFailures, job.Deliver = 3, DeliverNever
		job.Origin.Channel, job.Origin.To = "telegram", "42"
		job = w.add(job)
		stop := w.background(w.scheduler())
		defer stop()
		w.sleep(2 * time.Minute)
		if n := statuses(w.history(job.ID)); n[Failed] != 3 || len(n) != 1 {
			t.Errorf("%v", n)
		}
		if kept := w.get(job.ID); kept.Enabled || !strings.HasPrefix(kept.Reason, "it has failed 3 times in a row") {
			t.Errorf("enabled %v: %q", kept.Enabled, kept.Reason)
		}
		all := w.messages()
		if len(all) != 1 || all[0].Kind != bus.KindSystem || all[0].Channel != "telegram" || all[0].To != "42" || !strings.Contains(all[0].Content, "was disabled") {
			t.Errorf("messages: %+v", all)
		}
	})
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.act = lasting(time.Hour)
		job := w.every(60)
		job.Timeout = 5
		w.add(job)
		w.sleep(time.Minute)
		runs := w.tick()
		if len(runs) != 1 || runs[0].Status != Timeout || runs[0].Error != "it did not end within 5s" || runs[0].EndedAt.Sub(runs[0].StartedAt) < 5*time.Second {
			t.Errorf("%+v", runs)
		}
	})
}

// A runner that panics is a run that has failed, and trouble; nothing else.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.act = func(context.Context, Run) (string, error) { panic("oh") }
		w.add(w.every(60))
		w.sleep(time.Minute)
		s, troubles := w.scheduler(), 0
		s.opt.Trouble = func(err error) {
			if troubles++; !strings.Contains(err.Error(), "panicked: oh") {
				t.Error(err)
			}
		}
		runs, err := s.Tick(t.Context())
		if err != nil || len(runs) != 1 || runs[0].Status != Failed || troubles != 1 {
			t.Errorf("%+v, %v, %d troubles", runs, err, troubles)
		}
	})
}

// A condition decides whether a slot counts.
func TestWhen(t *testing.T) {
	type result struct {
		output string
		err    error
	}
	for name, c := range map[string]struct {
		changed bool
		returns []result
		want    string
	}{
		"something":  {false, []result{{"", nil}, {"x", nil}, {"x", nil}, {" \n", nil}, {"x", errBroken}}, "60 skipped, 120 ok, 180 ok, 240 skipped, 300 skipped"},
		"some other": {true, []result{{"a", nil}, {"a", nil}, {"b", nil}, {"", nil}, {"b", nil}}, "60 ok, 120 skipped, 180 ok, 240 skipped, 300 skipped"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				job := w.every(60)
				job.When, job.MaxRuns = &When{Call: Call{Name: "fetch"}, Changed: c.changed}, 3
				job = w.add(job)
				asked := 0
				for range c.returns {
					w.sleep(time.Minute)
					s := w.scheduler()
					s.opt.Runner = func(_ context.Context, _ Job, action Action, _ Run) (string, error) {
						if action.Call == nil {
							return "", nil
						}
						asked++
						return c.returns[asked-1].output, c.returns[asked-1].err
					}
					if _, err := s.Tick(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				if got := w.story(job); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
				if j := w.get(job.ID); !j.Enabled || j.State.Runs != 2 || j.State.Failures != 0 {
					t.Errorf("slots that do not count: %+v", j.State)
				}
			})
		})
	}
}

// A job of its own stays as it was while its run goes on: it may be changed and removed.
func TestRemovedWhileRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.act = lasting(20 * time.Second)
		job := w.add(w.every(10))
		stop := w.background(w.scheduler())
		defer stop()
		w.sleep(15 * time.Second)
		if _, err := w.jobs.Remove(t.Context(), job.ID); err != nil {
			t.Fatal(err)
		}
		w.sleep(time.Minute)
		if got := w.story(job); got != "10 ok" {
			t.Error(got)
		}
		if all := w.messages(); len(all) != 0 {
			t.Errorf("messages: %+v", all)
		}
	})
}

// Disabling gives up what waits, and leaves what runs.
func TestDisabledWhileRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.act = lasting(35 * time.Second)
		job := w.every(10)
		job.Overlap = OverlapQueue
		job = w.add(job)
		stop := w.background(w.scheduler())
		defer stop()
		w.sleep(35 * time.Second)
		if _, err := w.jobs.Disable(t.Context(), job.ID, "enough"); err != nil {
			t.Fatal(err)
		}
		w.sleep(time.Minute)
		if got := w.story(job); got != "10 ok, 20 skipped, 30 skipped" {
			t.Error(got)
		}
		if j := w.get(job.ID); j.Enabled || j.Reason != "enough" {
			t.Errorf("%+v", j)
		}
	})
}

// What a scheduler that is to end does with its runs.
func TestEnding(t *testing.T) {
	for name, c := range map[string]struct {
		lasts time.Duration
		lost  string
		want  string
	}{
		"they end in time":       {8 * time.Second, LostFail, "10 ok"},
		"they are canceled":      {time.Hour, LostFail, "10 error"},
		"they are to run again":  {time.Hour, LostRerun, "10 queued"},
		"they end just too late": {16 * time.Second, LostRerun, "10 queued"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.act = lasting(c.lasts)
				job := w.every(10)
				job.OnLost = c.lost
				job = w.add(job)
				stop := w.background(w.scheduler())
				w.sleep(15 * time.Second)
				stop()
				if got := w.story(job); got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
				if s, err := w.jobs.SchedulerStatus(t.Context()); err != nil || s.Running || s.Hint.IsZero() {
					t.Errorf("somebody runs: %+v, %v", s, err)
				}
			})
		})
	}
}

// A job runs by hand: also if it is disabled, and after a run that goes on.
func TestRunNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.add(w.every(3600))
		if _, err := w.jobs.Disable(t.Context(), job.ID, ""); err != nil {
			t.Fatal(err)
		}
		run, err := w.scheduler().RunNow(t.Context(), job.ID)
		if err != nil || run.Status != OK || w.times()[run.ID()] != 1 {
			t.Fatalf("%+v, %v", run, err)
		}
		w.act = lasting(10 * time.Second)
		stop := w.background(w.scheduler())
		defer stop()
		queued, err := w.jobs.RunNow(t.Context(), job.ID)
		if err != nil || queued.Status != Queued {
			t.Fatalf("%+v, %v", queued, err)
		}
		start := w.now()
		second, err := w.scheduler().RunNow(t.Context(), job.ID)
		if err != nil || second.Status != OK || w.now().Sub(start) < 20*time.Second {
			t.Errorf("%+v, %v, after %s", second, err, w.now().Sub(start))
		}
		if n := w.times(); len(n) != 3 || n[queued.ID()] != 1 || n[second.ID()] != 1 {
			t.Errorf("ran: %v", n)
		}
		w.act = func(context.Context, Run) (string, error) { return "", errBroken }
		if failed, err := w.scheduler().RunNow(t.Context(), job.ID); err != nil || failed.Status != Failed || w.get(job.ID).State.Failures != 0 {
			t.Errorf("%+v, %v", failed, err)
		}
	})
}
