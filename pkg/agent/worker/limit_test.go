package worker

import (
	"fmt"
	"sync"
	"testing"

	"github.com/helve-dev/helve/pkg/agent"
)

// Thirty spawn at once where four may work: all jobs end, never more than four at a time,
// and none is left in the queue by a keeper that was about to end when it was added.
func TestLimit(t *testing.T) {
	w := newWorld(t)
	var group sync.WaitGroup
	jobs := make([]agent.Job, 30)
	for i := range jobs {
		group.Go(func() {
			j, _, err := w.Add(t.Context(), agent.Job{Task: fmt.Sprint("count ", i), Origin: agent.Origin{Session: "s"}, Root: "/w", Depth: 1})
			if err == nil {
				err = w.try()
			}
			if err != nil {
				t.Error(err)
			}
			jobs[i] = j
		})
	}
	group.Wait()
	for _, j := range jobs {
		if got := w.ended(j.ID); got.Status != agent.Completed {
			t.Errorf("%s: %s %+v", j.ID, got.Status, got.Fault)
		}
	}
	w.told(jobs...)
	if running, queued, err := w.Running(t.Context(), Self(nil).Machine); err != nil || running != 0 || queued != 0 {
		t.Errorf("%d run, %d wait, %v", running, queued, err)
	}
}

// One may work, and jobs come just when the keeper is about to end: none stays.
func TestNotStranded(t *testing.T) {
	w := newWorld(t)
	w.Limit = 1
	var jobs []agent.Job
	for range 15 {
		first := w.spawn("say first")
		w.until("the end of the first", func() bool { return w.get(first.ID).Status.Final() })
		second := w.spawn("say second") // while its keeper looks at the queue, or ends
		jobs = append(jobs, first, second)
	}
	for _, j := range jobs {
		w.ended(j.ID)
	}
	w.told(jobs...)
}

// A keeper that finds no room, while those that have it would not take its job, stays.
func TestOtherKind(t *testing.T) {
	w := newWorld(t)
	w.Limit = 1
	w.Kind = []string{"blue"}
	blue := w.add(agent.Job{Task: "wait", Label: "blue"})
	w.launch()
	w.begun(blue.ID)
	w.Kind = []string{"red"}
	var red []agent.Job
	for _, task := range []string{"say 1", "say 2"} {
		red = append(red, w.add(agent.Job{Task: task, Label: "red"}))
		w.launch()
	}
	if _, err := w.Cancel(t.Context(), blue.ID); err != nil {
		t.Fatal(err)
	}
	for _, j := range red {
		if got := w.ended(j.ID); got.Status != agent.Completed {
			t.Errorf("%+v %+v", got, got.Fault)
		}
	}
	w.ended(blue.ID)
	w.told(append(red, blue)...)
}
