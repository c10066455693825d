package overview

import (
	"time"

	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Entry is one change in the history.
type Entry struct {
	ID       string    `json:"id"`
	At       time.Time `json:"at"`
	Tool     string    `json:"tool"`
	Session  string    `json:"session"`
	Command  string    `json:"command,omitzero"` // that made the changes
	Stopped  bool      `json:"stopped,omitzero"` // helve was stopped while it ran
	Files    []Change  `json:"files"`
	Undoes   []string  `json:"undoes,omitzero"`
	UndoneBy string    `json:"undone_by,omitzero"`
	Undoable bool      `json:"undoable"`
}

// Change is one file of an entry.
type Change struct {
	Action journal.Op `json:"action"`
	Path   string     `json:"path"`
	From   string     `json:"from,omitzero"`
}

// History returns the entries of a journal as they are printed.
func History(root *workspace.Root, listed []journal.Entry) []Entry {
	entries := make([]Entry, len(listed))
	for i, e := range listed {
		entries[i] = Entry{ID: e.ID, At: e.Time.UTC(), Tool: e.Tool, Session: e.Session, Undoes: e.Undoes, UndoneBy: e.UndoneBy, Undoable: e.Undoable, Command: e.Command, Stopped: e.Stopped}
		for _, f := range e.Files {
			one := Change{f.Op, root.Show(f.Path), f.From}
			if one.From != "" {
				one.From = root.Show(one.From)
			}
			entries[i].Files = append(entries[i].Files, one)
		}
	}
	return entries
}
