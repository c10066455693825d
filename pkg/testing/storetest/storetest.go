// Package storetest is the suite of tests that every engine of package store passes: each
// sentence of that package's Store, Reader and Tx is a case here.
package storetest

import (
	"context"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Opener returns a handle of one store, a further one at each call, as another process
// would have. The test closes them.
type Opener = func() store.Store

// Run holds a store to what package store says of it. For each test, fresh returns what
// opens a store that is empty. Consumers belongs to the suite as well.
func Run(t *testing.T, fresh func(t *testing.T) Opener) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, open Opener)
	}{
		{"keys", testKeys},
		{"revisions grow", testRevisions},
		{"list", testList},
		{"names", testNames},
		{"sizes", testSizes},
		{"append", testAppend},
		{"append once", testAppendOnce},
		{"remove", testRemove},
		{"read in pages", testRead},
		{"streams are apart", testStreams},
		{"streams are listed", testLister},
		{"last outlives removals", testLast},
		{"an empty store", testEmpty},
		{"results can be kept", testKept},
		{"other handles see it", testHandles},
		{"a transaction sees itself", testOwnWrites},
		{"an error of f", testError},
		{"a panic in f", testPanic},
		{"all or nothing", testAtomic},
		{"no update is lost", testCounters},
		{"one of many appends", testRace},
		{"order of one sender", testOrder},
		{"canceled", testCanceled},
		{"canceled in f", testCanceledInside},
		{"closed", testClosed},
		{"watch", testWatch},
		{"watch from elsewhere", testWatchElsewhere},
		{"watch ends", testWatchEnds},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, fresh(t)) })
	}
}

// opened opens a store, and closes it with the test.
func opened(t *testing.T, open Opener) store.Store {
	t.Helper()
	s := open()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func update(t *testing.T, s store.Store, f func(tx store.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), f); err != nil {
		t.Fatalf("update: %v", err)
	}
}

func view(t *testing.T, s store.Store, f func(r store.Reader) error) {
	t.Helper()
	if err := s.View(t.Context(), f); err != nil {
		t.Fatalf("view: %v", err)
	}
}

func put(t *testing.T, s store.Store, key, value string) {
	t.Helper()
	update(t, s, func(tx store.Tx) error { return tx.Put(key, []byte(value)) })
}

func get(t *testing.T, s store.Store, key string) (e store.Entry) {
	t.Helper()
	view(t, s, func(r store.Reader) (err error) {
		e, err = r.Get(key)
		return err
	})
	return e
}

func appended(t *testing.T, s store.Store, stream, id, data string) *store.Message {
	t.Helper()
	var m *store.Message
	update(t, s, func(tx store.Tx) (err error) {
		m, _, err = tx.Append(stream, id, []byte(data))
		return err
	})
	return m
}

func read(t *testing.T, s store.Store, stream string, after uint64, limit int) (messages []store.Message) {
	t.Helper()
	view(t, s, func(r store.Reader) (err error) {
		messages, err = r.Read(stream, after, limit)
		return err
	})
	return messages
}

func find(t *testing.T, s store.Store, stream, id string) (m *store.Message) {
	t.Helper()
	view(t, s, func(r store.Reader) (err error) {
		m, err = r.Find(stream, id)
		return err
	})
	return m
}

// last is the newest number of the stream s.
func last(t *testing.T, s store.Store) (seq uint64) {
	t.Helper()
	view(t, s, func(r store.Reader) (err error) {
		seq, err = r.Last("s")
		return err
	})
	return seq
}

// ids are the ids of messages, with spaces between them.
func ids(messages []store.Message) string {
	var all []string
	for _, m := range messages {
		all = append(all, m.ID)
	}
	return strings.Join(all, " ")
}

func wantCode(t *testing.T, what string, err error, code fault.Code) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

// works checks that a store can still be written to and read.
func works(t *testing.T, s store.Store) {
	t.Helper()
	put(t, s, "works", "yes")
	if got := get(t, s, "works"); string(got.Value) != "yes" {
		t.Errorf("the store does not work any more: %+v", got)
	}
}

func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
