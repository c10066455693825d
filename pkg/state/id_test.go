package state

import (
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
)

func TestIDs(t *testing.T) {
	moment := time.Unix(1_700_000_000, 0)
	last := ""
	for i := range 10_000 {
		// The clock stands still, then steps back.
		id := NewID(moment.Add(-time.Duration(i/5000) * time.Hour))
		parsed, err := ulid.ParseStrict(id)
		if id <= last || err != nil || parsed.Timestamp().Sub(moment) >= time.Second || parsed.Timestamp().Before(moment) || !IsID(id) {
			t.Fatalf("%s after %s: %v", id, last, err)
		}
		last = id
	}
	random := map[string]bool{}
	for i := range 100 {
		random[new(ids).next(moment.Add(time.Duration(i) * time.Hour))[10:]] = true
	}
	if len(random) != 100 {
		t.Errorf("%d of 100 are different", len(random))
	}
	for _, bad := range []string{"", last[1:], last + "0", "8" + last[1:], "I" + last[1:], last[:25] + "U", strings.ToLower(last)} {
		if IsID(bad) {
			t.Errorf("%q", bad)
		}
	}
}
