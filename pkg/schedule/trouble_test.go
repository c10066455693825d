package schedule

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// faulty is a store of which one key cannot be read in a transaction.
type faulty struct {
	store.Store
	key string
	err error
}

func (f faulty) Update(ctx context.Context, g func(store.Tx) error) error {
	return f.Store.Update(ctx, func(tx store.Tx) error { return g(faultyTx{tx, f}) })
}

type faultyTx struct {
	store.Tx
	f faulty
}

func (t faultyTx) Get(key string) (store.Entry, error) {
	if key == t.f.key {
		return store.Entry{}, t.f.err
	}
	return t.Tx.Get(key)
}

// A failure that is of one job is reported, once, and the others run. One that may pass
// ends the pass, so that it is tried again.
func TestTrouble(t *testing.T) {
	for code, want := range map[fault.Code]int{fault.BadDocument: 1, fault.Unavailable: 0} {
		t.Run(string(code), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				bad := w.add(w.every(60))
				w.sleep(time.Second) // so that the other one comes after it
				good := w.add(w.in(62 * time.Second))
				w.sleep(65 * time.Second)
				s, troubles := w.scheduler(), 0
				s.opt.Store = faulty{w.store, jobKeys + bad.ID, fault.New(code, fault.T("no"))}
				s.opt.Trouble = func(error) { troubles++ }
				_, err := s.Tick(t.Context())
				if (err == nil) != (want == 1) || err != nil && !fault.Is(err, code) {
					t.Errorf("Tick: %v", err)
				}
				if n := w.times(); len(n) != want || troubles != want {
					t.Errorf("%v ran, %d troubles, want %d of each", n, troubles, want)
				}
				if _, err := w.jobs.Get(t.Context(), good.ID); (err != nil) != (want == 1) {
					t.Errorf("the other job: %v", err)
				}
			})
		})
	}
}
