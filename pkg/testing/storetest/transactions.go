package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

func testHandles(t *testing.T, open Opener) {
	a, b := opened(t, open), opened(t, open)
	put(t, a, "k", "of a")
	appended(t, a, "s", "id", "of a")
	if e := get(t, b, "k"); string(e.Value) != "of a" {
		t.Errorf("the other handle has %+v", e)
	}
	if m := find(t, b, "s", "id"); m == nil || string(m.Data) != "of a" {
		t.Errorf("the other handle has %+v", m)
	}
	put(t, b, "k", "of b")
	if e := get(t, a, "k"); string(e.Value) != "of b" {
		t.Errorf("the first handle has %+v", e)
	}
}

func testOwnWrites(t *testing.T, open Opener) {
	s := opened(t, open)
	put(t, s, "old", "1")
	appended(t, s, "s", "old", "1")
	update(t, s, func(tx store.Tx) error {
		err := errors.Join(tx.Put("new", []byte("2")), tx.Put("old", []byte("3")), tx.Remove("s", "old"))
		if _, _, appending := tx.Append("s", "new", []byte("4")); appending != nil || err != nil {
			return errors.Join(err, appending)
		}
		for key, want := range map[string]string{"new": "2", "old": "3"} {
			if e, err := tx.Get(key); err != nil || string(e.Value) != want {
				t.Errorf("get %s in the transaction: %+v, %v", key, e, err)
			}
		}
		if m, err := tx.Find("s", "new"); err != nil || m == nil || string(m.Data) != "4" {
			t.Errorf("find in the transaction: %+v, %v", m, err)
		}
		if m, err := tx.Find("s", "old"); err != nil || m != nil {
			t.Errorf("find what was removed in the transaction: %+v, %v", m, err)
		}
		if err := tx.Delete("new"); err != nil {
			return err
		}
		if e, err := tx.Get("new"); err != nil || len(e.Value) > 0 || e.Revision != 0 {
			t.Errorf("get what was deleted in the transaction: %+v, %v", e, err)
		}
		return nil
	})
	if e := get(t, s, "new"); e.Revision != 0 {
		t.Errorf("put and deleted: %+v", e)
	}
	if got := ids(read(t, s, "s", 0, 10)); got != "new" {
		t.Errorf("the stream has %q", got)
	}
}

func writeAll(tx store.Tx) error {
	if err := tx.Put("k", []byte("v")); err != nil {
		return err
	}
	_, _, err := tx.Append("s", "id", []byte("m"))
	return err
}

func nothingOf(t *testing.T, s store.Store) {
	t.Helper()
	if e, m, n := get(t, s, "k"), find(t, s, "s", "id"), len(read(t, s, "s", 0, 9)); e.Revision != 0 || m != nil || n != 0 {
		t.Errorf("written in spite of it: %+v, %+v, %d", e, m, n)
	}
}

func testError(t *testing.T, open Opener) {
	s := opened(t, open)
	wrong := errors.New("wrong")
	err := s.Update(t.Context(), func(tx store.Tx) error {
		return errors.Join(writeAll(tx), wrong)
	})
	if !errors.Is(err, wrong) {
		t.Errorf("update returned %v, want the error of f", err)
	}
	nothingOf(t, s)
	if err := s.View(t.Context(), func(store.Reader) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("view returned %v, want the error of f", err)
	}
	works(t, s)
}

func testPanic(t *testing.T, open Opener) {
	s := opened(t, open)
	panics := func(call func()) {
		defer func() {
			if p := recover(); p != "of f" {
				t.Errorf("recovered %v", p)
			}
		}()
		call()
	}
	panics(func() {
		_ = s.Update(t.Context(), func(tx store.Tx) error {
			if err := writeAll(tx); err != nil {
				t.Error(err)
			}
			panic("of f")
		})
	})
	nothingOf(t, s)
	panics(func() {
		_ = s.View(t.Context(), func(store.Reader) error { panic("of f") })
	})
	works(t, s)
	works(t, opened(t, open))
}

// testAtomic has transactions write the same id to keys and a stream, and looks whether
// they are ever apart.
func testAtomic(t *testing.T, open Opener) {
	const rounds = 12
	keys := []string{"pair/a", "pair/b", "pair/c"}
	var group sync.WaitGroup
	for w := range 2 {
		s := opened(t, open)
		group.Go(func() {
			for i := range rounds {
				id := fmt.Sprintf("w%d-%d", w, i)
				seen := map[string]bool{}
				err := s.Update(t.Context(), func(tx store.Tx) error {
					clear(seen) // it may run several times
					for _, key := range keys {
						e, err := tx.Get(key)
						if err != nil {
							return err
						}
						seen[string(e.Value)] = true
						if err := tx.Put(key, []byte(id)); err != nil {
							return err
						}
					}
					_, _, err := tx.Append("pairs", id, nil)
					return err
				})
				if err != nil || len(seen) != 1 {
					t.Errorf("%v; the keys of one transaction are %v", err, seen)
				}
			}
		})
	}
	group.Wait()
	s := opened(t, open)
	messages := read(t, s, "pairs", 0, 1000)
	if len(messages) != 2*rounds {
		t.Fatalf("%d messages, want %d", len(messages), 2*rounds)
	}
	for _, key := range keys {
		if e := get(t, s, key); string(e.Value) != messages[len(messages)-1].ID {
			t.Errorf("%s is %q, the last message %s", key, e.Value, messages[len(messages)-1].ID)
		}
	}
}

// testCounters adds to one number from goroutines and handles.
func testCounters(t *testing.T, open Opener) {
	const handles, goroutines, times = 2, 3, 8
	var group sync.WaitGroup
	for range handles {
		s := opened(t, open)
		for range goroutines {
			group.Go(func() {
				for range times {
					if err := s.Update(t.Context(), addOne); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	group.Wait()
	if e := get(t, opened(t, open), "n"); string(e.Value) != strconv.Itoa(handles*goroutines*times) {
		t.Errorf("counted %s, want %d", e.Value, handles*goroutines*times)
	}
}

func addOne(tx store.Tx) error {
	e, err := tx.Get("n")
	if err != nil {
		return err
	}
	n := 0
	if e.Revision != 0 {
		if n, err = strconv.Atoi(string(e.Value)); err != nil {
			return err
		}
	}
	return tx.Put("n", []byte(strconv.Itoa(n+1)))
}

// testRace appends the same ids from several handles: one of them adds each.
func testRace(t *testing.T, open Opener) {
	const handles, messages = 4, 6
	var mu sync.Mutex
	added := map[string]int{}
	var group sync.WaitGroup
	for h := range handles {
		s := opened(t, open)
		group.Go(func() {
			for i := range messages {
				id := "m" + strconv.Itoa(i)
				mine := false
				var m *store.Message
				err := s.Update(t.Context(), func(tx store.Tx) (err error) {
					m, mine, err = tx.Append("s", id, []byte(strconv.Itoa(h)))
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
				if mine != (string(m.Data) == strconv.Itoa(h)) {
					t.Errorf("handle %d: added is %v, and the message is of %s", h, mine, m.Data)
				}
				if mine {
					mu.Lock()
					added[id]++
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	if got := read(t, opened(t, open), "s", 0, 100); len(got) != messages {
		t.Errorf("the stream has %s", ids(got))
	}
	for i := range messages {
		if id := "m" + strconv.Itoa(i); added[id] != 1 {
			t.Errorf("%s was added by %d", id, added[id])
		}
	}
}

func testOrder(t *testing.T, open Opener) {
	const senders, messages = 3, 10
	var group sync.WaitGroup
	for w := range senders {
		s := opened(t, open)
		group.Go(func() {
			for i := range messages {
				if err := s.Update(t.Context(), func(tx store.Tx) error {
					_, _, err := tx.Append("s", fmt.Sprintf("%d-%02d", w, i), nil)
					return err
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	var of [senders][]string
	for _, m := range read(t, opened(t, open), "s", 0, 1000) {
		w := m.ID[0] - '0'
		of[w] = append(of[w], m.ID)
	}
	for w, got := range of {
		if len(got) != messages || !slices.IsSorted(got) {
			t.Errorf("sender %d: %v", w, got)
		}
	}
}

func testCanceled(t *testing.T, open Opener) {
	s := opened(t, open)
	put(t, s, "before", "x")
	ctx := canceled(t)
	ran := false
	for what, err := range map[string]error{
		"update": s.Update(ctx, func(tx store.Tx) error { ran = true; return writeAll(tx) }),
		"view":   s.View(ctx, func(store.Reader) error { ran = true; return nil }),
	} {
		if !errors.Is(err, context.Canceled) && !fault.Is(err, fault.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if ran {
		t.Error("f ran")
	}
	rings, err := s.Watch(ctx)
	if err != nil {
		t.Fatalf("watch with a canceled context: %v, want a closed channel", err)
	}
	for range rings { // ends as the channel is closed
	}
	nothingOf(t, s)
	works(t, s)
}

func testCanceledInside(t *testing.T, open Opener) {
	s := opened(t, open)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Update(ctx, func(tx store.Tx) error {
		err := writeAll(tx)
		cancel()
		return err
	})
	if !errors.Is(err, context.Canceled) && !fault.Is(err, fault.Canceled) {
		t.Errorf("update: %v", err)
	}
	nothingOf(t, s)
	works(t, s)
}

func testClosed(t *testing.T, open Opener) {
	s := open()
	put(t, s, "k", "v")
	rings, err := s.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	for range rings { // ends as the store is closed
	}
	if err := s.View(t.Context(), func(store.Reader) error { return nil }); err == nil {
		t.Error("view of a closed store")
	}
	if err := s.Update(t.Context(), func(store.Tx) error { return nil }); err == nil {
		t.Error("update of a closed store")
	}
	if _, err := s.Watch(t.Context()); err == nil {
		t.Error("watch of a closed store")
	}
	if e := get(t, opened(t, open), "k"); string(e.Value) != "v" {
		t.Errorf("after it was closed: %+v", e)
	}
}
