package schedule

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// unsure is a store whose server does not always say what became of a transaction.
type unsure struct {
	store.Store
	update func(commit func() error) error
}

func (u unsure) Update(ctx context.Context, f func(store.Tx) error) error {
	return u.update(func() error { return u.Store.Update(ctx, f) })
}

// The claim of a slot is written, but the store's server does not say so: the slot runs
// all the same, once, and so do those after it.
func TestClaimInDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.add(w.every(60))
		var silent atomic.Bool
		s := w.scheduler()
		s.opt.Trouble = func(error) {}
		s.opt.Store = unsure{s.opt.Store, func(commit func() error) error {
			err := commit()
			if j, get := w.jobs.Get(t.Context(), job.ID); err != nil || get != nil || len(j.State.Active) == 0 || silent.Swap(true) {
				return err
			}
			return fault.New(fault.Unavailable, fault.T("no answer"))
		}}
		stop := w.background(s)
		w.sleep(122 * time.Second)
		stop()
		if got := w.story(job); got != "60 ok, 120 ok" || !silent.Load() || len(w.times()) != 2 {
			t.Errorf("%s; silent %v, %v", got, silent.Load(), w.times())
		}
	})
}

// The store does not take the end of a run. That run is lost, and the job goes on.
func TestEndNotWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.act = lasting(3 * time.Second)
		job := w.add(w.every(60))
		var refuse atomic.Bool
		s := w.scheduler()
		s.opt.Trouble = func(error) {}
		s.opt.Store = unsure{s.opt.Store, func(commit func() error) error {
			if refuse.Swap(false) {
				return fault.New(fault.PermissionDenied, fault.T("no"))
			}
			return commit()
		}}
		stop := w.background(s)
		w.sleep(62 * time.Second)
		refuse.Store(true)
		w.sleep(62 * time.Second)
		stop()
		if got := w.story(job); got != "60 lost, 120 ok" || refuse.Load() {
			t.Errorf("%s; refused %v", got, !refuse.Load())
		}
	})
}

// The same with a scheduler that looks only once, in a process that goes on: others
// find that it has ended.
func TestTickInDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.every(60)
		job.OnLost = LostRerun
		job = w.add(job)
		w.sleep(60 * time.Second)
		s := w.scheduler()
		silent := false
		s.opt.Store = unsure{s.opt.Store, func(commit func() error) error {
			if err := commit(); err != nil || silent {
				return err
			}
			silent = true
			return fault.New(fault.Unavailable, fault.T("no answer"))
		}}
		if _, err := s.Tick(t.Context()); !fault.Is(err, fault.Unavailable) {
			t.Fatal(err)
		}
		w.tick()
		if got := w.story(job); got != "60 ok" || len(w.times()) != 1 {
			t.Errorf("%s, %v", got, w.times())
		}
	})
}
