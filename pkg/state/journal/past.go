package journal

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"os"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// past is the journal as undo and history look at it: the rows of its index, and after them
// the entries of the lines that the index is not about yet.
type past struct {
	journal *os.File
	index
	tail   *history
	undos  []reversal        // the oldest first
	undone map[string]string // by ID, the undo that took an entry back and counts
}

// reversal is an undo that was applied.
type reversal struct {
	id     string
	undoes []string
}

// look calls f with the past, which is valid until f returns.
func (j *Journal) look(f func(p *past) error) (err error) {
	p := &past{tail: &history{byID: map[string]*entry{}}}
	if p.journal, err = j.log().Open(); err != nil {
		return err
	}
	if p.journal != nil {
		defer p.journal.Close()
		if err := p.load(j); err != nil {
			return fault.System(err, logName)
		}
	}
	if err = f(p); errors.Is(err, errMisled) {
		// It has the right checksums and is still of another journal.
		return errors.Join(fault.New(fault.IOError, fault.T("the index of the undo journal did not fit it and was removed")).
			WithHint(fault.T("call again")), j.dir.Remove(indexName))
	}
	return err
}

// errMisled reports a row whose record is not in its place.
var errMisled = errors.New("the index is wrong")

func (p *past) load(j *Journal) error {
	p.index, _ = j.index(p.journal)
	for r := range p.reversals() {
		p.undos = append(p.undos, reversal{r.id(), r.entry().Undoes})
	}
	at := p.end
	for line, err := range state.Lines(io.NewSectionReader(p.journal, at, math.MaxInt64-at), &at) {
		if fault.Is(err, fault.TooLarge) {
			continue
		}
		if err != nil {
			return err
		}
		if r, err := parse(line); err == nil && (r.ID > p.last || p.row(r.ID) == nil) {
			p.tail.add(r)
		}
	}
	for _, e := range p.tail.entries {
		if e.end == commit && len(e.Undoes) > 0 {
			p.undos = append(p.undos, reversal{e.ID, e.Undoes})
		}
	}
	p.undone = resolve(p.undos)
	for _, e := range p.tail.entries {
		e.undoneBy = p.undone[e.ID]
	}
	return nil
}

// resolve finds out which entries are undone, and by which undo. An undo counts unless it
// was undone in turn, and only a newer one can have done that, so one pass from the end is
// enough.
func resolve(undos []reversal) map[string]string {
	undone := map[string]string{}
	for _, u := range slices.Backward(undos) {
		if undone[u.id] != "" {
			continue
		}
		for _, id := range u.undoes {
			if undone[id] == "" {
				undone[id] = u.id
			}
		}
	}
	return undone
}

// each yields the rows, the oldest first.
func (p *past) each() iter.Seq[row] {
	return func(yield func(row) bool) {
		for line := range bytes.Lines(p.rows) {
			if !yield(row(line[:len(line)-1])) {
				return
			}
		}
	}
}

// reversals yields the rows of undos, the oldest first. They are few.
func (p *past) reversals() iter.Seq[row] {
	return func(yield func(row) bool) {
		for rest, at := p.rows, 0; at >= 0; at = bytes.Index(rest, []byte{'\n', rowUndo}) {
			if rest = bytes.TrimPrefix(rest[at:], []byte("\n")); len(rest) == 0 {
				return
			}
			if line, _, _ := bytes.Cut(rest, []byte("\n")); line[0] == rowUndo && !yield(row(line)) {
				return
			}
		}
	}
}

// backward yields the entries that touch a path or something below it and have come to an
// end, the newest first; "" means the workspace. Those of the index are not decoded, but for
// their ID, what they undo and how they ended.
func (p *past) backward(path string) iter.Seq[*entry] { return p.from("", path) }

// from is backward without the entries whose IDs are less than first.
func (p *past) from(first, path string) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for _, e := range slices.Backward(p.tail.entries) {
			if e.ID >= first && (e.end == commit || e.end == conflict) && e.touches(path) && !yield(e) {
				return
			}
		}
		for w, end := seek(path), len(p.rows); end > 0; {
			start := bytes.LastIndexByte(p.rows[:end-1], '\n') + 1
			r := row(p.rows[start : end-1])
			end = start
			if r.id() >= first && w.in(r) && !yield(p.entry(r)) {
				return
			}
		}
	}
}

func (p *past) entry(r row) *entry {
	e := r.entry()
	e.undoneBy = p.undone[e.ID]
	return e
}

// find returns the entry with an ID, decoded; nil if there is none that did something.
func (p *past) find(id string) (*entry, error) {
	if e := p.tail.byID[id]; e != nil {
		if e.end == "" || e.end == abort {
			return nil, nil
		}
		return e, nil
	}
	r := p.row(id)
	if r == nil {
		return nil, nil
	}
	e := p.entry(r)
	return e, p.decode(e)
}

// decode reads the record of an entry.
func (p *past) decode(e *entry) error {
	if err := e.decode(p.journal); err != nil {
		return errors.Join(errMisled, err)
	}
	return nil
}

// standing returns the number of changes under a path that an undo could take back, once
// another undo was made.
func (p *past) standing(path string, also reversal) (n int) {
	undone := resolve(append(slices.Clip(p.undos), also))
	w := seek(path)
	for r := range p.each() {
		if r.kind() == rowChange && undone[r.id()] == "" && w.in(r) {
			n++
		}
	}
	for _, e := range p.tail.entries {
		if e.end == commit && len(e.Undoes) == 0 && undone[e.ID] == "" && e.touches(path) {
			n++
		}
	}
	return n
}

// renewed returns a state of a path, which is known by its time, with the time that the
// same bytes had when an undo last restored them.
func (p *past) renewed(path string, st *State) (*State, error) {
	w := seek(path)
	for r := range p.each() {
		if !r.renews() || !w.in(r) {
			continue
		}
		e := p.entry(r)
		if err := p.decode(e); err != nil {
			return nil, err
		}
		st = e.renew(path, st)
	}
	for _, e := range p.tail.entries {
		st = e.renew(path, st)
	}
	return st, nil
}

// renew is renewed for one entry.
func (e *entry) renew(path string, st *State) *State {
	if e.end != commit {
		return st
	}
	for _, s := range e.Steps {
		if s.Again != 0 && string(s.Path) == path && isKind(st, File) && s.Again == st.Time && s.Post.Size == st.Size {
			now := *st
			now.Time = s.Post.Time
			st = &now
		}
	}
	return st
}
