package worker

import (
	"context"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
)

// served is a service that runs, and what it has reported.
type served struct {
	stop func() error // ends it, and waits
	mu   sync.Mutex
	seen map[string][]agent.Status
}

func (s *served) of(id string) []agent.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]agent.Status(nil), s.seen[id]...)
}

func (w *world) serve(slots int, labels ...string) *served {
	ctx, cancel := context.WithCancel(w.Context())
	s := &served{seen: map[string][]agent.Status{}}
	service := Service{
		Program: w.exe, Environ: append(os.Environ(), "CALLER="+w.Base), Spec: w.spec(), Slots: slots, Grace: 50 * time.Millisecond,
		Work: &Work{Jobs: w.Jobs, Labels: labels, Takes: func(*agent.Job) bool { return true }},
		Report: func(j agent.Job) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.seen[j.ID] = append(s.seen[j.ID], j.Status)
		},
		Trouble: func(err error) { w.Errorf("trouble: %v", err) },
	}
	done := make(chan error, 1)
	go func() { done <- service.Run(ctx) }()
	s.stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	w.Cleanup(func() { _ = s.stop() })
	return s
}

// A service takes the jobs that want its labels, as they come, and so many at a time.
func TestService(t *testing.T) {
	w := newWorld(t)
	w.Limit = 2
	early := w.add(agent.Job{Task: "count early", Labels: []string{"gpu"}})
	foreign := w.add(agent.Job{Task: "say no", Labels: []string{"tpu"}})
	s := w.serve(2, "gpu", "big")
	jobs := []agent.Job{early}
	for _, task := range []string{"count 1", "count 2", "count 3", "count 4", "count 5"} {
		jobs = append(jobs, w.add(agent.Job{Task: task, Labels: []string{"gpu"}}))
	}
	for _, j := range jobs {
		if got := w.ended(j.ID); got.Status != agent.Completed {
			t.Errorf("%+v %+v", got, got.Fault)
		}
		w.until("the report", func() bool {
			seen := s.of(j.ID)
			return slices.Equal(seen, []agent.Status{agent.Working, agent.Completed})
		})
	}
	w.told(jobs...)
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if got := w.get(foreign.ID); !got.Queued {
		t.Errorf("%+v", got)
	}
}

// When a service ends it ends its jobs: those that may run again go back to the queue.
func TestDrain(t *testing.T) {
	w := newWorld(t)
	fails := w.add(agent.Job{Task: "wait", Labels: []string{"gpu"}})
	again := w.add(agent.Job{Task: "once more", OnLost: agent.LostRerun, Labels: []string{"gpu"}})
	s := w.serve(2, "gpu")
	w.begun(fails.ID)
	w.begun(again.ID)
	waits := w.add(agent.Job{Task: "say late", Labels: []string{"gpu"}})
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if got := w.get(fails.ID); got.Status != agent.Failed || got.Reason != agent.BySystem {
		t.Errorf("%+v", got)
	}
	for _, j := range []agent.Job{again, waits} {
		if got := w.get(j.ID); !got.Queued {
			t.Errorf("%+v", got)
		}
	}
	next := w.serve(1, "gpu")
	if got := w.ended(again.ID); got.Result != "attempt 2" {
		t.Errorf("%+v", got)
	}
	w.ended(waits.ID)
	if err := next.stop(); err != nil {
		t.Error(err)
	}
	w.told(fails, again, waits)
}
