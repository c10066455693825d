package track

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Report lists the changes of a command.
type Report struct {
	Changes    []Change // by path; what is in a directory that came or went is not listed
	NotCovered []Gap    // what it changed and that cannot be undone, by path
	Others     []Other  // what other calls changed meanwhile
	UndoID     string   // undoes it; "" if nothing was recorded
	Warnings   []fault.Text
}

// Action is a kind of change.
type Action string

// The kinds.
const (
	Create  Action = "create"
	Modify  Action = "modify"
	Delete  Action = "delete"
	Rename  Action = "rename"
	Mode    Action = "mode"
	Replace Action = "replace" // by an entry of another kind
)

// Change is one change. A repository is one entry.
type Change struct {
	Path    string `json:"path"`
	Action  Action `json:"action"`           // create, modify, delete, rename, mode or replace
	From    string `json:"from,omitzero"`    // of a rename
	Entries int    `json:"entries,omitzero"` // in a directory that was created or deleted, or in the repository
}

// Gap is something that was changed and cannot be undone.
type Gap struct {
	Path string // absolute if it is outside of the workspace
	Why  fault.Text
}

// Other is something that another call changed meanwhile. Its own entry undoes it.
type Other struct {
	Path   string `json:"path"`
	Tool   string `json:"tool"`
	UndoID string `json:"undo_id"`
}

// Uncovered is a [Gap] as a result shows it.
type Uncovered struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Outcome is a report as a result shows it.
type Outcome struct {
	Changes    []Change    `json:"changes,omitempty"`         // the first hundred
	Total      int         `json:"changes_total,omitzero"`    // if there are more
	UndoID     string      `json:"undo_id,omitzero"`          // undoes them
	NotCovered []Uncovered `json:"not_covered,omitempty"`     // what was changed and undo does not restore
	Others     []Other     `json:"also_changed_by,omitempty"` // what other calls changed meanwhile
}

// mostListed limits the changes, and the gaps, in a result.
const mostListed = 100

// Outcome returns the report for a result. show returns a path in the caller's form.
func (r Report) Outcome(show func(path string) string, lang fault.Lang) Outcome {
	o := Outcome{UndoID: r.UndoID}
	if len(r.Changes) > mostListed {
		o.Total = len(r.Changes)
	}
	for _, c := range r.Changes[:min(len(r.Changes), mostListed)] {
		c.Path = show(c.Path)
		if c.From != "" {
			c.From = show(c.From)
		}
		o.Changes = append(o.Changes, c)
	}
	for _, g := range r.NotCovered[:min(len(r.NotCovered), mostListed)] {
		if !filepath.IsAbs(g.Path) {
			g.Path = show(g.Path)
		}
		o.NotCovered = append(o.NotCovered, Uncovered{g.Path, g.Why.In(lang)})
	}
	for _, other := range r.Others[:min(len(r.Others), mostListed)] {
		other.Path = show(other.Path)
		o.Others = append(o.Others, other)
	}
	return o
}

// report returns what was found.
func (d *differ) report() Report {
	r := Report{NotCovered: slices.SortedFunc(slices.Values(d.gaps), func(a, b Gap) int { return strings.Compare(a.Path, b.Path) }), Others: d.others}
	index := map[string]int{} // of directories that stand for what is in them
	for _, c := range d.changes {
		if top, ok := inRepository(c.path); ok {
			if i, seen := index[top]; seen {
				r.Changes[i].Entries++
				continue
			}
			index[top] = len(r.Changes)
			r.Changes = append(r.Changes, Change{Path: workspace.Escape(top), Action: d.actionOn(top), Entries: 1})
			continue
		}
		if i, ok := within(index, c.path); ok {
			r.Changes[i].Entries++
			continue
		}
		one := Change{Path: workspace.Escape(c.path), From: workspace.Escape(c.from), Action: c.action()}
		if one.Action == Create && c.after.isDir() || one.Action == Delete && c.before.isDir() {
			index[c.path] = len(r.Changes)
		}
		r.Changes = append(r.Changes, one)
	}
	return r
}

// inRepository returns the .git that a path is in.
func inRepository(path string) (top string, ok bool) {
	if path == ".git" || strings.HasPrefix(path, ".git/") {
		return ".git", true
	}
	before, _, ok := strings.Cut(path, "/.git/")
	return before + "/.git", ok
}

// within returns the number of the directory that a path is in.
func within(index map[string]int, path string) (int, bool) {
	for dir := parent(path); dir != ""; dir = parent(dir) {
		if i, ok := index[dir]; ok {
			return i, true
		}
	}
	return 0, false
}

// actionOn returns what happened to a directory as a whole.
func (d *differ) actionOn(dir string) Action {
	switch b, a := d.before.find(dir), d.after.find(dir); {
	case b == nil:
		return Create
	case a == nil:
		return Delete
	}
	return Modify
}

func (c *change) action() Action {
	switch {
	case c.from != "":
		return Rename
	case c.before == nil:
		return Create
	case c.after == nil:
		return Delete
	case c.before.Mode.Type() != c.after.Mode.Type():
		return Replace
	case c.before.isDir(), c.before.isFile() && c.sum != "" && c.before.blob == c.sum:
		return Mode
	}
	return Modify
}
