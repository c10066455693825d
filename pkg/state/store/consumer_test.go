package store

import (
	"context"
	"encoding/json"
	"testing"
	"time"
)

// fixed is a store with one key.
type fixed struct {
	Store
	Reader
	value []byte
}

func (s fixed) View(_ context.Context, f func(Reader) error) error { return f(s) }

func (s fixed) Get(key string) (Entry, error) {
	return Entry{Key: key, Value: s.value, Revision: 1}, nil
}

// Whoever waits sleeps until a message may be given, and does not look again and again
// at one whose lease has run out but that must wait for an earlier one.
func TestDue(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return now.Add(time.Duration(seconds) * time.Second) }
	for name, test := range map[string]struct {
		open []open
		want time.Duration
	}{
		"nothing":                {nil, longest},
		"a lease":                {[]open{{Seq: 1, Given: 1, Until: at(5)}}, 5 * time.Second},
		"the first of two":       {[]open{{Seq: 1, Given: 1, Until: at(7)}, {Seq: 2, Given: 1, Until: at(5)}}, 5 * time.Second},
		"over":                   {[]open{{Seq: 1, Given: 1, Until: at(-5)}}, time.Millisecond},
		"never given":            {[]open{{Seq: 1}}, longest},
		"behind its group":       {[]open{{Seq: 1, Group: "a", Given: 2, Until: at(9)}, {Seq: 2, Group: "a", Given: 1, Until: at(-5)}}, 9 * time.Second},
		"behind another group":   {[]open{{Seq: 1, Group: "a", Given: 2, Until: at(9)}, {Seq: 2, Group: "b", Given: 1, Until: at(-5)}}, time.Millisecond},
		"behind one that is due": {[]open{{Seq: 1, Group: "a", Given: 2, Until: at(-1)}, {Seq: 2, Group: "a", Given: 1, Until: at(-5)}}, time.Millisecond},
	} {
		value, err := json.Marshal(position{Open: test.open})
		if err != nil {
			t.Fatal(err)
		}
		c := &Consumer{Store: fixed{value: value}, Stream: "s", Name: "c", Now: func() time.Time { return now }}
		if got, err := c.due(t.Context()); got != test.want || err != nil {
			t.Errorf("%s: %v, %v; want %v", name, got, err, test.want)
		}
	}
}
