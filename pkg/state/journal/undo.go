package journal

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Selector picks the entries that an undo takes back.
//
// Without an ID these are the newest changes that a tool made and that are not
// undone. So one undo after another walks further back. An undo itself is taken
// back, which is redo, only by its ID.
type Selector struct {
	Path  string // only changes of this file, or of anything below this directory
	ID    string // only this entry, which may be an undo
	Steps int    // how many at most, the newest first; 0 means 1
}

// Reverted is the result of an undo.
type Reverted struct {
	ID        string // undoing it is redo
	Undone    []Undone
	Remaining int  // changes of the selector's path that can still be undone
	Undoable  bool // see Applied
	Warnings  []fault.Text
}

// Undone is one entry that was undone, and the changes of that: Before is the state until
// now, After the restored one.
type Undone struct {
	ID, Tool string
	Files    []Changed
}

// Undo takes entries back as one group, which is itself an entry. The files must
// be as the entries left them, else the error is undo_conflict with a [Conflict]
// and nothing changes. With force they are restored whatever they are now; their
// present content is saved and can be restored in turn. A directory that an entry
// made is removed only if it is empty.
//
// Other errors are no_history if there is nothing to undo or its bytes are not
// kept, already_applied for an entry that is undone, and io_error for kept bytes
// that are damaged.
func (j *Journal) Undo(ctx context.Context, session string, sel Selector, force bool) (Reverted, error) {
	var err error
	if sel.Path, err = cleanPath(sel.Path); err != nil {
		return Reverted{}, err
	}
	if sel.Steps < 0 || sel.ID != "" && (sel.Path != "" || sel.Steps > 1) {
		return Reverted{}, fault.New(fault.InvalidArguments, fault.T("id cannot be combined with path or steps, and steps must be at least 1"))
	}
	warnings, err := j.Recover(ctx)
	if err != nil {
		return Reverted{}, err
	}
	var chosen []*entry
	err = j.look(func(p *past) (err error) {
		chosen, err = p.choose(sel, force)
		return err
	})
	if err != nil {
		return Reverted{}, err
	}
	for {
		r, again, err := j.undo(ctx, session, sel, force, chosen)
		if err != nil {
			return Reverted{}, err
		}
		if again == nil {
			r.Warnings = append(warnings, r.Warnings...)
			return r, nil
		}
		chosen = again
	}
}

// undo locks the files of the chosen entries and takes the entries back. If
// another process was faster and the selector now picks other entries, undo
// returns those instead.
func (j *Journal) undo(ctx context.Context, session string, sel Selector, force bool, chosen []*entry) (_ Reverted, again []*entry, err error) {
	tx, err := j.lock(ctx, chosen)
	if err != nil {
		return Reverted{}, nil, err
	}
	defer func() { err = errors.Join(err, tx.Close()) }()
	var out Reverted
	err = j.look(func(p *past) (err error) {
		out, again, err = tx.undo(ctx, session, sel, force, chosen, p)
		return err
	})
	return out, again, err
}

// undo takes entries back if they are still those that the selector picks.
func (t *Tx) undo(ctx context.Context, session string, sel Selector, force bool, chosen []*entry, p *past) (_ Reverted, again []*entry, err error) {
	now, err := p.choose(sel, force)
	if err != nil {
		return Reverted{}, nil, err
	}
	if !slices.EqualFunc(chosen, now, func(a, b *entry) bool { return a.ID == b.ID }) {
		return Reverted{}, now, nil
	}
	r := record{Tool: "undo", Session: session}
	var all []want
	for i, e := range now {
		back, err := e.inverse(force)
		if err != nil {
			return Reverted{}, nil, err
		}
		for _, w := range back {
			if w.state, err = p.renewed(w.Path, w.state); err != nil {
				return Reverted{}, nil, err
			}
			w.entry = i
			all = append(all, w)
		}
		r.Undoes = append(r.Undoes, e.ID)
		r.Observed = r.Observed || e.Observed
	}
	plan, applied, err := t.apply(ctx, r, all)
	if err != nil {
		return Reverted{}, nil, p.explain(err, now)
	}
	out := Reverted{
		ID: applied.ID, Undoable: applied.Undoable, Remaining: p.standing(sel.Path, reversal{applied.ID, r.Undoes}),
		Warnings: append(t.Warnings(), applied.Warnings...),
	}
	for i, e := range now {
		var own []step
		for _, a := range plan.actions {
			if a.entry == i {
				own = append(own, a.step)
			}
		}
		out.Undone = append(out.Undone, Undone{ID: e.ID, Tool: e.Tool, Files: listed(own)})
	}
	return out, nil, nil
}

// choose returns the entries that a selector picks, the newest first.
func (p *past) choose(sel Selector, force bool) ([]*entry, error) {
	if sel.ID != "" {
		e, err := p.find(sel.ID)
		switch {
		case err != nil:
			return nil, err
		case e == nil:
			return nil, fault.New(fault.NoHistory, fault.T("no change %s in the undo history", sel.ID)).
				WithHint(fault.T("list the changes with history"))
		case e.undoneBy != "":
			return nil, fault.New(fault.AlreadyApplied, fault.T("%s is already undone", sel.ID)).
				WithHint(fault.T("undo %s to redo it", e.undoneBy)).
				WithDetails(map[string]string{"redo_id": e.undoneBy})
		case e.end == conflict && !force:
			return nil, fault.New(fault.UndoConflict, fault.T("%s was interrupted, and its files have changed since", sel.ID)).
				WithHint(fault.T("pass force to restore the files as they were before it")).
				WithDetails(map[string]string{"id": sel.ID})
		}
		return []*entry{e}, nil
	}
	var chosen []*entry
	for e := range p.backward(sel.Path) {
		if !e.change() {
			continue
		}
		if err := p.decode(e); err != nil {
			return nil, err
		}
		if chosen = append(chosen, e); len(chosen) == max(1, sel.Steps) {
			break
		}
	}
	if len(chosen) == 0 {
		what := fault.T("there is nothing to undo")
		if sel.Path != "" {
			what = fault.T("there is nothing to undo for %s", sel.Path)
		}
		return nil, fault.New(fault.NoHistory, what).
			WithHint(fault.T("to redo an undo, take its id from history and undo it"))
	}
	return chosen, nil
}

// touched returns the paths that undoing entries changes, without the directories
// that many files share.
func touched(entries []*entry) []string {
	var paths []string
	for _, e := range entries {
		for _, s := range e.Steps {
			if s.Optional {
				continue
			}
			for _, spot := range s.before() {
				if !strings.HasPrefix(spot.path, snapshotMark) {
					paths = append(paths, spot.path)
				}
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// inverse returns the changes that take an entry back, in order.
func (e *entry) inverse(force bool) ([]want, error) {
	var all []want
	for _, s := range slices.Backward(e.Steps) {
		back, err := s.inverse()
		if err != nil {
			return nil, err
		}
		for _, w := range back {
			w.force = force
			w.optional = w.optional || force && e.Observed && w.Op == Rmdir // it stays if it is not empty
			all = append(all, w)
		}
	}
	return all, nil
}

func (s step) inverse() ([]want, error) {
	path := string(s.Path)
	back := want{Change: Change{Path: path}, exact: true, state: s.Post}
	switch s.Op {
	case Create:
		back.Op = Delete
	case Modify:
		if !s.Pre.Saved {
			return nil, neverKept(path, s.Pre.Size)
		}
		back.Op, back.blob, back.others = Write, s.Pre.SHA, s.Others
		if s.Pre.Mode != s.Post.Mode {
			back.Mode = s.Pre.Mode
		}
	case Delete:
		return again(path, s.Pre)
	case Move:
		back.Op, back.From, back.Path = Move, path, string(s.From)
		if s.Over == nil {
			break
		}
		over, err := again(path, s.Over)
		return append([]want{back}, over...), err
	case MoveOut:
		back.Op, back.snapshot, back.held = MoveIn, s.Snapshot, s.Pre
	case MoveIn:
		back.Op = MoveOut
	case Extend, Replace:
		back.Op, back.blob, back.back, back.becomes = s.Op, s.Delta, s.Delta != "" && !s.Back, s.Pre
		back.snapshot, back.held = s.Kept, s.Pre
	case Chmod:
		back.Op, back.Mode, back.lasting = Chmod, s.Pre.Mode, true
	case Mkdir:
		back.Op, back.optional, back.exact = Rmdir, s.Optional, !s.Optional
	case Rmdir:
		back.Op, back.Mode, back.optional = Mkdir, s.Pre.Mode, s.Optional
	}
	all := []want{back}
	for _, name := range s.Names {
		back.Path = string(name)
		all = append(all, back)
	}
	return all, nil
}

// again returns the changes that put a file or link back at a free path.
func again(path string, st *State) ([]want, error) {
	w := want{Change: Change{Op: Symlink, Path: path, Target: st.Link}, exact: true}
	if st.Kind == File {
		if !st.Saved {
			return nil, neverKept(path, st.Size)
		}
		w.Op, w.blob, w.Mode = Write, st.SHA, st.Mode
	}
	return []want{w}, nil
}

// explain adds to a conflict which entry it is about and which newer changes are
// in the way.
func (p *past) explain(err error, chosen []*entry) error {
	f := fault.As(err)
	c, ok := f.Details.(Conflict)
	if !ok || f.Code != fault.UndoConflict {
		return err
	}
	i := slices.IndexFunc(chosen, func(e *entry) bool { return e.touches(c.Path) })
	if i < 0 {
		return err
	}
	c.ID = chosen[i].ID
	isChosen := func(id string) bool {
		return slices.ContainsFunc(chosen, func(e *entry) bool { return e.ID == id })
	}
	for e := range p.backward(c.Path) {
		if e.ID == c.ID {
			break
		}
		if e.change() && !isChosen(e.ID) {
			c.Newer = append(c.Newer, e.ID)
		}
	}
	slices.Reverse(c.Newer)
	f.Details = c
	return err
}
