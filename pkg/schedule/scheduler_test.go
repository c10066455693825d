package schedule

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// Whoever is awake, each slot runs once: two schedulers, and a Tick every few seconds.
func TestEverySlotOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		job := w.every(1)
		job.Overlap = OverlapQueue
		first := w.add(job)
		job.Name = "another"
		second := w.add(job)
		start := w.now()
		w.act = func(ctx context.Context, _ Run) (string, error) { return "", nil }
		stop := w.background(w.scheduler(), w.scheduler())
		for range 6 {
			w.sleep(9700 * time.Millisecond)
			w.tick()
		}
		w.sleep(time.Until(start.Add(60*time.Second + 500*time.Millisecond)))
		stop()
		for id, n := range w.times() {
			if n != 1 {
				t.Errorf("%s has run %d times", id, n)
			}
		}
		for _, j := range []Job{first, second} {
			runs := w.history(j.ID)
			if n := statuses(runs); n[OK] != 60 || len(n) != 1 {
				t.Errorf("%s: %v, want 60 that are ok", j.ID, n)
			}
		}
	})
}
