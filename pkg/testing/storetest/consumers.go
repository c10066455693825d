package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// clock is a time that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Consumers holds the consumers of a store to what package store promises of them.
// open returns a handle of one store, a further one at each call; each subtest is given
// a store of its own.
func Consumers(t *testing.T, open func(t *testing.T) (handle func() store.Store)) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, func() store.Store)
	}{
		{"order and acknowledgement", consumeInOrder},
		{"leases", leaseRunsOut},
		{"give back", giveBack},
		{"dead letters", deadLetters},
		{"groups", groupsStayInOrder},
		{"filters", filtersAreFixed},
		{"from now", fromNow},
		{"removed messages", removedMessages},
		{"acknowledge at once", acknowledgeAtOnce},
		{"nothing is written by who waits", waitsWithoutWriting},
		{"receive waits", receiveWaits},
		{"many workers", manyWorkers},
		{"many open messages", manyOpen},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

func consumer(s store.Store, c *clock) *store.Consumer {
	return &store.Consumer{Store: s, Stream: "work", Name: "c", Lease: time.Minute, Now: c.Now}
}

// add appends messages with these ids; the first part of an id, up to a dash, is its group.
func add(t *testing.T, s store.Store, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if err := s.Update(t.Context(), func(tx store.Tx) error {
			_, _, err := tx.Append("work", id, []byte("of "+id))
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// claim takes messages and returns their ids, with how often those were given that
// were given before.
func claim(t *testing.T, c *store.Consumer, most int) []string {
	t.Helper()
	got, err := c.Claim(t.Context(), most, false)
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, d := range got {
		if string(d.Data) != "of "+d.ID || d.Seq == 0 {
			t.Errorf("message %s: %q, seq %d", d.ID, d.Data, d.Seq)
		}
		id := d.ID
		if d.Deliveries > 1 {
			id = fmt.Sprintf("%s*%d", id, d.Deliveries)
		}
		ids = append(ids, id)
	}
	return ids
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
}

// settled calls f with ids and expects that all of them were open.
func settled(t *testing.T, unknown []string, err error) {
	t.Helper()
	if err != nil || len(unknown) > 0 {
		t.Fatalf("not open: %q, %v", unknown, err)
	}
}

func consumeInOrder(t *testing.T, handle func() store.Store) {
	c := consumer(handle(), newClock())
	expect(t, claim(t, c, 10))
	add(t, c.Store, "a", "b", "c")
	expect(t, claim(t, c, 2), "a", "b")
	expect(t, claim(t, c, 2), "c")
	expect(t, claim(t, c, 2))
	unknown, err := c.Ack(t.Context(), "b", "a", "z")
	if err != nil || !slices.Equal(unknown, []string{"z"}) {
		t.Fatalf("unknown %q, %v", unknown, err)
	}
	unknown, err = c.Ack(t.Context(), "a", "c")
	if err != nil || !slices.Equal(unknown, []string{"a"}) {
		t.Fatalf("unknown %q, %v", unknown, err)
	}
	other := consumer(handle(), newClock())
	other.Name = "other"
	expect(t, claim(t, other, 10), "a", "b", "c")
	other.Name = "nobody"
	if _, err := other.Ack(t.Context(), "a"); !fault.Is(err, fault.NotFound) {
		t.Errorf("a consumer that never took a message: %v", err)
	}
	other.Name = "a/b"
	if _, err := other.Claim(t.Context(), 1, false); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("a name with a slash: %v", err)
	}
}

func leaseRunsOut(t *testing.T, handle func() store.Store) {
	now := newClock()
	c, other := consumer(handle(), now), consumer(handle(), now)
	add(t, c.Store, "a", "b")
	expect(t, claim(t, c, 1), "a")
	now.forward(c.Lease - time.Second)
	expect(t, claim(t, other, 9), "b")
	now.forward(time.Second)
	expect(t, claim(t, other, 9), "a*2")
	unknown, err := c.Ack(t.Context(), "a") // late, but it was dealt with
	settled(t, unknown, err)
	now.forward(time.Hour)
	expect(t, claim(t, c, 9), "b*2")
	now.forward(c.Lease / 2)
	unknown, err = c.Extend(t.Context(), "b")
	settled(t, unknown, err)
	now.forward(c.Lease / 2)
	expect(t, claim(t, other, 9))
	now.forward(c.Lease / 2)
	expect(t, claim(t, other, 9), "b*3")
}

func giveBack(t *testing.T, handle func() store.Store) {
	now := newClock()
	c := consumer(handle(), now)
	add(t, c.Store, "a", "b")
	expect(t, claim(t, c, 9), "a", "b")
	unknown, err := c.Nak(t.Context(), 0, "b")
	settled(t, unknown, err)
	unknown, err = c.Nak(t.Context(), 5*time.Second, "a")
	settled(t, unknown, err)
	expect(t, claim(t, c, 9), "b*2")
	now.forward(5 * time.Second)
	expect(t, claim(t, c, 9), "a*2")
}

func deadLetters(t *testing.T, handle func() store.Store) {
	now := newClock()
	c := consumer(handle(), now)
	c.MaxDeliver, c.Dead = 2, "dead"
	add(t, c.Store, "a", "b", "c")
	expect(t, claim(t, c, 2), "a", "b")
	now.forward(time.Hour)
	expect(t, claim(t, c, 1), "a*2")
	now.forward(time.Hour)
	expect(t, claim(t, c, 9), "b*2", "c")
	unknown, err := c.Bury(t.Context(), "nobody wants it", "c")
	settled(t, unknown, err)
	now.forward(time.Hour)
	expect(t, claim(t, c, 9))
	var got []string
	if err := c.Store.View(t.Context(), func(r store.Reader) error {
		messages, err := r.Read("dead", 0, 10)
		for _, m := range messages {
			var d store.Dead
			if err := json.Unmarshal(m.Data, &d); err != nil {
				return err
			}
			got = append(got, fmt.Sprintf("%s %s %d %s %s", d.Consumer, d.ID, d.Deliveries, d.Data, d.Reason))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	want := []string{"c a 2 of a ", "c c 1 of c nobody wants it", "c b 2 of b "}
	if slices.Sort(want); !cmp.Equal(slices.Sorted(slices.Values(got)), want) {
		t.Errorf("dead letters: %s", cmp.Diff(want, got))
	}
}

func groupsStayInOrder(t *testing.T, handle func() store.Store) {
	now := newClock()
	c, other := consumer(handle(), now), consumer(handle(), now)
	for _, one := range []*store.Consumer{c, other} {
		one.Group = func(m *store.Message) string { return m.ID[:1] }
	}
	add(t, c.Store, "a-1", "a-2", "b-1", "a-3", "b-2")
	expect(t, claim(t, c, 1), "a-1")
	expect(t, claim(t, other, 9), "b-1", "b-2")
	expect(t, claim(t, other, 9))
	unknown, err := c.Nak(t.Context(), time.Second, "a-1")
	settled(t, unknown, err)
	expect(t, claim(t, other, 9))
	now.forward(time.Second)
	expect(t, claim(t, other, 2), "a-1*2", "a-2")
	expect(t, claim(t, c, 9))
	unknown, err = other.Ack(t.Context(), "a-1")
	settled(t, unknown, err)
	expect(t, claim(t, c, 9))
	unknown, err = other.Ack(t.Context(), "a-2", "b-2")
	settled(t, unknown, err)
	expect(t, claim(t, c, 9), "a-3")
	add(t, c.Store, "a-4", "b-3", "c-1")
	expect(t, claim(t, c, 9), "c-1")
	now.forward(time.Hour)
	expect(t, claim(t, other, 1), "b-1*2")
}

func filtersAreFixed(t *testing.T, handle func() store.Store) {
	c := consumer(handle(), newClock())
	c.Filter, c.Match = "a", func(m *store.Message) bool { return m.ID[0] == 'a' }
	for i := range 130 { // more than one page that it does not want
		add(t, c.Store, fmt.Sprintf("b-%d", i))
	}
	add(t, c.Store, "a-1", "b-x", "a-2")
	expect(t, claim(t, c, 9), "a-1", "a-2")
	c.Filter = "b"
	if _, err := c.Claim(t.Context(), 1, false); !fault.Is(err, fault.Conflict) {
		t.Errorf("another filter: %v", err)
	}
	c.Filter = ""
	unknown, err := c.Ack(t.Context(), "a-1") // whoever acknowledges need not know it
	settled(t, unknown, err)
}

func fromNow(t *testing.T, handle func() store.Store) {
	c := consumer(handle(), newClock())
	add(t, c.Store, "a")
	c.FromNow = true
	expect(t, claim(t, c, 9))
	add(t, c.Store, "b")
	expect(t, claim(t, c, 9), "b")
}

func removedMessages(t *testing.T, handle func() store.Store) {
	now := newClock()
	c := consumer(handle(), now)
	add(t, c.Store, "a", "b", "c")
	expect(t, claim(t, c, 2), "a", "b")
	if err := c.Store.Update(t.Context(), func(tx store.Tx) error { return tx.Remove("work", "a") }); err != nil {
		t.Fatal(err)
	}
	now.forward(time.Hour)
	expect(t, claim(t, c, 9), "b*2", "c")
	unknown, err := c.Ack(t.Context(), "a", "b", "c")
	if err != nil || !slices.Equal(unknown, []string{"a"}) {
		t.Errorf("unknown %q, %v", unknown, err)
	}
}

func acknowledgeAtOnce(t *testing.T, handle func() store.Store) {
	now := newClock()
	c := consumer(handle(), now)
	add(t, c.Store, "a", "b")
	got, err := c.Claim(t.Context(), 1, true)
	if err != nil || len(got) != 1 || got[0].ID != "a" {
		t.Fatal(got, err)
	}
	now.forward(time.Hour)
	expect(t, claim(t, c, 9), "b")
}

func waitsWithoutWriting(t *testing.T, handle func() store.Store) {
	c := consumer(handle(), newClock())
	add(t, c.Store, "a")
	expect(t, claim(t, c, 9), "a")
	revision := func() (n uint64) {
		if err := c.Store.View(t.Context(), func(r store.Reader) error {
			entries, err := r.List("consumers/work/")
			if len(entries) == 1 {
				n = entries[0].Revision
			}
			return err
		}); err != nil || n == 0 {
			t.Fatal(n, err)
		}
		return n
	}
	before := revision()
	expect(t, claim(t, c, 9))
	if after := revision(); after != before {
		t.Errorf("an attempt without a message was noted: revision %d, before %d", after, before)
	}
}

func receiveWaits(t *testing.T, handle func() store.Store) {
	now := newClock()
	c, sender := consumer(handle(), now), handle()
	none, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := c.Receive(none, 1, false); len(got) > 0 || err != nil {
		t.Fatal(got, err)
	}
	done := make(chan []store.Delivery)
	go func() {
		got, err := c.Receive(t.Context(), 1, false)
		if err != nil {
			t.Error(err)
		}
		done <- got
	}()
	add(t, sender, "a")
	if got := <-done; len(got) != 1 || got[0].ID != "a" {
		t.Errorf("received %v", got)
	}
}

func manyWorkers(t *testing.T, handle func() store.Store) {
	now := newClock()
	s := handle()
	const messages, workers = 40, 4
	for i := range messages {
		add(t, s, fmt.Sprint("m", i))
	}
	var mu sync.Mutex
	seen := map[string]int{}
	var group sync.WaitGroup
	for range workers {
		c := consumer(handle(), now)
		group.Go(func() {
			for {
				got, err := c.Claim(t.Context(), 3, false)
				if err != nil {
					t.Error(err)
					return
				}
				if len(got) == 0 {
					return
				}
				ids := make([]string, len(got))
				mu.Lock()
				for i, d := range got {
					ids[i] = d.ID
					seen[d.ID]++
				}
				mu.Unlock()
				if unknown, err := c.Ack(t.Context(), ids...); err != nil || len(unknown) > 0 {
					t.Error(unknown, err)
				}
			}
		})
	}
	group.Wait()
	if len(seen) != messages {
		t.Errorf("%d of %d messages were given", len(seen), messages)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s was given %d times", id, n)
		}
	}
}

func manyOpen(t *testing.T, handle func() store.Store) {
	now := newClock()
	c := consumer(handle(), now)
	const messages, batch = 1010, 101 // more than may be open
	c.Group = func(m *store.Message) string { return strings.Repeat("a long name of a group ", 40) + m.ID }
	for from := 0; from < messages; from += batch {
		if err := c.Store.Update(t.Context(), func(tx store.Tx) error {
			for i := from; i < from+batch; i++ {
				id := fmt.Sprint("m", i)
				if _, _, err := tx.Append("work", id, []byte("of "+id)); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	total := 0
	for {
		n := len(claim(t, c, 400))
		if total += n; n == 0 {
			break
		}
	}
	if total != 1000 {
		t.Fatalf("%d messages are open", total)
	}
	unknown, err := c.Ack(t.Context(), "m0", "m1", "m2")
	settled(t, unknown, err)
	expect(t, claim(t, c, 400), "m1000", "m1001", "m1002")

	// All of them are given up at once, which is more than a transaction has room for.
	c.MaxDeliver, c.Dead = 1, "dead"
	now.forward(time.Hour)
	expect(t, claim(t, c, 400), "m1003", "m1004", "m1005", "m1006", "m1007", "m1008", "m1009")
	expect(t, claim(t, c, 400))
	if n := len(read(t, c.Store, "dead", 0, 2000)); n != 1000 {
		t.Errorf("%d of 1000 dead letters", n)
	}
}
