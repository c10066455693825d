package storetest

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/helve-dev/helve/pkg/state/store"
)

func testAppend(t *testing.T, open Opener) {
	s := opened(t, open)
	was := uint64(0)
	for i := range 5 {
		id := "m" + strconv.Itoa(i)
		var m *store.Message
		var added bool
		update(t, s, func(tx store.Tx) (err error) {
			m, added, err = tx.Append("s", id, []byte("data "+id))
			return err
		})
		if !added || m.Stream != "s" || m.ID != id || string(m.Data) != "data "+id || m.Seq <= was {
			t.Errorf("appended %v: %+v after %d", added, m, was)
		}
		was = m.Seq
		got := find(t, s, "s", id)
		if got == nil || got.Stream != "s" || got.ID != id || got.Seq != m.Seq || string(got.Data) != "data "+id || got.Time.IsZero() {
			t.Errorf("found %+v, want %+v", got, m)
		}
		if n := last(t, s); n != m.Seq {
			t.Errorf("the last one is %d, want %d", n, m.Seq)
		}
	}
	if m := find(t, s, "s", "m9"); m != nil {
		t.Errorf("found what is not there: %+v", m)
	}
}

func testAppendOnce(t *testing.T, open Opener) {
	s := opened(t, open)
	first := appended(t, s, "s", "id", "first")
	newest := last(t, s)
	update(t, s, func(tx store.Tx) error {
		m, added, err := tx.Append("s", "id", []byte("second"))
		if err == nil && (added || m == nil || m.Seq != first.Seq || string(m.Data) != "first") {
			t.Errorf("appended again: %v, %+v", added, m)
		}
		return err
	})
	if got := read(t, s, "s", 0, 10); len(got) != 1 || string(got[0].Data) != "first" {
		t.Errorf("the stream has %+v", got)
	}
	if n := last(t, s); n != newest {
		t.Errorf("the last one is %d, was %d", n, newest)
	}
	// Twice in one transaction is once too, and another stream may have the id.
	update(t, s, func(tx store.Tx) error {
		_, first, err := tx.Append("s", "both", []byte("1"))
		if err != nil {
			return err
		}
		_, second, err := tx.Append("s", "both", []byte("2"))
		if err == nil && (!first || second) {
			t.Errorf("twice in one transaction: %v %v", first, second)
		}
		return err
	})
	if m := find(t, s, "s", "both"); m == nil || string(m.Data) != "1" {
		t.Errorf("of two in one transaction is kept: %+v", m)
	}
	if m := appended(t, s, "other", "id", "theirs"); string(m.Data) != "theirs" {
		t.Errorf("the id in another stream: %+v", m)
	}
}

func testRemove(t *testing.T, open Opener) {
	s := opened(t, open)
	was := appended(t, s, "s", "a", "old")
	appended(t, s, "s", "b", "stays")
	for range 2 { // the second one removes what is not there
		update(t, s, func(tx store.Tx) error { return tx.Remove("s", "a") })
		if m := find(t, s, "s", "a"); m != nil {
			t.Errorf("removed, and found: %+v", m)
		}
		if got := ids(read(t, s, "s", 0, 10)); got != "b" {
			t.Errorf("the stream has %q", got)
		}
	}
	// Its id may come again, and is new then.
	if m := appended(t, s, "s", "a", "new"); m.Seq <= was.Seq || string(m.Data) != "new" {
		t.Errorf("appended after it was removed: %+v", m)
	}
	if got := ids(read(t, s, "s", 0, 10)); got != "b a" {
		t.Errorf("the stream has %q", got)
	}
	update(t, s, func(tx store.Tx) error { return tx.Remove("nobody", "a") })
}

func testRead(t *testing.T, open Opener) {
	s := opened(t, open)
	const count = 25
	update(t, s, func(tx store.Tx) error {
		for i := range count {
			if _, _, err := tx.Append("s", fmt.Sprint("m", i), []byte{byte(i)}); err != nil {
				return err
			}
		}
		return nil
	})
	for _, limit := range []int{1, 7, count, 1000} {
		after, n := uint64(0), 0
		for {
			page := read(t, s, "s", after, limit)
			if len(page) > limit {
				t.Fatalf("%d messages, limit %d", len(page), limit)
			}
			if len(page) == 0 {
				break
			}
			for _, m := range page {
				if m.Seq <= after || m.ID != fmt.Sprint("m", n) || len(m.Data) != 1 || int(m.Data[0]) != n || m.Stream != "s" || m.Time.IsZero() {
					t.Fatalf("message %d after %d: %+v", n, after, m)
				}
				after = m.Seq
				n++
			}
		}
		if n != count {
			t.Errorf("%d messages in pages of %d", n, limit)
		}
	}
	if got := read(t, s, "s", last(t, s), 5); len(got) > 0 {
		t.Errorf("after the last one: %v", ids(got))
	}
	if got := read(t, s, "s", ^uint64(0), 5); len(got) > 0 {
		t.Errorf("after all numbers: %v", ids(got))
	}
	for _, limit := range []int{0, -1} {
		if got := read(t, s, "s", 0, limit); len(got) > 0 {
			t.Errorf("limit %d: %v", limit, ids(got))
		}
	}
	update(t, s, func(tx store.Tx) error {
		for i := 0; i < count; i += 2 {
			if err := tx.Remove("s", fmt.Sprint("m", i)); err != nil {
				return err
			}
		}
		return nil
	})
	if got := ids(read(t, s, "s", 0, 4)); got != "m1 m3 m5 m7" {
		t.Errorf("with holes: %q", got)
	}
}

func testStreams(t *testing.T, open Opener) {
	s := opened(t, open)
	for _, stream := range []string{"a", "a.b", "ab", "A", "a-"} {
		appended(t, s, stream, "id-"+stream, stream)
		put(t, s, stream, "a key")
	}
	for _, stream := range []string{"a", "a.b", "ab", "A", "a-"} {
		if got := ids(read(t, s, stream, 0, 10)); got != "id-"+stream {
			t.Errorf("stream %s has %q", stream, got)
		}
	}
}

func testLister(t *testing.T, open Opener) {
	s := opened(t, open)
	lister, ok := s.(store.Lister)
	if !ok {
		t.Fatal("it cannot list its streams")
	}
	for _, stream := range []string{"b", "a.b", "a", "gone", "B-1"} {
		for i := range 3 {
			appended(t, s, stream, strconv.Itoa(i), "")
		}
		put(t, s, "key-"+stream, "")
	}
	update(t, s, func(tx store.Tx) error {
		for i := range 3 {
			if err := tx.Remove("gone", strconv.Itoa(i)); err != nil {
				return err
			}
		}
		return nil
	})
	got, err := lister.Streams(t.Context())
	if want := []string{"B-1", "a", "a.b", "b"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("streams %q, want %q: %v", got, want, err)
	}
}

func testLast(t *testing.T, open Opener) {
	s := opened(t, open)
	if n := last(t, s); n != 0 {
		t.Errorf("the last one of nothing is %d", n)
	}
	appended(t, s, "s", "a", "")
	newest := appended(t, s, "s", "b", "").Seq
	for _, id := range []string{"b", "a"} {
		update(t, s, func(tx store.Tx) error { return tx.Remove("s", id) })
		if n := last(t, s); n != newest {
			t.Errorf("the last one is %d after a removal, was %d", n, newest)
		}
	}
	if m := appended(t, s, "s", "c", ""); m.Seq <= newest {
		t.Errorf("number %d after %d", m.Seq, newest)
	}
}

func testEmpty(t *testing.T, open Opener) {
	s := opened(t, open)
	view(t, s, func(r store.Reader) error {
		entries, err := r.List("")
		if err != nil || len(entries) > 0 {
			t.Errorf("list: %v, %v", entries, err)
		}
		messages, err := r.Read("s", 0, 10)
		if err != nil || len(messages) > 0 {
			t.Errorf("read: %v, %v", messages, err)
		}
		m, err := r.Find("s", "id")
		if err != nil || m != nil {
			t.Errorf("find: %v, %v", m, err)
		}
		_, err = r.Get(".")
		if err == nil {
			t.Error("a bad name is taken by an empty store")
		}
		return nil
	})
	update(t, s, func(tx store.Tx) error { return nil })
	update(t, s, func(tx store.Tx) error {
		if err := tx.Delete("k"); err != nil {
			return err
		}
		return tx.Remove("s", "id")
	})
	works(t, s)
}

// What was returned belongs to the caller, also after the transaction; what was given
// does too.
func testKept(t *testing.T, open Opener) {
	s := opened(t, open)
	given := []byte("given")
	update(t, s, func(tx store.Tx) error {
		if err := tx.Put("k", given); err != nil {
			return err
		}
		_, _, err := tx.Append("s", "id", given)
		copy(given, "xxxxx")
		return err
	})
	e, m := get(t, s, "k"), find(t, s, "s", "id")
	for i := range 50 {
		put(t, s, "k", fmt.Sprint("other ", i))
	}
	if string(e.Value) != "given" || string(m.Data) != "given" {
		t.Errorf("kept %q and %q", e.Value, m.Data)
	}
	copy(m.Data, "yyyyy")
	if again := find(t, s, "s", "id"); string(again.Data) != "given" {
		t.Errorf("the store has %q", again.Data)
	}
}
