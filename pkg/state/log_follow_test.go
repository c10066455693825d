package state

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// news are the records that a follower has not yielded yet.
func news(t *testing.T, f *Follower) []string {
	t.Helper()
	var all []string
	for record, err := range f.Records() {
		check(t, err)
		all = append(all, string(record))
	}
	return all
}

// Each record is yielded once, whenever the log starts afresh.
func TestFollow(t *testing.T) {
	d := fresh(t, Options{})
	l := must[*Log](t)(d.Log("events", 100))
	f := l.Follow()
	if got := news(t, f); got != nil {
		t.Errorf("an empty log: %q", got)
	}
	n := 0
	for round := range 40 {
		var want []string
		for range round % 4 { // at most one new generation, as each has three records
			record := fmt.Sprintf("%03d %s", n, strings.Repeat("x", 30))
			n++
			check(t, l.Append([]byte(record), false))
			want = append(want, record)
		}
		if got := news(t, f); !slices.Equal(got, want) {
			t.Fatalf("round %d: %q, want %q", round, got, want)
		}
	}
	if len(records(t, l)) == n {
		t.Error("the log never started afresh")
	}
	if got := news(t, l.Follow()); !slices.Equal(got, records(t, l)) {
		t.Errorf("from the beginning: %q", got)
	}
}

// What was yielded is read again by its place, until the log drops it.
func TestFollowAgain(t *testing.T) {
	d := fresh(t, Options{})
	l := must[*Log](t)(d.Log("events", 200_000))
	f := l.Follow()
	places := map[string]Place{}
	for n := range 100 {
		// Some are longer than what is read at once, and some have several in it.
		record := fmt.Sprintf("%03d %s", n, strings.Repeat("x", n%10*10_000))
		check(t, l.Append([]byte(record), false))
		for yielded, err := range f.Records() {
			check(t, err)
			places[string(yielded)] = f.Place()
		}
	}
	again := must[*Again](t)(f.Again())
	kept := records(t, l)
	if len(places) != 100 || len(kept) == 0 || len(kept) == 100 {
		t.Fatalf("%d places, %d kept", len(places), len(kept))
	}
	for record, at := range places {
		got, ok, err := again.Record(at)
		check(t, err)
		if want := slices.Contains(kept, record); ok != want || ok && string(got) != record {
			t.Errorf("%.3s: %.3s, %v, want %v", record, got, ok, want)
		}
	}
	check(t, l.Append([]byte(strings.Repeat("y", 200_000)), false))
	check(t, l.Append([]byte("z"), false)) // twice afresh, which the follower has not seen
	check(t, again.Close())
	again = must[*Again](t)(f.Again())
	for record, at := range places {
		got, ok, err := again.Record(at)
		check(t, err)
		if ok && string(got) != record {
			t.Errorf("%.3s: %.3s", record, got)
		}
	}
	check(t, again.Close())
}

// A reader that stops goes on where it stopped.
func TestFollowStops(t *testing.T) {
	d := fresh(t, Options{})
	l := must[*Log](t)(d.Log("events", 0))
	f := l.Follow()
	for _, record := range []string{"1", "2", "3"} {
		check(t, l.Append([]byte(record), false))
	}
	for record := range f.Records() {
		if string(record) == "2" {
			break
		}
	}
	if got := news(t, f); !slices.Equal(got, []string{"3"}) {
		t.Errorf("%q", got)
	}
}
