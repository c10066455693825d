package agent

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// A waiter sees what another process writes.
func TestWait(t *testing.T) {
	engines(t, func(w *world) {
		id := w.add(task("x")).ID
		w.claim(here("a"))
		ctx, cancel := context.WithTimeout(w.Context(), time.Minute) // only a broken test needs it
		defer cancel()
		type waited struct {
			job Job
			err error
		}
		wait := func(ref string, input bool) <-chan waited {
			c := make(chan waited, 1)
			jobs := w.another()
			go func() {
				j, err := jobs.Wait(ctx, ref, input)
				c <- waited{j, err}
			}()
			return c
		}
		input, end := wait(id[:3], true), wait(id, false)
		other := w.another()
		if _, err := other.Ask(w.Context(), id, "a", "r", "x"); err != nil {
			w.Fatal(err)
		}
		if got := <-input; got.err != nil || got.job.Status != InputRequired {
			w.Errorf("%+v", got)
		}
		select {
		case got := <-end:
			w.Errorf("it has not ended: %+v", got)
		default:
		}
		if _, _, err := other.Finish(w.Context(), id, "a", Outcome{Status: Completed, Result: "r"}); err != nil {
			w.Fatal(err)
		}
		if got := <-end; got.err != nil || got.job.Status != Completed || got.job.Result != "r" {
			w.Errorf("%+v", got)
		}
		if got := <-wait(id, true); got.err != nil || got.job.Status != Completed {
			w.Errorf("one that has ended: %+v", got)
		}
		if got := <-wait("none", false); !fault.Is(got.err, fault.NotFound) {
			w.Errorf("none: %+v", got)
		}
	})
}

// When its time is over a waiter gets the job as it is.
func TestWaitEnds(t *testing.T) {
	engines(t, func(w *world) {
		id := w.add(task("x")).ID
		over, cancel := context.WithCancel(w.Context())
		cancel()
		if got, err := w.Wait(over, id, false); err != nil || got.ID != id || !got.Queued {
			w.Errorf("%+v, %v", got, err)
		}
		if _, err := w.Wait(over, "none", false); !fault.Is(err, fault.NotFound) {
			w.Error(err)
		}
		ctx, cancel := context.WithCancel(w.Context())
		var group sync.WaitGroup
		group.Go(func() {
			if got, err := w.Wait(ctx, id, true); err != nil || got.Calls != 5 || got.Status != Working {
				w.Errorf("%+v, %v", got, err)
			}
		})
		w.claim(here("a"))
		if _, err := w.Note(w.Context(), id, "a", func(j *Job) { j.Calls = 5 }); err != nil {
			w.Error(err)
		}
		cancel()
		group.Wait()
	})
}

// A waiter ends a job whose worker has died, as nobody else may be there to do so.
func TestWaitReaps(t *testing.T) {
	w := newWorld(t)
	id := w.add(task("x")).ID
	w.claim(deadHere(t))
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("only a broken test needs it"))
	defer cancel()
	if got, err := w.Wait(ctx, id, false); err != nil || got.Status != Lost || w.finals()[id] != 1 {
		t.Errorf("%+v, %v", got, err)
	}

	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.add(task("far")).ID
		w.claim(elsewhere("far"))
		began := time.Now()
		if got, err := w.Wait(t.Context(), id, false); err != nil || got.Status != Lost {
			t.Errorf("%+v, %v", got, err)
		}
		if took := time.Since(began); took < deadAfter || took > deadAfter+2*reapEvery {
			t.Errorf("after %v", took)
		}
	})
}
