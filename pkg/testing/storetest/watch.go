package storetest

import (
	"context"
	"testing"

	"github.com/helve-dev/helve/pkg/state/store"
)

func testWatch(t *testing.T, open Opener) {
	s := opened(t, open)
	heard(t, s, s)
}

func testWatchElsewhere(t *testing.T, open Opener) {
	heard(t, opened(t, open), opened(t, open))
}

// heard checks that a watcher of one handle hears the changes through another one.
// It looks, waits and looks again, as every user of Watch does; a change that is not heard
// lets the test time out.
func heard(t *testing.T, watching, writing store.Store) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rings, err := watching.Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	changes := []func(tx store.Tx) error{
		func(tx store.Tx) error { return tx.Put("k", []byte("1")) },
		func(tx store.Tx) error { _, _, err := tx.Append("s", "id", nil); return err },
		func(tx store.Tx) error { return tx.Delete("k") },
		func(tx store.Tx) error { return tx.Remove("s", "id") },
	}
	looks := []func() bool{
		func() bool { return get(t, watching, "k").Revision != 0 },
		func() bool { return find(t, watching, "s", "id") != nil },
		func() bool { return get(t, watching, "k").Revision == 0 },
		func() bool { return find(t, watching, "s", "id") == nil },
	}
	for i, change := range changes {
		wrote := make(chan struct{})
		go func() {
			defer close(wrote)
			if err := writing.Update(ctx, change); err != nil {
				t.Errorf("update: %v", err)
				cancel()
			}
		}()
		for !looks[i]() {
			if _, ok := <-rings; !ok {
				t.Fatal("the channel was closed")
			}
		}
		<-wrote
	}
}

func testWatchEnds(t *testing.T, open Opener) {
	s := opened(t, open)
	ctx, cancel := context.WithCancel(t.Context())
	rings, err := s.Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	// Nobody listens, and nobody waits for that.
	for range 5 {
		put(t, s, "k", "v")
	}
	cancel()
	for range rings { // ends as the channel is closed
	}
	works(t, s)
}
