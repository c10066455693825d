package journal

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Recover cleans up after processes that died while they changed files, or recorded
// changes, as every Begin does. It returns warnings about what it did and could not do.
func (j *Journal) Recover(ctx context.Context) ([]fault.Text, error) {
	late, err := j.unfinished(ctx)
	if err != nil {
		return nil, err
	}
	warnings, _, err := j.recover(ctx)
	return append(late, warnings...), err
}

func (j *Journal) unfinished(ctx context.Context) ([]fault.Text, error) {
	if j.opt.Unfinished == nil {
		return nil, nil
	}
	return j.opt.Unfinished(ctx)
}

// recover closes intents without an end. Without any it is cheap and takes no
// lock. A process that died held the locks of its paths until then, so a caller
// that holds them now sees its intent. recover also reports whether the journal
// should be compacted.
func (j *Journal) recover(ctx context.Context) (warnings []fault.Text, full bool, err error) {
	s, err := j.scan()
	if err != nil {
		return nil, false, err
	}
	if s.damaged > 0 {
		if err := j.compact(ctx); err != nil {
			return nil, false, err
		}
		warnings = append(warnings, fault.T("the undo journal had %d unreadable lines; they were moved to another file", s.damaged))
	}
	if len(s.open) == 0 {
		if s.damaged == 0 && s.fresh > indexStep {
			_ = j.extend() // without an index the same is found, but later
		}
		return warnings, s.full(), nil
	}
	err = j.locked(ctx, func() error {
		// Scan again under the lock: only one process may decide that an entry is
		// abandoned, and its owner may have closed it meanwhile.
		s, err := j.scan()
		if err != nil {
			return err
		}
		// The newest first, as with undo: it started from what an older one left.
		for _, id := range slices.Backward(slices.Sorted(maps.Keys(s.open))) {
			found, err := j.adopt(id, s.open[id])
			if err != nil {
				return err
			}
			warnings = append(warnings, found...)
		}
		return nil
	})
	return warnings, s.full(), err
}

// adopt closes an entry whose process is dead. The journal is locked.
func (j *Journal) adopt(id string, raw []byte) (warnings []fault.Text, err error) {
	release, ok, err := j.dir.Claim(claimKey + id)
	if err != nil || !ok {
		return nil, err // its process is alive
	}
	defer func() { err = errors.Join(err, release()) }()
	how := conflict
	r, err := parse(raw)
	if err != nil {
		r = record{ID: id, Tool: "?"} // only its head could be read
	} else if how, err = j.onTreeOf(r).settle(r); err != nil {
		return []fault.Text{fault.T("%s of %s was interrupted and could not be taken back yet: %v", r.Tool, named(r.Steps), fault.As(err).Message)}, nil
	}
	switch how {
	case abort:
		warnings = append(warnings, fault.T("%s of %s was interrupted and has been taken back", r.Tool, named(r.Steps)))
	case conflict:
		warnings = append(warnings, fault.T("%s of %s was interrupted, and the files have changed since; they stay as they are. undo with id %s and force restores the earlier contents", r.Tool, named(r.Steps), r.ID))
	}
	end, err := record{V: 1, State: how, ID: id, Time: j.opt.Now().UTC(), Recovered: true}.encode()
	if err != nil {
		return nil, err
	}
	j.opt.Step("recovered " + how)
	return warnings, j.log().Append(end, true)
}

// settle finds out how far an interrupted group got, and takes it back unless it
// got to its end. Every step is complete and on the disk before the next one, so
// the files show how many were done, unless others changed them since.
func (j *Journal) settle(r record) (how string, err error) {
	steps := r.Steps
	for i, s := range steps {
		if err := j.tree.Remove(temporary(r.ID, i, string(s.Path))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			if err := fault.System(err, string(s.Path)); !fault.Is(err, fault.NotADirectory) {
				return "", err
			}
		}
	}
	found := map[string]*observed{}
	torn := map[string]bool{} // paths that may be half written
	for _, s := range steps {
		for _, spot := range s.before() {
			torn[spot.path] = torn[spot.path] || s.InPlace
		}
	}
	for _, s := range steps {
		for _, spot := range append(s.before(), s.after()...) {
			if found[spot.path] != nil {
				continue
			}
			l, err := j.observeAny(spot.path)
			switch {
			case fault.Is(err, fault.NotAFile):
				return conflict, nil
			case err != nil:
				return "", err
			case !torn[spot.path]:
				l.data = nil
			}
			found[spot.path] = l
		}
	}
	n, ok := j.progress(steps, found)
	switch {
	case !ok:
		return conflict, nil
	case n.done == len(steps):
		for _, s := range steps {
			if s.Op == Replace && s.InPlace {
				j.drop(s.Snapshot) // its bytes are in the file
			}
			if s.Op == Rmdir && s.Optional {
				_ = j.tree.Rmdir(string(s.Path)) // it stays if it is not empty
			}
		}
		return commit, nil
	}
	undo := steps[:n.done]
	if n.torn || n.bare {
		undo = steps[:n.done+1]
	}
	for _, s := range undo {
		// Find damaged blobs before anything is changed.
		if lost := s.lost(); lost != nil && lost.Kind == File {
			_, err := j.dir.Blob(lost.SHA)
			switch {
			case fault.Is(err, fault.NotFound), fault.Is(err, fault.IOError):
				return conflict, nil
			case err != nil:
				return "", err
			}
		}
	}
	if n.bare {
		// The move was taken back already, but not what it had replaced.
		s := steps[n.done]
		j.opt.Step("restore " + string(s.Path))
		if err := j.restore(string(s.Path), s.Over, temporary(r.ID, n.done, string(s.Path))); err != nil {
			return "", err
		}
	}
	if n.torn && (steps[n.done].Op == Extend || steps[n.done].Op == Replace) {
		j.opt.Step("repair " + string(steps[n.done].Path))
		if err := j.takeBackLarge(steps[n.done]); err != nil {
			return "", err
		}
	} else if n.torn {
		s := steps[n.done]
		j.opt.Step("repair " + string(s.Path))
		if err := j.restore(string(s.Path), s.Pre, temporary(r.ID, n.done, string(s.Path))); err != nil {
			return "", err
		}
	}
	if err := j.revert(r.ID, steps[:n.done]); err != nil {
		return "", err
	}
	for _, s := range steps {
		j.abandon(s)
	}
	return abort, nil
}

// reached is the progress of a group.
type reached struct {
	done int  // number of steps that are done
	torn bool // the next one overwrote a part of a file
	bare bool // the next one, a move, was taken back, but not what it had replaced
}

// progress compares what is at the paths with what would be there after each
// number of steps, the largest first. Directories above files do not count:
// others make and use them too.
func (j *Journal) progress(steps []step, found map[string]*observed) (reached, bool) {
	modes := map[string]bool{} // paths whose mode distinguishes steps
	loose := map[string]bool{} // directories above files
	for _, s := range steps {
		switch {
		case s.Op == Chmod:
			for _, spot := range s.before() {
				modes[spot.path] = true
			}
		case s.Optional:
			loose[string(s.Path)] = true
		}
	}
	isDir := func(st *State) bool { return st == nil || st.Kind == Dir }
	matches := func(s spot) bool {
		cur := found[s.path].state
		if loose[s.path] && isDir(cur) && isDir(s.state) {
			return true
		}
		return same(cur, s.state) && (!modes[s.path] || cur == nil || s.state.Mode == 0 || sameMode(cur.Mode, s.state.Mode))
	}
	at := map[string]*State{} // what should be at each path, from the last step back
	for _, s := range steps {
		for _, spot := range append(s.before(), s.after()...) {
			if !s.Optional {
				at[spot.path] = spot.state
			}
		}
	}
	wrong := map[string]bool{}
	mark := func(s spot) {
		at[s.path] = s.state
		if matches(s) {
			delete(wrong, s.path)
		} else {
			wrong[s.path] = true
		}
	}
	for p, st := range at {
		mark(spot{p, st})
	}
	for n := len(steps); ; n-- {
		if len(wrong) == 0 {
			return reached{done: n}, true
		}
		if n < len(steps) {
			if r, ok := j.partial(steps[n], n, wrong, found); ok {
				return r, true
			}
		}
		if n == 0 {
			return reached{}, false
		}
		if !steps[n-1].Optional {
			for _, s := range steps[n-1].before() {
				mark(s)
			}
		}
	}
}

// partial recognizes a step that is half done: the only file that is wrong is the
// one that the step changes.
func (j *Journal) partial(s step, n int, wrong map[string]bool, found map[string]*observed) (reached, bool) {
	path := string(s.Path)
	if len(wrong) != 1+len(s.Names) || !wrong[path] || slices.ContainsFunc(s.Names, func(name lossless) bool {
		return !wrong[string(name)] || !same(found[string(name)].state, found[path].state)
	}) {
		return reached{}, false
	}
	cur := found[path]
	switch {
	case s.Op == Move && s.Over != nil && cur.state == nil:
		return reached{done: n, bare: true}, true
	case s.Op == Extend || s.Op == Replace:
		return reached{done: n, torn: true}, j.tornLarge(s, cur.state)
	case s.Op == Modify && s.InPlace && cur.state != nil && cur.state.Kind == File && cur.state.SHA != "":
		pre, err := j.dir.Blob(s.Pre.SHA)
		if err != nil {
			return reached{}, false
		}
		post, err := j.dir.Blob(s.Post.SHA)
		if err != nil {
			return reached{}, false
		}
		torn := mixture(cur.data, pre, post)
		return reached{done: n, torn: torn}, torn
	}
	return reached{}, false
}

// mixture reports whether cur can be the result of overwriting pre with post, or
// post with pre, interrupted at any byte.
func mixture(cur, pre, post []byte) bool {
	for i, c := range cur {
		if (i >= len(pre) || c != pre[i]) && (i >= len(post) || c != post[i]) {
			return false
		}
	}
	return true
}

// named returns the paths of steps for a message.
func named(steps []step) string {
	var paths []string
	for _, c := range listed(steps) {
		paths = append(paths, c.Path)
	}
	const most = 5
	if len(paths) > most {
		paths = append(paths[:most], "…")
	}
	return strings.Join(paths, ", ")
}
