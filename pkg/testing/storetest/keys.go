package storetest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

func testKeys(t *testing.T, open Opener) {
	s := opened(t, open)
	if e := get(t, s, "a/b"); e.Revision != 0 || len(e.Value) != 0 {
		t.Errorf("a key that nobody wrote: %+v", e)
	}
	put(t, s, "a/b", "one")
	if e := get(t, s, "a/b"); e.Key != "a/b" || string(e.Value) != "one" || e.Revision == 0 {
		t.Errorf("after put: %+v", e)
	}
	put(t, s, "a/b", "two")
	put(t, s, "empty", "")
	if e := get(t, s, "a/b"); string(e.Value) != "two" {
		t.Errorf("after another put: %+v", e)
	}
	if e := get(t, s, "empty"); e.Revision == 0 || len(e.Value) != 0 {
		t.Errorf("an empty value: %+v", e)
	}
	for range 2 { // the second one deletes what is not there
		update(t, s, func(tx store.Tx) error { return tx.Delete("a/b") })
		if e := get(t, s, "a/b"); e.Revision != 0 || len(e.Value) != 0 {
			t.Errorf("after delete: %+v", e)
		}
	}
}

func testRevisions(t *testing.T, open Opener) {
	s := opened(t, open)
	was := uint64(0)
	for i := range 6 {
		if i == 4 { // what comes after a delete is newer as well
			update(t, s, func(tx store.Tx) error { return tx.Delete("k") })
		}
		put(t, s, "k", "same")
		now := get(t, s, "k").Revision
		if now <= was {
			t.Errorf("revision %d after %d", now, was)
		}
		was = now
		put(t, s, "other", "x")
		if again := get(t, s, "k").Revision; again != was {
			t.Errorf("revision %d became %d when another key was written", was, again)
		}
	}
}

func testList(t *testing.T, open Opener) {
	s := opened(t, open)
	for _, key := range []string{"jobs/b", "jobs/a", "jobs/c/d", "jobs.x", "jobsy/z", "other", "Jobs/q", "jobs/a-b"} {
		put(t, s, key, "value of "+key)
	}
	update(t, s, func(tx store.Tx) error {
		if err := tx.Put("jobs/gone", nil); err != nil {
			return err
		}
		return tx.Delete("jobs/gone")
	})
	for prefix, want := range map[string]string{
		"jobs/":   "jobs/a jobs/a-b jobs/b jobs/c/d",
		"jobs/c/": "jobs/c/d",
		"none/":   "",
		"":        "Jobs/q jobs.x jobs/a jobs/a-b jobs/b jobs/c/d jobsy/z other",
	} {
		var keys []string
		view(t, s, func(r store.Reader) error {
			entries, err := r.List(prefix)
			for _, e := range entries {
				keys = append(keys, e.Key)
				if string(e.Value) != "value of "+e.Key || e.Revision == 0 {
					t.Errorf("listed %+v", e)
				}
			}
			return err
		})
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("below %q are %q, want %q", prefix, got, want)
		}
	}
}

func testNames(t *testing.T, open Opener) {
	s := opened(t, open)
	long := strings.Repeat("x", 128)
	parts := func(n int) string { return strings.Repeat("p/", n-1) + "p" }
	for _, name := range []string{"a", "A.z_0-9+@:", "-", long, "x."} {
		put(t, s, name, name)
		if e := get(t, s, name); string(e.Value) != name {
			t.Errorf("key %q: %+v", name, e)
		}
		if m := appended(t, s, name, name, name); m == nil || m.ID != name || m.Stream != name {
			t.Errorf("stream and id %q: %+v", name, m)
		}
		if m := find(t, s, name, name); m == nil || string(m.Data) != name {
			t.Errorf("stream and id %q: found %+v", name, m)
		}
	}
	for _, key := range []string{parts(8), long + "/" + long} {
		put(t, s, key, key)
		if e := get(t, s, key); string(e.Value) != key {
			t.Errorf("key %q: %+v", key, e)
		}
	}
	bad := []string{"", ".", ".a", "a b", "a\x00", "é", long + "x", "a*", "a>", `a\b`, "a\n"}
	for _, key := range append([]string{"/", "/a", "a/", "a//b", "a/.b", parts(9)}, bad...) {
		refused(t, s, "key", key, func(tx store.Tx) error { return tx.Put(key, nil) })
		refused(t, s, "key", key, func(tx store.Tx) error { return tx.Delete(key) })
		refused(t, s, "key", key, func(tx store.Tx) error { _, err := tx.Get(key); return err })
	}
	for _, prefix := range []string{"a", "/", "a//", ".a/", "a"} {
		refused(t, s, "prefix", prefix, func(tx store.Tx) error { _, err := tx.List(prefix); return err })
	}
	for _, name := range append(bad, "a/b") {
		refused(t, s, "stream", name, func(tx store.Tx) error { _, _, err := tx.Append(name, "id", nil); return err })
		refused(t, s, "id", name, func(tx store.Tx) error { _, _, err := tx.Append("s", name, nil); return err })
		refused(t, s, "stream", name, func(tx store.Tx) error { _, err := tx.Read(name, 0, 1); return err })
		refused(t, s, "stream", name, func(tx store.Tx) error { _, err := tx.Last(name); return err })
		refused(t, s, "stream", name, func(tx store.Tx) error { _, err := tx.Find(name, "id"); return err })
		refused(t, s, "id", name, func(tx store.Tx) error { _, err := tx.Find("s", name); return err })
		refused(t, s, "stream", name, func(tx store.Tx) error { return tx.Remove(name, "id") })
		refused(t, s, "id", name, func(tx store.Tx) error { return tx.Remove("s", name) })
	}
}

// refused checks that a name is an invalid argument.
func refused(t *testing.T, s store.Store, what, name string, f func(tx store.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), f); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("%s %q: %v, want %s", what, name, err, fault.InvalidArguments)
	}
}

func testSizes(t *testing.T, open Opener) {
	s := opened(t, open)
	most := bytes.Repeat([]byte("0123456789abcdef"), store.MaxData/16)
	update(t, s, func(tx store.Tx) error {
		if _, _, err := tx.Append("s", "id", most); err != nil {
			return err
		}
		return tx.Put("k", most)
	})
	if e := get(t, s, "k"); !bytes.Equal(e.Value, most) {
		t.Errorf("the value has %d bytes that may differ, want %d", len(e.Value), len(most))
	}
	if m := find(t, s, "s", "id"); m == nil || !bytes.Equal(m.Data, most) {
		t.Error("the message is not what was appended")
	}
	more := append(most, 'x')
	wantCode(t, "put", s.Update(t.Context(), func(tx store.Tx) error { return tx.Put("k2", more) }), fault.TooLarge)
	wantCode(t, "append", s.Update(t.Context(), func(tx store.Tx) error {
		_, _, err := tx.Append("s", "id2", more)
		return err
	}), fault.TooLarge)
	if e, m := get(t, s, "k2"), find(t, s, "s", "id2"); e.Revision != 0 || m != nil {
		t.Error("what is too large was written")
	}
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	put(t, s, "bytes", string(every))
	if m := appended(t, s, "s", "bytes", string(every)); !bytes.Equal(m.Data, every) || !bytes.Equal(get(t, s, "bytes").Value, every) {
		t.Error("not every byte comes back")
	}
}
