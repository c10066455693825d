package track

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/state/journal"
)

func FuzzPending(f *testing.F) {
	at := time.Unix(1, 2).UTC()
	whole := pending{
		By: journal.Author{Tool: "exec", Session: "s", Command: "x\xff\n", Run: "01ARZ3NDEKTSV4RRFFQ69G5FAV"}, Started: at, At: at,
		Implied: implied{Index: "00", Device: 1 << 63, Plain: 0o644, Program: 0o755},
		blind:   []blind{{"a b\n\"\xff", tooLarge, 1 << 63}, {"- x", special, 0}}, missing: []string{"m\xff", ""},
	}
	text, err := whole.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(pendingHead + "{}\n" + pendingTail))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, ok := decodePending(data)
		if !ok {
			return
		}
		text, err := p.encode()
		if err != nil {
			return // a time beyond what JSON has
		}
		again, ok := decodePending(text)
		if diff := cmp.Diff(p, again, cmp.AllowUnexported(pending{}, blind{})); !ok || diff != "" {
			t.Errorf("%v %s", ok, diff)
		}
	})
}
