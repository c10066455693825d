package schedule

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/state/store"
)

// elsewhere makes a scheduler one of another machine.
func elsewhere(s *Scheduler, host string) *Scheduler {
	s.who = func(kind string) member {
		m := thisMember(kind, s.now())
		m.Host, m.Machine = host, host
		return m
	}
	return s
}

// cutOff is a store that cannot be reached any more: that of a process which has died.
type cutOff struct {
	store.Store
	dead func() bool
}

func (c cutOff) View(ctx context.Context, f func(store.Reader) error) error {
	if c.dead() {
		<-ctx.Done()
		return ctx.Err()
	}
	return c.Store.View(ctx, f)
}

func (c cutOff) Update(ctx context.Context, f func(store.Tx) error) error {
	if c.dead() {
		<-ctx.Done()
		return context.Canceled
	}
	return c.Store.Update(ctx, f)
}

// A scheduler on another machine dies in the middle of a run. The run is lost, or runs
// again, which is said once; the other scheduler takes the lead.
func TestLostElsewhere(t *testing.T) {
	for _, c := range []struct{ lost, want string }{
		{LostFail, "60 lost, 120 ok, 180 ok"},
		{LostRerun, "60 ok, 120 ok, 180 ok"},
	} {
		t.Run(c.lost, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				var died atomic.Bool
				hang := make(chan struct{})
				w.act = func(ctx context.Context, run Run) (string, error) {
					if run.Attempt == 1 && len(w.times()) == 1 {
						died.Store(true)
						<-hang
					}
					return run.Host, nil
				}
				job := w.every(60)
				job.OnLost = c.lost
				job = w.add(job)
				first, second := elsewhere(w.scheduler(), "one"), elsewhere(w.scheduler(), "two")
				first.opt.Store = cutOff{w.store, died.Load}
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { ended <- first.Run(ctx) }()
				w.sleep(2 * time.Second)
				stop := w.background(second)
				w.sleep(182 * time.Second)
				if got := w.story(job); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
				n := 0
				for _, m := range w.messages() {
					if strings.Contains(m.Content, "which ran it, has died") {
						n++
					}
				}
				if want := map[string]int{LostFail: 1}[c.lost]; n != want {
					t.Errorf("said %d times, want %d", n, want)
				}
				stop()
				// It was not dead at all: what it has to say of the run comes too late.
				died.Store(false)
				close(hang)
				cancel()
				<-ended
				if got := w.story(job); got != c.want {
					t.Errorf("afterwards: %s\nwant %s", got, c.want)
				}
			})
		})
	}
}

// A process that dies takes its job's run with it again and again: there is an end to it.
func TestLostAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.in(time.Minute)
		job.OnLost = LostRerun
		job = w.add(job)
		w.sleep(time.Minute)
		for range 10 {
			s := elsewhere(w.scheduler(), "gone")
			s.self = s.who(kindTick)
			if err := s.opt.Store.View(t.Context(), func(r store.Reader) error { _, err := s.look(r); return err }); err != nil {
				t.Fatal(err)
			}
			err := s.opt.Store.Update(t.Context(), func(tx store.Tx) error {
				_, err := s.claim(tx, job.ID, s.now(), s.now())
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			w.sleep(deadByClock + time.Second)
			other := w.scheduler()
			other.self = other.who(kindTick)
			if err := other.endOrphans(t.Context(), job.ID, other.now()); err != nil {
				t.Fatal(err)
			}
		}
		runs := w.history(job.ID)
		if len(runs) != 1 || runs[0].Status != Lost || runs[0].Attempt != 1+lostReruns {
			t.Errorf("%+v", runs)
		}
		if j := w.get(job.ID); j.Enabled || len(w.messages()) != 1 {
			t.Errorf("enabled %v, %d messages", j.Enabled, len(w.messages()))
		}
	})
}

// While a machine was suspended, others took its run for lost. It notices, and cancels.
func TestDisowned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		why := make(chan error, 1)
		w.act = func(ctx context.Context, run Run) (string, error) {
			<-ctx.Done()
			why <- context.Cause(ctx)
			return "", context.Cause(ctx)
		}
		job := w.add(w.every(60))
		s := w.scheduler()
		stop := w.background(s)
		defer stop()
		w.sleep(61 * time.Second)
		runs := w.history(job.ID)
		err := w.store.Update(t.Context(), func(tx store.Tx) error {
			runs[0].Status, runs[0].Error = Lost, "another one says so"
			return putRun(tx, &runs[0])
		})
		if err != nil {
			t.Fatal(err)
		}
		w.sleep(beatEvery + time.Second)
		select {
		case err := <-why:
			if !errors.Is(err, errTaken) {
				t.Errorf("canceled because of %v", err)
			}
		default:
			t.Error("not canceled")
		}
		if runs := w.history(job.ID); runs[0].Status != Lost || runs[0].Error != "another one says so" {
			t.Errorf("%+v", runs[0])
		}
	})
}

// The second of two schedulers takes over when the first one ends, and says who runs.
func TestLead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.add(w.every(5))
		one := w.background(elsewhere(w.scheduler(), "one"))
		w.sleep(time.Second)
		two := w.background(elsewhere(w.scheduler(), "two"))
		defer two()
		w.sleep(20 * time.Second)
		if s, err := w.jobs.SchedulerStatus(t.Context()); err != nil || !s.Running || s.Host != "one" || !s.Hint.IsZero() {
			t.Errorf("%+v, %v", s, err)
		}
		one()
		w.sleep(20 * time.Second)
		if s, err := w.jobs.SchedulerStatus(t.Context()); err != nil || !s.Running || s.Host != "two" {
			t.Errorf("%+v, %v", s, err)
		}
		hosts := map[string]int{}
		for _, r := range w.history(job.ID) {
			hosts[r.Host]++
		}
		if hosts["one"] != 4 || hosts["two"] != 4 || len(w.times()) != 8 {
			t.Errorf("%v", hosts)
		}
	})
}

// The record of a scheduler that cannot be read counts as none, and is removed.
func TestDamagedMember(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.every(60)
		job = w.add(job)
		err := w.store.Update(t.Context(), func(tx store.Tx) error {
			job.State.Active = []Active{{At: job.Timing.Anchor, Scheduler: "x"}}
			if err := putJob(tx, &job); err != nil {
				return err
			}
			return errors.Join(tx.Put(leaderKey, []byte("x")), tx.Put(schedulerKeys+"x", []byte("{")), tx.Put(schedulerKeys+"y", []byte(`{"id":"z"}`)))
		})
		if err != nil {
			t.Fatal(err)
		}
		if s, err := w.jobs.SchedulerStatus(t.Context()); err != nil || s.Running {
			t.Errorf("%+v, %v", s, err)
		}
		stop := w.background(w.scheduler())
		w.sleep(61 * time.Second)
		stop()
		if got := w.story(job); got != "0 lost, 60 ok" {
			t.Error(got)
		}
		err = w.store.View(t.Context(), func(r store.Reader) error {
			left, err := r.List(schedulerKeys)
			if len(left) > 0 {
				t.Errorf("%s is left", left[0].Key)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}
