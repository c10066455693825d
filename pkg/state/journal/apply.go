package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Applied is the result of a group of changes.
type Applied struct {
	// ID undoes the group. It is empty if there was nothing to change; then
	// nothing was recorded either.
	ID string
	// Undoable is false if bytes were destroyed that are not kept, those of a deleted
	// file above 16 MiB.
	Undoable bool
	Files    []Changed
	Warnings []fault.Text
	Full     bool // of [Journal.Record]: the journal should be compacted
}

// Changed is one change as it was made. Directories made for it are not listed.
type Changed struct {
	Op            Op
	Path          string
	From          string // Move
	Before, After *State // at Path; nil means that nothing was there
	Whole         bool   // it was moved out or in with everything in it
}

// Apply makes all changes in order, or none of them, even if it fails halfway, the
// process is killed (the next Begin recovers) or the power fails. Begin must have
// locked every path. ctx can stop it before the first change, not after.
//
// Errors are those of the file system and stale, already_exists, not_found,
// is_directory, not_a_directory, not_a_file, too_large, overlap and locked.
func (t *Tx) Apply(ctx context.Context, tool, session string, changes ...Change) (Applied, error) {
	_, applied, err := t.apply(ctx, record{Tool: tool, Session: session}, wants(changes))
	return applied, err
}

// apply also returns the plan that was carried out.
func (t *Tx) apply(ctx context.Context, r record, all []want) (p *planner, applied Applied, err error) {
	if err := t.covers(all); err != nil {
		return nil, Applied{}, err
	}
	j := t.j
	// The sweep must not remove saved bytes before the intent names them.
	release, err := j.dir.ShareBlobs(ctx)
	if err != nil {
		return nil, Applied{}, err
	}
	p, err = j.plan(all)
	if err == nil {
		err = p.syncSnapshots()
	}
	if err != nil {
		return nil, Applied{}, errors.Join(err, release())
	}
	if len(p.actions) == 0 && len(r.Undoes) == 0 {
		return p, Applied{Undoable: true}, release()
	}
	r.V, r.State, r.ID, r.Time = 1, intent, state.NewID(j.opt.Now()), j.opt.Now().UTC()
	for _, a := range p.actions {
		r.Steps = append(r.Steps, a.step)
	}
	done, err := j.begin(ctx, r)
	if err != nil {
		p.discard()
		return nil, Applied{}, errors.Join(err, release())
	}
	// The claim says that this process is alive, so it is released last.
	defer func() {
		if letting := done(); letting != nil {
			applied.Warnings = append(applied.Warnings, fault.As(letting).Message)
		}
	}()
	if err := errors.Join(j.syncIntent(), release(), context.Cause(ctx)); err != nil {
		p.discard()
		return nil, Applied{}, errors.Join(err, j.end(r.ID, abort))
	}
	if n, err := p.execute(r.ID); err != nil {
		if undoing := j.revert(r.ID, r.Steps[:n]); undoing != nil {
			return nil, Applied{}, halfway(err, undoing)
		}
		for _, s := range r.Steps {
			j.abandon(s)
		}
		return nil, Applied{}, errors.Join(err, j.end(r.ID, abort))
	}
	applied = Applied{ID: r.ID, Undoable: undoable(r.Steps), Files: listed(r.Steps)}
	if err := j.end(r.ID, commit); err != nil {
		// The files are changed. Recovery will find that and close the entry.
		applied.Warnings = append(applied.Warnings, fault.T("the change was made, but the undo journal could not record its end: %v", fault.As(err).Message))
	}
	if !t.full {
		return p, applied, nil
	}
	t.full = false
	if err := j.compact(ctx); err != nil && !fault.Is(err, fault.Locked) { // a later call compacts a busy journal
		applied.Warnings = append(applied.Warnings, fault.T("the undo history could not be compacted: %v", fault.As(err).Message))
	}
	return p, applied, nil
}

// covers checks that the paths are locked.
func (t *Tx) covers(all []want) error {
	for _, w := range all {
		for _, p := range w.paths() {
			if _, ok := slices.BinarySearch(t.paths, p); !ok && !w.optional {
				return fault.New(fault.Internal, fault.T("%s was not locked before it was changed", p))
			}
		}
	}
	return nil
}

// begin claims an entry and appends its intent. The claim lasts until done is
// called. It shows other processes that this one is alive.
func (j *Journal) begin(ctx context.Context, r record) (done func() error, err error) {
	j.opt.Step("claim")
	done, ok, err := j.dir.Claim(claimKey + r.ID)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fault.New(fault.Internal, fault.T("the entry %s is not new", r.ID))
	}
	j.opt.Step("append intent")
	if err := j.append(ctx, r); err != nil {
		return nil, errors.Join(err, done())
	}
	return done, nil
}

func (j *Journal) syncIntent() error {
	j.opt.Step("sync intent")
	return j.sync()
}

// end records how an entry ended, even if the call's context is done.
func (j *Journal) end(id, how string) error {
	j.opt.Step("append " + how)
	if err := j.append(context.Background(), record{V: 1, State: how, ID: id, Time: j.opt.Now().UTC()}); err != nil {
		return err
	}
	j.opt.Step("sync " + how)
	return j.sync()
}

// execute carries out the steps and returns how many it did.
func (p *planner) execute(id string) (int, error) {
	touched := map[string]bool{}
	for i, a := range p.actions {
		for _, s := range a.before() {
			if !touched[s.path] && !a.Optional {
				if err := p.fresh(s.path); err != nil {
					return i, err
				}
			}
			touched[s.path] = true
		}
		if err := p.j.joined(a.step); err != nil {
			return i, err
		}
		p.j.opt.Step(fmt.Sprintf("step %d %s %s", i+1, a.Op, a.Path))
		if err := p.j.carryOut(a, temporary(id, i, string(a.Path))); err != nil {
			err = fault.System(err, string(a.Path))
			if a.InPlace {
				return i + 1, err // part of it may be written
			}
			return i, err
		}
	}
	return len(p.actions), p.syncMoves()
}

// fresh checks that a step is about to replace what was observed. Programs that
// do not take the locks change files too.
func (p *planner) fresh(path string) error {
	was := p.disk[path]
	if was == nil {
		return nil // earlier steps of the group made it
	}
	info, err := p.j.tree.Lstat(path)
	if err == nil && was.info != nil && unchanged(info, was.info) {
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) && was.info == nil {
		return nil
	}
	now, err := p.j.observe(path)
	if err != nil {
		return err
	}
	if !same(now.state, was.state) {
		return stale(path)
	}
	return nil
}

func unchanged(a, b fs.FileInfo) bool {
	return a.Mode() == b.Mode() && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
}

// temporary returns the path of a step's temporary file. It follows from the
// journal alone, so that recovery can remove the file.
func temporary(id string, step int, of string) string {
	return path.Join(path.Dir(of), fmt.Sprintf(".helve-%s-%d", id, step+1))
}

// carryOut makes one step.
func (j *Journal) carryOut(a action, temp string) error {
	path := string(a.Path)
	switch a.Op {
	case Create, Modify:
		if a.Post.Kind == Link {
			return j.inDir(path, func() error { return j.tree.Symlink(a.Post.Link, path) })
		}
		data := a.data
		if a.blob != "" {
			var err error
			if data, err = j.dir.Blob(a.blob); err != nil {
				return err
			}
		}
		mode := a.Post.Mode
		if a.Pre != nil && a.Pre.Mode == mode {
			mode = 0
		}
		return j.inDir(path, func() error { return j.tree.WriteFile(path, data, mode, temp) })
	case Delete:
		return j.tree.Remove(path)
	case Move:
		return j.inDir(path, func() error { return j.tree.Rename(string(a.From), path) })
	case MoveOut:
		return j.moveOut(path, a.Snapshot)
	case MoveIn:
		return j.moveIn(path, a.Snapshot)
	case Extend, Replace:
		return j.carryOutLarge(a.step)
	case Chmod:
		return j.tree.Chmod(path, a.Post.Mode)
	case Mkdir:
		return j.mkdir(path, a.Post.Mode)
	case Rmdir:
		err := j.tree.Rmdir(path)
		switch {
		case err == nil, a.Optional, errors.Is(err, fs.ErrNotExist):
			return nil // a directory that others use stays
		}
		switch fault.As(fault.System(err, path)).Code {
		case fault.AlreadyExists, fault.IsDirectory:
			return fault.New(fault.UndoConflict, fault.T("the directory %s is no longer empty", path)).
				WithDetails(Conflict{Path: path, Expected: digest(a.Pre), Found: digest(a.Pre)})
		}
		return err
	}
	return fmt.Errorf("no step: %q", a.Op)
}

// inDir calls do, which changes a path. If the directory of the path is missing,
// because an undo elsewhere removed it when it was empty, inDir makes it and calls
// do again.
func (j *Journal) inDir(p string, do func() error) error {
	err := do()
	if !errors.Is(err, fs.ErrNotExist) || path.Dir(p) == "." || j.isDir(path.Dir(p)) {
		return err
	}
	for i, c := range p {
		if c != '/' {
			continue
		}
		if err := j.mkdir(p[:i], 0); err != nil {
			return err
		}
	}
	return do()
}

// mkdir makes a directory unless it exists. Other processes may make it too.
func (j *Journal) mkdir(path string, mode fs.FileMode) error {
	exact := mode != 0
	if !exact {
		mode = 0o777
	}
	err := j.tree.Mkdir(path, mode)
	switch {
	case errors.Is(err, fs.ErrExist) && j.isDir(path):
		return nil
	case err != nil || !exact:
		return err
	}
	// The umask may have taken bits from it.
	info, err := j.tree.Lstat(path)
	if err == nil && !sameMode(info.Mode().Perm(), mode) {
		err = j.tree.Chmod(path, mode)
	}
	return err
}

func (j *Journal) isDir(path string) bool {
	info, err := j.tree.Lstat(path)
	return err == nil && info.IsDir()
}

// revert takes back steps that were carried out, the last one first.
func (j *Journal) revert(id string, steps []step) error {
	for i, s := range slices.Backward(steps) {
		j.opt.Step(fmt.Sprintf("revert %d %s %s", i+1, s.Op, s.Path))
		if err := j.takeBack(s, temporary(id, i, string(s.Path))); err != nil {
			return fault.System(err, string(s.Path))
		}
	}
	return nil
}

func (j *Journal) takeBack(s step, temp string) error {
	path := string(s.Path)
	switch s.Op {
	case Create:
		return j.tree.Remove(path)
	case Modify, Delete:
		return j.restore(path, s.Pre, temp)
	case MoveOut:
		return j.moveIn(path, s.Snapshot)
	case MoveIn:
		return j.moveOut(path, s.Snapshot)
	case Extend, Replace:
		return j.takeBackLarge(s)
	case Move:
		if err := j.tree.Rename(path, string(s.From)); err != nil {
			return err
		}
		if s.Over == nil {
			return nil
		}
		j.opt.Step("restore " + path)
		return j.restore(path, s.Over, temp)
	case Chmod:
		return j.tree.Chmod(path, s.Pre.Mode)
	case Mkdir:
		if err := j.tree.Rmdir(path); err != nil && !errors.Is(err, fs.ErrNotExist) && !j.isDir(path) {
			return err
		}
		return nil
	case Rmdir:
		return j.mkdir(path, s.Pre.Mode)
	}
	return fmt.Errorf("no step: %q", s.Op)
}

// restore writes a file or link back from what is kept.
func (j *Journal) restore(path string, st *State, temp string) error {
	if st.Kind == Link {
		return j.tree.Symlink(st.Link, path)
	}
	data, err := j.dir.Blob(st.SHA)
	if err != nil {
		return err
	}
	return j.tree.WriteFile(path, data, st.Mode, temp)
}

// listed returns the changes of steps as a caller sees them.
func listed(steps []step) []Changed {
	var all []Changed
	for _, s := range steps {
		if s.Optional {
			continue
		}
		c := Changed{Op: s.Op, Path: string(s.Path), From: string(s.From), Before: s.Pre, After: s.Post}
		switch s.Op {
		case Move:
			c.Before = s.Over
		case MoveOut:
			c.Op, c.Whole = Delete, true
		case MoveIn:
			c.Op, c.Whole = Create, true
		case Extend, Replace:
			c.Op = Modify
		}
		all = append(all, c)
		for _, name := range s.Names {
			c.Path = string(name)
			all = append(all, c)
		}
	}
	return all
}
