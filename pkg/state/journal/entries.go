package journal

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Names in the state directory. A path has no NUL, so the lock of a path is never
// the lock of the journal.
const (
	logName     = "journal"
	damagedName = "journal-damaged"
	journalKey  = "\x00journal"
	claimKey    = "\x00entry "
)

func (j *Journal) log() *state.Log {
	l, err := j.dir.Log(logName, 0)
	if err != nil {
		panic(err) // the name is a constant
	}
	return l
}

// locked runs f while nobody else appends to or replaces the journal.
func (j *Journal) locked(ctx context.Context, f func() error) error {
	unlock, err := j.dir.Lock(ctx, journalKey)
	if err != nil {
		return err
	}
	return errors.Join(f(), unlock())
}

// append adds a record. It is on the disk only after sync.
func (j *Journal) append(ctx context.Context, r record) error {
	line, err := r.encode()
	if err != nil {
		return err
	}
	return j.locked(ctx, func() error { return j.log().Append(line, false) })
}

// sync is separate from append so that the disk is not waited for under the lock.
func (j *Journal) sync() error { return j.log().Sync() }

// growthBytes and growthEntries limit the growth of the journal between two compactions.
const (
	growthBytes   = 2 << 20
	growthEntries = 200
)

// scan summarises the heads of the journal's lines. It is cheap enough to be made before
// every change.
type scan struct {
	open    map[string][]byte // intents without an end
	entries int               // intents
	bytes   int64
	damaged int // lines that cannot be read
	base    record
}

func (j *Journal) scan() (scan, error) {
	s := scan{open: map[string][]byte{}}
	for line, err := range j.log().Records() {
		if fault.Is(err, fault.TooLarge) {
			s.damaged++
			continue
		}
		if err != nil {
			return scan{}, err
		}
		s.bytes += int64(len(line)) + 1
		what, id, ok := head(line)
		if !ok {
			r, err := parse(line)
			switch {
			case errors.Is(err, errNewer):
				continue
			case err != nil:
				s.damaged++
				continue
			case r.State == base:
				s.base = r
				continue
			}
			what, id = r.State, r.ID
		}
		switch what {
		case intent:
			s.entries++
			s.open[id] = bytes.Clone(line)
		case done:
			s.entries++
		default:
			delete(s.open, id)
		}
	}
	return s, nil
}

// full reports whether the journal has grown so much that it should be compacted.
func (s scan) full() bool {
	return s.damaged > 0 || s.entries-s.base.Entries >= growthEntries ||
		s.bytes > max(growthBytes, 2*s.base.Bytes)
}

// head returns the state and ID of a record in the form that encode writes. A
// line in another form, which is not ok, may still be a record.
func head(line []byte) (what, id string, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"v":1,"state":"`))
	if !ok || line[len(line)-1] != '}' {
		return "", "", false
	}
	for _, what := range []string{intent, commit, abort, conflict, done} {
		if id, ok := bytes.CutPrefix(rest, []byte(what+`","id":"`)); ok && len(id) > idLen && id[idLen] == '"' {
			return what, string(id[:idLen]), true
		}
	}
	return "", "", false
}

const idLen = 26 // of a ULID

// entry is a group of the journal and how it ended.
type entry struct {
	record
	end      string // commit, abort or conflict; empty while open
	undoneBy string // the entry that undid it, unless that was undone in turn
}

// change reports whether a tool made the entry, and it is not undone.
func (e *entry) change() bool { return e.end == commit && len(e.Undoes) == 0 && e.undoneBy == "" }

// touches reports whether the entry changed a path or something below it. The
// empty path means the workspace.
func (e *entry) touches(p string) bool {
	if p == "" {
		return true
	}
	return slices.ContainsFunc(e.Steps, func(s step) bool {
		return workspace.Within(string(s.Path), p) || s.From != "" && workspace.Within(string(s.From), p) ||
			slices.ContainsFunc(s.Names, func(name lossless) bool { return workspace.Within(string(name), p) })
	})
}

// history is the journal, decoded.
type history struct {
	entries []*entry // the oldest first
	byID    map[string]*entry
	lines   []line
}

// line is a record as it is in the file. Compaction copies or drops it.
type line struct {
	raw   []byte
	entry *entry
	bad   bool // cannot be read
	idle  bool // repeats what an earlier line says
}

func (j *Journal) load() (*history, error) { return j.loadFrom("") }

// loadFrom leaves out the entries whose IDs are less than first, without decoding them.
func (j *Journal) loadFrom(first string) (*history, error) {
	h := &history{byID: map[string]*entry{}}
	for raw, err := range j.log().Records() {
		if fault.Is(err, fault.TooLarge) {
			h.lines = append(h.lines, line{bad: true})
			continue
		}
		if err != nil {
			return nil, err
		}
		if _, id, ok := head(raw); ok && id < first {
			continue
		}
		r, err := parse(raw)
		h.add(line{raw: bytes.Clone(raw), bad: err != nil && !errors.Is(err, errNewer)}, r)
	}
	h.resolve()
	return h, nil
}

func (h *history) add(l line, r record) {
	switch r.State {
	case "", base:
	case intent, done:
		if h.byID[r.ID] == nil {
			e := &entry{record: r}
			if r.State == done {
				e.end = commit
			}
			h.entries = append(h.entries, e)
			h.byID[r.ID] = e
			l.entry = e
		} else {
			l.idle = true
		}
	default:
		if e := h.byID[r.ID]; e != nil && e.end == "" {
			e.end = r.State
			l.entry = e
		} else {
			l.idle = true
		}
	}
	h.lines = append(h.lines, l)
}

// resolve finds out which entries are undone. An undo counts unless it was undone
// in turn, and only a newer entry can have done that, so one pass from the end is
// enough.
func (h *history) resolve() {
	for _, e := range slices.Backward(h.entries) {
		if e.end != commit || e.undoneBy != "" {
			continue
		}
		for _, id := range e.Undoes {
			if undone := h.byID[id]; undone != nil && undone.undoneBy == "" {
				undone.undoneBy = e.ID
			}
		}
	}
}

// standing returns the number of changes under a path that an undo could take
// back.
func (h *history) standing(p string) int {
	n := 0
	for _, e := range h.entries {
		if e.change() && e.touches(p) {
			n++
		}
	}
	return n
}

// cleanPath returns the path of a selector in the form that touches expects.
func cleanPath(p string) (string, error) {
	if p == "" || p == "." {
		return "", nil
	}
	p = path.Clean(p)
	return p, checkPath(p)
}
