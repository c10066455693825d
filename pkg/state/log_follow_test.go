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
