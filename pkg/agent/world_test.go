package agent

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
	"github.com/helve-dev/helve/pkg/state/store/nats"
)

// world is a store, and a clock that can be set.
type world struct {
	*testing.T
	open  func() store.Store // as another process would
	store store.Store
	bus   *bus.Bus
	*Jobs

	mu   sync.Mutex
	step time.Duration // by which the clock was set
}

// engines runs a test over both engines.
func engines(t *testing.T, test func(w *world)) {
	t.Run("bolt", func(t *testing.T) { test(newWorld(t)) })
	t.Run("nats", func(t *testing.T) { test(natsWorld(t)) })
}

func newWorld(t *testing.T) *world { return newWorldIn(t, t.TempDir()) }

// newWorldIn returns a world whose store is below a directory.
func newWorldIn(t *testing.T, base string) *world {
	return worldOf(t, func() store.Store { return openStore(t, base) })
}

// openStore opens the store below a directory, as another process would.
func openStore(t testing.TB, base string) store.Store {
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

func natsWorld(t *testing.T) *world {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	return worldOf(t, func() store.Store {
		opened, err := nats.Open(nats.Options{URL: "nats://" + s.Addr().String() + "/agents"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = opened.Close() })
		return opened
	})
}

func worldOf(t *testing.T, open func() store.Store) *world {
	w := &world{T: t, open: open, store: open()}
	w.bus = bus.New(w.store, w.now)
	w.Jobs = NewJobs(w.store, w.bus, w.now)
	return w
}

// another returns the jobs as another process would have them.
func (w *world) another() *Jobs {
	s := w.open()
	return NewJobs(s, bus.New(s, w.now), w.now)
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Now().Add(w.step)
}

// set sets the clock.
func (w *world) set(by time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.step += by
}

// task returns a job that can be added.
func task(what string) Job {
	return Job{Task: what, Origin: Origin{Session: "s1"}, Root: "/w"}
}

func (w *world) add(j Job) Job {
	w.Helper()
	added, existing, err := w.Add(w.Context(), j)
	if err != nil || existing {
		w.Fatalf("Add: existing %v, %v", existing, err)
	}
	return added
}

func (w *world) get(id string) Job {
	w.Helper()
	j, err := w.Get(w.Context(), id)
	if err != nil {
		w.Fatal(err)
	}
	return j
}

// claim has a worker take a job; nil if there is none for it.
func (w *world) claim(worker Worker) *Job {
	w.Helper()
	j, err := w.Claim(w.Context(), worker, 100, nil)
	if err != nil {
		w.Fatal(err)
	}
	return j
}

// messages returns all messages that were sent.
func (w *world) messages() []bus.Message {
	w.Helper()
	all, _, unread, err := w.bus.Read(w.Context(), 0, 100_000, bus.Filter{})
	if err != nil || unread > 0 {
		w.Fatalf("Read: %d unread, %v", unread, err)
	}
	return all
}

// finals counts the messages that tell of ends, by job.
func (w *world) finals() map[string]int {
	w.Helper()
	n := map[string]int{}
	for _, m := range w.messages() {
		if m.Kind == bus.KindResult {
			n[m.Origin.Job]++
		}
	}
	return n
}

// here returns a worker of this process.
func here(id string) Worker {
	return Worker{ID: id, Host: hostname(), Machine: process.Machine(), Process: process.This()}
}

// elsewhere returns a worker of another machine.
func elsewhere(id string) Worker {
	return Worker{ID: id, Host: "far", Machine: "boot-far", Process: process.ID{PID: 7, Start: 7}}
}
