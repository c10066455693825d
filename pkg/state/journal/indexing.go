package journal

import (
	"cmp"
	"io"
	"math"
	"slices"

	"github.com/helve-dev/helve/pkg/state"
)

// indexStep is the growth of the journal, in bytes, after which the index is made anew.
const indexStep = 32 << 10

// indexer makes the index of a journal from its lines.
type indexer struct {
	index          // up to the last line after which no intent was open
	seen  scan     // of all lines
	since []*entry // decoded; those since that line
	byID  map[string]*entry
}

// newIndexer goes on where an index ends.
func newIndexer(x index) *indexer {
	x.rows = slices.Clip(x.rows) // others may look at them
	x.last = cmp.Or(x.last, noID)
	return &indexer{index: x, seen: scan{sums: x.sums, open: map[string][]byte{}}, byID: map[string]*entry{}}
}

// noID is less than any ID.
const noID = "-"

// add takes the next line, which begins at a place.
func (b *indexer) add(line []byte, at int64) {
	b.seen.add(line)
	// A line that cannot be decoded counts nowhere, see [history.add].
	if r, err := parse(line); err == nil {
		b.record(r, at, len(line))
	}
	if len(b.seen.open) > 0 || b.seen.damaged > 0 {
		return
	}
	for _, e := range b.since {
		if e.end == commit || e.end == conflict {
			b.rows = appendRow(b.rows, e)
		}
	}
	b.since = b.since[:0]
	clear(b.byID)
	b.sums, b.end = b.seen.sums, at+int64(len(line))+1
}

func (b *indexer) record(r record, at int64, length int) {
	switch r.State {
	case "", base:
	case intent, done:
		if b.knows(r.ID) {
			return
		}
		e := &entry{record: r, at: at, length: int64(length)}
		if r.State == done {
			e.end = commit
		}
		b.since = append(b.since, e)
		b.byID[r.ID] = e
		b.last = max(b.last, r.ID)
		b.seen.kept += kept(r.Steps)
	default:
		if e := b.byID[r.ID]; e != nil && e.end == "" {
			e.end = r.State
		}
	}
}

// knows reports whether there is an entry with an ID. They rise but for those of calls at
// the same time, and where a clock was set back.
func (b *indexer) knows(id string) bool {
	return id <= b.last && (b.byID[id] != nil || b.row(id) != nil)
}

// kept returns the size of the bytes that steps destroy and that are kept.
func kept(steps []step) (bytes int64) {
	for _, s := range steps {
		if lost := s.lost(); lost != nil && lost.Saved {
			bytes += lost.Size
		}
		if s.Op == MoveOut {
			bytes += s.Pre.Size
		}
	}
	return bytes
}

// extend brings the index up to date with the journal.
func (j *Journal) extend() error {
	f, err := j.log().Open()
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	x, ok := j.index(f)
	b, at := newIndexer(x), x.end
	for line, err := range state.Lines(io.NewSectionReader(f, at, math.MaxInt64-at), &at) {
		if err != nil {
			return err // compaction puts such a line elsewhere
		}
		b.add(line, at-int64(len(line))-1)
	}
	if b.end == x.end {
		return nil
	}
	if !ok {
		b.base.kept = b.kept // at the last compaction, as far as is known
	}
	if b.mark, err = markOf(f, b.end); err != nil {
		return err
	}
	return j.dir.Put(indexName, b.encode())
}
