package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
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

// growthBytes, growthEntries and growthKept limit the growth of the journal and of the saved
// bytes between two compactions; a long journal may grow by a tenth.
const (
	growthBytes   = 2 << 20
	growthEntries = 200
	growthKept    = 256 << 20
)

// sums are the counts of a scan.
type sums struct {
	size
	base size // after the last compaction
}

// size is the size of a journal.
type size struct {
	entries int   // intents
	bytes   int64 // of lines
	kept    int64 // of what was saved for the entries in the index, before compression
}

// scan summarises the heads of the journal's lines. It is cheap enough to be made before
// every change: what the index is about is not read again.
type scan struct {
	sums
	open    map[string][]byte // intents without an end
	damaged int               // lines that cannot be read
	fresh   int64             // bytes that the index is not about yet
}

func (j *Journal) scan() (scan, error) {
	s := scan{open: map[string][]byte{}}
	f, err := j.log().Open()
	if err != nil || f == nil {
		return s, err
	}
	defer f.Close()
	x, _, _ := j.header(f)
	s.sums = x.sums
	for line, err := range state.Lines(io.NewSectionReader(f, x.end, math.MaxInt64-x.end), &s.fresh) {
		if fault.Is(err, fault.TooLarge) {
			s.damaged++
			continue
		}
		if err != nil {
			return scan{}, fault.System(err, logName)
		}
		s.add(line)
	}
	return s, nil
}

// add counts a line.
func (s *scan) add(line []byte) {
	s.bytes += int64(len(line)) + 1
	what, id, ok := head(line)
	if !ok {
		r, err := parse(line)
		switch {
		case errors.Is(err, errNewer):
			return
		case err != nil:
			s.damaged++
			return
		case r.State == base:
			s.base = size{entries: r.Entries, bytes: r.Bytes, kept: s.base.kept}
			return
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

// full reports whether the journal has grown so much that it should be compacted.
func (s scan) full() bool {
	return s.damaged > 0 || s.entries-s.base.entries >= max(growthEntries, s.base.entries/10) ||
		s.bytes > max(growthBytes, 2*s.base.bytes) || s.kept-s.base.kept > growthKept
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
	end        string // commit, abort or conflict; empty while open
	undoneBy   string // the entry that undid it, unless that was undone in turn
	at, length int64  // of its record in the journal; of an entry of the index that is not decoded
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
		return slices.ContainsFunc(s.names(), func(name string) bool { return workspace.Within(name, p) })
	})
}

// names returns the paths that the step is about.
func (s step) names() []string {
	all := []string{string(s.Path)}
	if s.From != "" {
		all = append(all, string(s.From))
	}
	for _, name := range s.Names {
		all = append(all, string(name))
	}
	return all
}

// history is the journal, decoded. Compaction needs it whole; see [past] for what undo needs.
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

func (j *Journal) load() (*history, error) {
	h := &history{byID: map[string]*entry{}}
	for raw, err := range j.log().Records() {
		if fault.Is(err, fault.TooLarge) {
			h.lines = append(h.lines, line{bad: true})
			continue
		}
		if err != nil {
			return nil, err
		}
		r, err := parse(raw)
		l := line{raw: bytes.Clone(raw), bad: err != nil && !errors.Is(err, errNewer)}
		l.entry, l.idle = h.add(r)
		h.lines = append(h.lines, l)
	}
	return h, nil
}

// add takes the next record, and returns its entry, or whether it says nothing new.
func (h *history) add(r record) (e *entry, idle bool) {
	switch r.State {
	case "", base:
		return nil, false
	case intent, done:
		if h.byID[r.ID] != nil {
			return nil, true
		}
		e = &entry{record: r}
		if r.State == done {
			e.end = commit
		}
		h.entries = append(h.entries, e)
		h.byID[r.ID] = e
		return e, false
	}
	if e = h.byID[r.ID]; e == nil || e.end != "" {
		return nil, true
	}
	e.end = r.State
	return e, false
}

// cleanPath returns the path of a selector in the form that touches expects.
func cleanPath(p string) (string, error) {
	if p == "" || p == "." {
		return "", nil
	}
	p = path.Clean(p)
	return p, checkPath(p)
}
