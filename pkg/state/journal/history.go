package journal

import (
	"context"
	"slices"
	"time"
)

// Entry is one line of the history: a group of changes that was applied.
type Entry struct {
	ID       string
	Time     time.Time
	Tool     string
	Session  string
	Files    []Changed
	Undoes   []string // what it took back, if it is an undo
	UndoneBy string   // the undo that took it back, if one stands
	Undoable bool     // every byte that it destroyed is kept
	// Interrupted says that it was cut short and that others changed its files
	// since; only an undo with force takes it back.
	Interrupted bool
}

// History lists changes of a file, of everything below a directory, or, for "",
// of the whole workspace: the newest first and at most so many, 0 for all.
func (j *Journal) History(path string, most int) ([]Entry, error) {
	path, err := cleanPath(path)
	if err != nil {
		return nil, err
	}
	h, err := j.load()
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, e := range slices.Backward(h.entries) {
		if e.end != commit && e.end != conflict || !e.touches(path) {
			continue
		}
		all = append(all, Entry{
			ID: e.ID, Time: e.Time, Tool: e.Tool, Session: e.Session, Files: listed(e.Steps), Undoes: e.Undoes,
			UndoneBy: e.undoneBy, Undoable: undoable(e.Steps), Interrupted: e.end == conflict,
		})
		if len(all) == most {
			break
		}
	}
	return all, nil
}

// Clear forgets the history of a file, of everything below a directory, or, for
// "", of the whole workspace, together with the bytes kept for it, and returns
// how many entries went. A group goes as a whole.
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
			// What was set aside may name kept bytes too.
			if err := j.aside().Remove(); err != nil {
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
