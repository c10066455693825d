package find

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search"
)

// document is a result as its tags say it is written.
type document struct {
	Matches    []match        `json:"matches"`
	Total      int            `json:"total"`
	TotalExact bool           `json:"total_exact"`
	Truncated  bool           `json:"truncated"`
	NextOffset int            `json:"next_offset,omitzero"`
	Skipped    search.Skipped `json:"skipped"`
	NotEntered []NotEntered   `json:"not_entered,omitempty"`
}

type match struct {
	Path     string      `json:"path"`
	Type     search.Type `json:"type"`
	Size     int64       `json:"size,omitzero"`
	Modified time.Time   `json:"modified,omitzero"`
	Hit      string      `json:"hit"`
}

// TestWriteJSON checks that results read back as what they were, that nothing is
// left out or put elsewhere than encoding/json would, and that the JSON is no
// longer than foretold.
func TestWriteJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	for round := range 300 {
		most := 5
		if round == 0 {
			most = 2000 // more than a piece
		}
		var matches []search.Match
		want := document{Matches: []match{}, Total: r.IntN(9), TotalExact: r.IntN(2) == 0, Truncated: r.IntN(2) == 0}
		want.Skipped.Ignored, want.Skipped.Undecoded = r.IntN(3), r.IntN(2)
		if r.IntN(2) == 0 {
			want.NextOffset, want.NotEntered = r.IntN(1e9), []NotEntered{{"q\x01/é", "ignored"}, {"x", "depth"}}
		}
		paths := 0
		for range r.IntN(most) {
			m := search.Match{
				Prefix: pick("", "b/", `q"/`, "\x01\x01\x01\x01/"),
				Name:   pick("a", "c", "é", `q"\`, "new\nline", "<&>", "\u2028", "\x7f", "\ufffd", "tab\t", "\x1f\x1f\x1f\x1f\x1f\x1f"),
				Type:   search.Type(pick("file", "dir", "symlink")), Hit: pick("name", "content"),
			}
			if r.IntN(3) > 0 {
				m.Modified, m.Size = time.Unix(r.Int64N(1e10), 0).UTC(), 1+r.Int64N(1e12)
			}
			matches = append(matches, m)
			want.Matches = append(want.Matches, match{m.Path(), m.Type, m.Size, m.Modified, m.Hit})
			paths += len(m.Path())
		}
		result := Result{
			Matches: slices.Values(matches), Found: len(matches), Total: want.Total, TotalExact: want.TotalExact, Truncated: want.Truncated,
			Skipped: want.Skipped, NextOffset: want.NextOffset, NotEntered: want.NotEntered, most: mostJSON(len(matches), paths) + mostLeft(want.NotEntered),
		}
		var got bytes.Buffer
		if err := result.WriteJSON(&got); err != nil {
			t.Fatal(err)
		}
		if got.Len() > result.MostJSON() {
			t.Fatalf("%d bytes, foretold were %d", got.Len(), result.MostJSON())
		}
		reference, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var back, judged any
		if err := json.Unmarshal(got.Bytes(), &back); err != nil {
			t.Fatalf("%v: %s", err, got.Bytes())
		}
		if err := json.Unmarshal(reference, &judged); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(judged, back); diff != "" {
			t.Fatal(diff)
		}
	}
}
