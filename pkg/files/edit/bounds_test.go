package edit

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestMatchesShown(t *testing.T) {
	src := strings.Repeat("\n\n\nsame\nlines\nhere\n", 12)
	f := detailsOf(t, src, Edit{Old: "same\nlines\nhere", New: "x"})
	lines := 0
	for _, m := range f.Matches {
		lines += strings.Count(m.Text, "\n")
	}
	if len(f.Matches) != 10 || f.Total != 12 || lines < 50 || lines > 60 {
		t.Errorf("%d of %d matches, %d lines", len(f.Matches), f.Total, lines)
	}
	src = strings.Repeat("same"+strings.Repeat(" x", 1000)+"\n", 10)
	f = detailsOf(t, src, Edit{Old: "same", New: "x"})
	bytes := 0
	for _, m := range f.Matches {
		bytes += len(m.Text)
	}
	if bytes > 8<<10 || bytes < 6<<10 {
		t.Errorf("%d bytes of text", bytes)
	}
}

func TestCandidatesOffered(t *testing.T) {
	src := strings.Repeat("func same(a, b int) { return }\n\n\n\n\n\n", 5)
	f := detailsOf(t, src, Edit{Old: "func same(a, c int) { return }\n", New: "x"})
	if len(f.Candidates) != 3 {
		t.Errorf("%d candidates", len(f.Candidates))
	}
}

func TestSimilarListed(t *testing.T) {
	src := "one  (two, three)\n" + strings.Repeat("one (two, three)\n", 30)
	r, err := Apply(src, []Edit{{Old: "one  (two, three)\n", New: "x\n"}}, Options{})
	if err != nil || len(r.AlsoSimilarAt) != 20 {
		t.Errorf("%d similar places, %v", len(r.AlsoSimilarAt), err)
	}
}

func detailsOf(t *testing.T, src string, e Edit) Failure {
	t.Helper()
	_, err := Apply(src, []Edit{e}, Options{})
	f, ok := fault.As(err).Details.(Failure)
	if !ok {
		t.Fatalf("no details: %v", err)
	}
	return f
}
