package schedule

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// The newest runs are kept, and not for ever.
func TestPrune(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.every(60)
		job.Overlap, job.Missed = OverlapParallel, MissedAll
		job = w.add(job)
		for range 2 {
			w.sleep(80 * time.Minute)
			w.tick()
		}
		runs := w.history(job.ID)
		if len(runs) < keptRuns || len(runs) > keptRuns+pruneEvery {
			t.Errorf("%d are kept", len(runs))
		}
		if newest := runs[len(runs)-1].ScheduledAt; !newest.Equal(job.Timing.Anchor.Add(160 * time.Minute)) {
			t.Errorf("the newest is of %s", newest)
		}
		if some, err := w.jobs.History(t.Context(), job.ID, 3); err != nil || len(some) != 3 || some[0].ScheduledAt.Before(some[2].ScheduledAt) {
			t.Errorf("%+v, %v", some, err)
		}
		w.sleep(keptFor)
		for range pruneEvery {
			w.sleep(time.Minute)
			w.tick()
		}
		for range pruneEvery {
			w.sleep(time.Minute)
			w.tick()
		}
		for _, r := range w.history(job.ID) {
			if w.now().Sub(r.ScheduledAt) > keptFor+time.Hour && r.Status != Missed {
				t.Errorf("one of %s is kept", r.ScheduledAt)
				break
			}
		}
	})
}

// The runs of a job that is gone are kept for a while, and those of few such jobs.
func TestRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		gone := func() Job {
			job := w.add(w.in(time.Second))
			w.sleep(2 * time.Second)
			w.tick()
			return job
		}
		first, second := gone(), gone()
		if runs := w.history(first.ID); len(runs) != 1 {
			t.Errorf("%d runs", len(runs))
		}
		w.sleep(keptFor + time.Minute)
		third := gone()
		for _, id := range []string{first.ID, second.ID} {
			if _, err := w.jobs.History(t.Context(), id, 10); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: %v", id, err)
			}
		}
		if runs := w.history(third.ID); len(runs) != 1 {
			t.Errorf("%d runs", len(runs))
		}
		if all, err := w.jobs.History(t.Context(), "", 10); err != nil || len(all) != 1 {
			t.Errorf("%d runs of all jobs, %v", len(all), err)
		}
		err := w.store.Update(t.Context(), func(tx store.Tx) error {
			for i := range keptRemoved {
				if err := tx.Put(removedKeys+w.now().Add(time.Duration(i)*time.Millisecond).Format(slotLayout)+"@x", nil); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		gone()
		if _, err := w.jobs.History(t.Context(), third.ID, 10); !fault.Is(err, fault.NotFound) {
			t.Errorf("with many others that are gone: %v", err)
		}
		count := 0
		err = w.store.View(t.Context(), func(r store.Reader) error {
			left, err := r.List(removedKeys)
			count = len(left)
			if added, err := r.List(addedKeys); err != nil || len(added) > 0 {
				t.Errorf("%d hashes of jobs that are gone, %v", len(added), err)
			}
			return err
		})
		if err != nil || count > keptRemoved {
			t.Errorf("%d records of jobs that are gone, %v", count, err)
		}
	})
}

// The record of a run that is damaged is shown as that, and stops neither the job nor
// what else there is to do.
func TestDamagedRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.add(w.every(3600))
		queued, err := w.jobs.RunNow(t.Context(), job.ID)
		if err != nil {
			t.Fatal(err)
		}
		old := job.Timing.Anchor.Add(-time.Hour)
		err = w.store.Update(t.Context(), func(tx store.Tx) error {
			if err := tx.Put(runKey(job.ID, old), []byte("{")); err != nil {
				return err
			}
			return tx.Put(runKey(job.ID, queued.ScheduledAt), []byte(`{"job":"another"}`))
		})
		if err != nil {
			t.Fatal(err)
		}
		w.sleep(time.Minute)
		w.tick()
		runs := w.history(job.ID)
		if len(runs) != 2 || runs[0].Error != "the record of this run is damaged" || !runs[0].ScheduledAt.Equal(old) || runs[1].Status != OK || !runs[1].Manual {
			t.Errorf("%+v", runs)
		}
	})
}
