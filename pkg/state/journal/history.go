package journal

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/state"
)

// Entry is one line of the history: a group of changes that was applied.
type Entry struct {
	ID       string
	Time     time.Time
	Tool     string
	Session  string
	Files    []Changed
	Undoes   []string // the entries that it took back, if it is an undo
	UndoneBy string   // the undo that took it back, if any
	Observed bool     // somebody else made the changes, such as a command; or it takes such ones back
	Command  string   // see [Author]
	Run      string
	Stopped  bool
	Undoable bool // all bytes that it destroyed are kept
	// Interrupted is set if its process died and others have changed its files since. Only
	// an undo with force takes it back.
	Interrupted bool
}

// History lists changes of a file, of everything below a directory, or, for "", of
// the workspace: the newest first and at most so many, 0 for all.
func (j *Journal) History(path string, most int) (all []Entry, err error) {
	err = j.Entries(path, func(e Entry) bool {
		all = append(all, e)
		return len(all) != most
	})
	return all, err
}

// Entries calls f with what History lists, one after the other, until f returns false. What
// is not asked for is not read.
func (j *Journal) Entries(path string, f func(Entry) bool) error {
	path, err := cleanPath(path)
	if err != nil {
		return err
	}
	return j.look(func(p *past) error {
		for e := range p.backward(path) {
			if err := p.decode(e); err != nil || !f(e.listed()) {
				return err
			}
		}
		return nil
	})
}

// Find returns the entry with an ID. It is not ok if there is none that did something.
func (j *Journal) Find(id string) (found Entry, ok bool, err error) {
	err = j.look(func(p *past) error {
		e, err := p.find(id)
		if err == nil && e != nil {
			found, ok = e.listed(), true
		}
		return err
	})
	return found, ok, err
}

// Since lists the changes that were recorded since a time, the newest first. It takes
// little time however long the history is.
func (j *Journal) Since(t time.Time) (all []Entry, err error) {
	first := state.FirstID(t)
	err = j.look(func(p *past) error {
		for e := range p.from(first, "") {
			if err := p.decode(e); err != nil {
				return err
			}
			if !e.Time.Before(t) {
				all = append(all, e.listed())
			}
		}
		return nil
	})
	return all, err
}

func (e *entry) listed() Entry {
	return Entry{
		ID: e.ID, Time: e.Time, Tool: e.Tool, Session: e.Session, Files: listed(e.Steps), Undoes: e.Undoes,
		UndoneBy: e.undoneBy, Observed: e.Observed, Undoable: undoable(e.Steps), Interrupted: e.end == conflict,
		Command: string(e.Command), Run: e.Run, Stopped: e.Stopped,
	}
}

// Clear removes the history of a file, of everything below a directory, or, for
// "", of the workspace, with the bytes kept for it. It returns how many entries it
// removed. A group is removed as a whole.
func (j *Journal) Clear(ctx context.Context, path string) (int, error) {
	path, err := cleanPath(path)
	if err != nil {
		return 0, err
	}
	gone := 0
	err = j.locked(ctx, func() error {
		h, err := j.load()
		if err != nil {
			return err
		}
		drop := map[*entry]bool{}
		for _, e := range h.entries {
			if e.end != "" && e.touches(path) {
				drop[e] = true
				if e.end != abort {
					gone++
				}
			}
		}
		if path == "" {
			// The damaged lines may name kept bytes too.
			if err := j.damaged().Remove(); err != nil {
				return err
			}
			for i := range h.lines {
				h.lines[i].idle = h.lines[i].idle || h.lines[i].bad
			}
		}
		return j.rewrite(h, drop)
	})
	if err != nil {
		return 0, err
	}
	return gone, j.dir.Sweep(ctx)
}
