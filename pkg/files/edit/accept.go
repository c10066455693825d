package edit

import (
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// accept returns the replacement of the lines of a candidate.
func (d *document) accept(e Edit) ([]replacement, *fault.Error) {
	var rank, first, last int
	var sha string
	if parts := strings.Split(e.Accept, ":"); len(parts) == 3 {
		sha = parts[1]
		_, _ = fmt.Sscanf(parts[0]+" "+parts[2], "c%d %d-%d", &rank, &first, &last) // what it does not read is no candidate's id
	}
	if first < 1 || last < first || candidateID(rank, sha, first, last) != e.Accept {
		return nil, notCandidate(e.Accept)
	}
	if _, ok := d.offset(last); !ok || sha != d.sha() {
		return nil, candidateStale(d.path)
	}
	start, end := d.span(first, last)
	old, new := d.text[start:end], d.normal(e.New)
	if new == "" || strings.HasSuffix(new, "\n") {
		old += "\n"
	}
	if !d.permit {
		if err := placeholder(old, e.New); err != nil {
			return nil, err
		}
	}
	h := hit{block: newBlock(old, new), strategy: Accepted, how: Rtrim}
	r, err := d.merge(h, place{start: start, end: end, line: first})
	if err != nil {
		return nil, err
	}
	if r.text == d.src[r.start:r.end] {
		return nil, noChange()
	}
	return []replacement{r}, nil
}

// candidateID returns the id of a candidate. It names the state of the file and
// the lines, so that it can be accepted without any memory of the failure.
func candidateID(rank int, sha string, first, last int) string {
	return fmt.Sprintf("c%d:%s:%d-%d", rank, sha, first, last)
}
