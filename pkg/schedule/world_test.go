package schedule

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/schedule/timing"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
)

// world is a store, a clock that can be set, and what its schedulers have carried out.
type world struct {
	*testing.T
	base  string
	open  func() store.Store // as another process would
	store store.Store
	jobs  *Jobs

	mu   sync.Mutex
	step time.Duration // by which the clock on the wall was set
	ran  []string      // ids of runs, as they began
	// act is what an action does; nothing is to succeed at once.
	act func(ctx context.Context, run Run) (string, error)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, base: t.TempDir()}
	w.open = func() store.Store { return openStore(t, w.base) }
	w.store = w.open()
	w.jobs = NewJobs(w.store, w.now)
	return w
}

// openStore opens the store below a directory, as another process would.
func openStore(t *testing.T, base string) store.Store {
	t.Helper()
	root := filepath.Join(base, "root")
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	dir, err := state.Open(filepath.Join(base, "state"), root, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return bolt.Open(dir)
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Now().Add(w.step)
}

// sleep lets time pass: that of the bubble in which the test runs.
func (w *world) sleep(d time.Duration) { <-time.After(d) }

// set sets the clock on the wall, forward or back.
func (w *world) set(by time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.step += by
}

// scheduler returns another scheduler, as one of another process would be.
func (w *world) scheduler() *Scheduler {
	return NewScheduler(Options{
		Store: w.open(), Now: w.now, Runner: w.runner,
		Trouble: func(err error) { w.Errorf("trouble: %v", err) },
	})
}

func (w *world) runner(ctx context.Context, _ Job, action Action, run Run) (string, error) {
	if action.Call == nil { // which is a condition here
		w.mu.Lock()
		w.ran = append(w.ran, run.ID())
		w.mu.Unlock()
	}
	if w.act == nil {
		return "", nil
	}
	return w.act(ctx, run)
}

// times returns how often each run has begun.
func (w *world) times() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	times := map[string]int{}
	for _, id := range w.ran {
		times[id]++
	}
	return times
}

// background runs schedulers until the returned function is called.
func (w *world) background(all ...*Scheduler) (stop func()) {
	ctx, cancel := context.WithCancel(w.Context())
	var group sync.WaitGroup
	for _, s := range all {
		group.Go(func() {
			if err := s.Run(ctx); err != nil {
				w.Errorf("Run: %v", err)
			}
		})
	}
	return func() { cancel(); group.Wait() }
}

func (w *world) tick() []Run {
	w.Helper()
	runs, err := w.scheduler().Tick(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	return runs
}

func (w *world) add(j Job) Job {
	w.Helper()
	added, existing, err := w.jobs.Add(w.Context(), j)
	if err != nil || existing {
		w.Fatalf("Add: existing %v, %v", existing, err)
	}
	return added
}

// every returns a job that does something every so many seconds from now on.
func (w *world) every(seconds int64) Job {
	return Job{Timing: timing.Spec{Every: seconds, Anchor: w.now().UTC().Truncate(time.Second)}, Action: Action{Exec: "true"}, Origin: Origin{Session: "s"}}
}

// in returns a job that does something once.
func (w *world) in(d time.Duration) Job {
	return Job{Timing: timing.Spec{At: w.now().UTC().Truncate(time.Second).Add(d)}, Action: Action{Exec: "true"}, Origin: Origin{Session: "s"}}
}

func (w *world) get(id string) Job {
	w.Helper()
	j, err := w.jobs.Get(w.Context(), id)
	if err != nil {
		w.Fatal(err)
	}
	return j
}

// history returns the runs of a job, the oldest first.
func (w *world) history(id string) []Run {
	w.Helper()
	runs, err := w.jobs.History(w.Context(), id, 1000)
	if err != nil {
		w.Fatal(err)
	}
	for i, k := 0, len(runs)-1; i < k; i, k = i+1, k-1 {
		runs[i], runs[k] = runs[k], runs[i]
	}
	return runs
}

// statuses counts the runs of a history.
func statuses(runs []Run) map[Status]int {
	n := map[Status]int{}
	for _, r := range runs {
		n[r.Status]++
	}
	return n
}

// messages returns all messages that were sent.
func (w *world) messages() []bus.Message {
	w.Helper()
	all, _, unread, err := bus.New(w.store, w.now).Read(w.Context(), 0, 1000, bus.Filter{})
	if err != nil || unread > 0 {
		w.Fatalf("Read: %d unread, %v", unread, err)
	}
	return all
}

var errBroken = errors.New("it is broken")
