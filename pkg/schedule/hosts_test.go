package schedule

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/nats"
)

// Two hosts share a server: each slot runs once, on one of them, also while somebody
// calls Tick. This takes some seconds of the real time, as a server has its own clock.
func TestTwoHosts(t *testing.T) {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	w := &world{T: t}
	w.open = func() store.Store {
		opened, err := nats.Open(nats.Options{URL: "nats://" + s.Addr().String() + "/hosts"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = opened.Close() })
		return opened
	}
	w.store = w.open()
	w.jobs = NewJobs(w.store, w.now)
	job := w.every(1)
	job.Missed, job.Overlap = MissedAll, OverlapQueue
	first := w.add(job)
	job.Action = Action{Message: "hello"}
	second := w.add(job)

	enough := make(chan struct{})
	var mu sync.Mutex
	count := map[string]int{}
	report := func(run Run) {
		mu.Lock()
		defer mu.Unlock()
		if run.Status != OK {
			t.Errorf("%+v", run)
		}
		if count[run.Job]++; len(count) == 2 && min(count[first.ID], count[second.ID]) == 3 {
			select {
			case <-enough:
			default:
				close(enough)
			}
		}
	}
	trouble := func(err error) { t.Log(err) } // a busy machine may make the server slow
	var all []*Scheduler
	for _, host := range []string{"one", "two"} {
		s := elsewhere(w.scheduler(), host)
		s.opt.Report, s.opt.Trouble = report, trouble
		all = append(all, s)
	}
	stop := w.background(all...)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only a broken test needs it
	defer cancel()
	for waiting := true; waiting; {
		s := w.scheduler()
		s.opt.Report, s.opt.Trouble = report, trouble
		if _, err := s.Tick(ctx); err != nil && !passing(err) {
			t.Error(err)
		}
		select {
		case <-enough:
			waiting = false
		case <-ctx.Done():
			t.Fatal("no runs")
		case <-time.After(100 * time.Millisecond):
		}
	}
	stop()
	for id, n := range w.times() {
		if n != 1 {
			t.Errorf("%s has run %d times", id, n)
		}
	}
	sent := 0
	for _, r := range w.history(second.ID) {
		if r.Status == OK {
			sent++
		}
	}
	if all := w.messages(); len(all) != sent {
		t.Errorf("%d messages of %d runs", len(all), sent)
	}
}
