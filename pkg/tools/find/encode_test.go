package find

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search"
)

// TestAppendJSON checks that results read back as what they were, and that
// nothing is left out or put elsewhere than encoding/json would.
func TestAppendJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	for range 300 {
		want := Result{Matches: []search.Match{}, Total: r.IntN(9), TotalExact: r.IntN(2) == 0, Truncated: r.IntN(2) == 0}
		want.Skipped.Ignored, want.Skipped.TooLarge = r.IntN(3), r.IntN(2)
		for range r.IntN(5) {
			m := search.Match{
				Path: pick("a", "b/c", "é", `q"\`, "new\nline", "<&>", "\u2028", "\x7f", "\ufffd", "tab\t") + pick("", "/x"),
				Type: search.Type(pick("file", "dir", "symlink")), Hit: pick("name", "content"),
			}
			if r.IntN(3) > 0 {
				m.Modified, m.Size = time.Unix(r.Int64N(1e10), 0).UTC(), 1+r.Int64N(1e12)
			}
			want.Matches = append(want.Matches, m)
		}
		got, err := want.AppendJSON([]byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		type plain Result
		reference, err := json.Marshal(plain(want))
		if err != nil {
			t.Fatal(err)
		}
		var back, judged any
		if err := json.Unmarshal(got[1:], &back); err != nil {
			t.Fatalf("%v: %s", err, got)
		}
		if err := json.Unmarshal(reference, &judged); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(judged, back); diff != "" || got[0] != 'x' {
			t.Fatal(diff)
		}
	}
}
