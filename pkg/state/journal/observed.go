package journal

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Difference is a change at a path by a program that does not use the journal, such as a
// command.
type Difference struct {
	Path string
	// From is the earlier path of the entry at Path, if it was moved. The entry has kept
	// its content; its mode is in Before and After.
	From          string
	Before, After *State // nil: nothing
	// Loose is set if a directory has content that the differences do not list.
	Loose bool
	// Whole is set for a new entry that undo moves out of the workspace: a file with more
	// bytes than a blob, or a directory whose content the differences do not list.
	Whole bool
	// Apart is set if the path holds another file than before, with more names: their
	// bytes must not change with it.
	Apart bool
	// Others counts the further names of a file, before and after, that no difference
	// lists. They changed with it, so undo changes them with it.
	Others int
}

// Author is the cause of recorded changes.
type Author struct {
	Tool, Session string
	Command       string // the command line, if there is one
	Run           string // names the time in which it ran, "" if nothing asks for it
	Stopped       bool   // helve was stopped while it ran, so that others could change files too
}

// Record makes an entry of changes that were made already. The saved bytes of the
// states before are blobs, and the caller holds ShareBlobs since it has put them.
//
// A directory whose mode keeps its owner from changing what is in it must be among
// the differences if something in it is, even if it is the same before and after.
// A directory that was moved is one difference; another in it is an error.
func (j *Journal) Record(ctx context.Context, by Author, all []Difference) (Applied, error) {
	steps, err := observedSteps(all)
	if err != nil {
		return Applied{}, err
	}
	if len(steps) == 0 {
		return Applied{Undoable: true}, nil
	}
	r := record{
		V: 1, State: done, ID: state.NewID(j.opt.Now()), Time: j.opt.Now().UTC(), Tool: by.Tool, Session: by.Session, Steps: steps,
		Observed: true, Run: by.Run, Command: lossless(by.Command), Stopped: by.Stopped,
	}
	if err := r.check(); err != nil {
		return Applied{}, fault.New(fault.Internal, fault.T("the changes cannot be recorded: %v", err))
	}
	warnings, full, err := j.recover(ctx)
	if err != nil {
		return Applied{}, err
	}
	j.opt.Step("append " + done)
	if err := j.append(ctx, r); err != nil {
		return Applied{}, err
	}
	applied := Applied{ID: r.ID, Undoable: undoable(steps), Files: listed(steps), Warnings: warnings}
	j.opt.Step("sync " + done)
	if err := j.sync(); err != nil {
		return applied, err
	}
	if full {
		// The blobs of this entry are named now, but the caller still holds ShareBlobs.
		applied.Full = true
	}
	return applied, nil
}

// TakeBack takes back differences, as the undo of an entry of them would. The caller holds
// ShareBlobs as for Record. That is an entry, and can be undone.
func (j *Journal) TakeBack(ctx context.Context, tool, session string, all []Difference) (_ Applied, err error) {
	steps, err := observedSteps(all)
	if err != nil {
		return Applied{}, err
	}
	e := &entry{record: record{Steps: steps, Observed: true}}
	back, err := e.inverse(false)
	if err != nil {
		return Applied{}, err
	}
	tx, err := j.lock(ctx, []*entry{e})
	if err != nil {
		return Applied{}, err
	}
	defer func() { err = errors.Join(err, tx.Close()) }()
	tx.full = false // compacting waits for those who hold ShareBlobs
	_, applied, err := tx.apply(ctx, record{Tool: tool, Session: session, Observed: true}, back)
	applied.Warnings = append(tx.Warnings(), applied.Warnings...)
	return applied, err
}

// Compact shortens the journal if it has grown enough. Record leaves that to its
// caller, who first has to release ShareBlobs.
func (j *Journal) Compact(ctx context.Context) error {
	if err := j.compact(ctx); err != nil && !fault.Is(err, fault.Locked) {
		return err
	}
	return nil
}

// Modes that the owner of an entry needs: of a directory to change what is in it, of a
// file to read it.
const (
	openDir  = 0o700
	openFile = 0o600
)

// observedSteps returns steps that lead from the state before to the present state. They
// are never carried out in this form: each must be undoable, the last one first. So a
// directory that could not be written to is opened first and closed last.
//
// The order is: open directories and files; remove files; make directories; move;
// remove directories; change files; set modes of files; make files; set other modes. So
// undo removes the new names of a file before it changes those that the file had.
func observedSteps(all []Difference) ([]step, error) {
	o := observer{dirs: map[string]*Difference{}, busy: map[string]bool{}}
	for i := range all {
		d := &all[i]
		for _, p := range d.paths() {
			if err := checkPath(p); err != nil {
				return nil, err
			}
			if d.Before == nil || d.After == nil || d.From != "" || d.Before.Kind != d.After.Kind || d.Apart {
				o.busy[path.Dir(p)] = true
			}
		}
		if d.From == "" && (isKind(d.Before, Dir) || isKind(d.After, Dir)) {
			o.dirs[d.Path] = d
		}
	}
	sorted := slices.SortedFunc(slices.Values(all), func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	for _, d := range sorted {
		o.open(d)
	}
	for _, d := range sorted {
		o.change(d)
	}
	slices.Reverse(o.rmdir) // what is deeper goes first
	slices.SortStableFunc(o.modes, func(a, b step) int { return cmp.Compare(depth(b), depth(a)) })
	steps := slices.Concat(o.opens, o.removes, o.mkdir, o.moves, o.rmdir, o.changes, o.fileModes, o.writes, o.modes)
	return steps, o.nested(all)
}

func depth(s step) int { return strings.Count(string(s.Path), "/") }

func isKind(st *State, k Kind) bool { return st != nil && st.Kind == k }

func (d *Difference) paths() []string {
	if d.From != "" {
		return []string{d.Path, d.From}
	}
	return []string{d.Path}
}

// observer gathers the steps of each phase.
type observer struct {
	dirs map[string]*Difference
	busy map[string]bool // directories in which names come or go

	opens, removes, mkdir, moves, rmdir []step
	changes, fileModes                  []step // of files that were there
	writes, modes                       []step // of new files, and of directories
}

// opened returns the mode of an entry while the steps are taken.
func (o *observer) opened(path string, st *State) fs.FileMode {
	switch {
	case runtime.GOOS == "windows":
	case st.Kind == Dir && o.busy[path] && st.Mode&0o300 != 0o300:
		return st.Mode | openDir
	case st.Kind == File && st.Mode&0o400 == 0:
		return st.Mode | openFile
	}
	return st.Mode
}

// open plans to open what was there, if it is needed.
func (o *observer) open(d Difference) {
	if d.Before == nil || d.Before.Kind == Link {
		return
	}
	at := cmp.Or(d.From, d.Path)
	if mode := o.opened(at, d.Before); mode != d.Before.Mode {
		o.opens = append(o.opens, chmod(at, d.Before, d.Before.Mode, mode))
	}
}

func chmod(path string, st *State, from, to fs.FileMode) step {
	pre, post := *st, *st
	pre.Mode, post.Mode = from, to
	return step{Op: Chmod, Path: lossless(path), Pre: &pre, Post: &post}
}

// close plans the mode that an entry has in the end.
func (o *observer) close(modes *[]step, path string, st *State, now fs.FileMode) {
	if st.Kind != Link && !sameMode(now, st.Mode) {
		*modes = append(*modes, chmod(path, st, now, st.Mode))
	}
}

func (o *observer) change(d Difference) {
	p, b, a := lossless(d.Path), d.Before, d.After
	switch {
	case d.From != "":
		kept := *b
		kept.Mode = o.opened(d.From, b)
		o.moves = append(o.moves, step{Op: Move, From: lossless(d.From), Path: p, Pre: &kept, Post: &kept})
		modes := &o.fileModes
		if a.Kind == Dir {
			modes = &o.modes
		}
		o.close(modes, d.Path, a, kept.Mode)
		return
	case isKind(b, Dir) && isKind(a, Dir):
		o.close(&o.modes, d.Path, a, o.opened(d.Path, b))
		return
	case isKind(b, File) && isKind(a, File) && !d.Whole && !d.Apart:
		now := o.opened(d.Path, b)
		if !same(b, a) {
			pre, post := *b, *a
			pre.Mode, post.Mode = now, now
			o.changes = append(o.changes, step{Op: Modify, Path: p, Pre: &pre, Post: &post, Others: d.Others})
		}
		o.close(&o.fileModes, d.Path, a, now)
		return
	case isKind(b, Link) && same(b, a):
		return
	}
	if b != nil {
		pre := *b
		pre.Mode = o.opened(d.Path, b)
		if b.Kind == Dir {
			o.rmdir = append(o.rmdir, step{Op: Rmdir, Path: p, Pre: &pre, Optional: d.Loose})
		} else {
			o.removes = append(o.removes, step{Op: Delete, Path: p, Pre: &pre})
		}
	}
	if a == nil {
		return
	}
	post := *a
	post.Mode = o.opened(d.Path, a)
	switch {
	case d.Whole:
		o.writes = append(o.writes, step{Op: MoveIn, Path: p, Post: &post, Snapshot: newSnapshotGroup() + "/1"})
	case a.Kind == Dir:
		o.mkdir = append(o.mkdir, step{Op: Mkdir, Path: p, Post: &post, Optional: d.Loose})
	default:
		o.writes = append(o.writes, step{Op: Create, Path: p, Post: &post})
	}
	o.close(&o.modes, d.Path, a, post.Mode)
}

// nested refuses a difference in a directory that was moved as a whole.
func (o *observer) nested(all []Difference) error {
	for _, m := range all {
		if m.From == "" || m.Before.Kind != Dir {
			continue
		}
		for _, d := range all {
			for _, p := range d.paths() {
				if strings.HasPrefix(p, m.Path+"/") || strings.HasPrefix(p, m.From+"/") {
					return fault.New(fault.Internal, fault.T("%s was moved as a whole, and %s in it changed", m.From, p))
				}
			}
		}
	}
	return nil
}

// many limits the paths that an undo locks one by one.
const many = 256

// lock begins the undo of entries. Of very many paths none is locked, as each takes a
// file: their changes were none of the journal's, and each step checks its path.
func (j *Journal) lock(ctx context.Context, chosen []*entry) (*Tx, error) {
	paths := touched(chosen)
	on := j
	if slices.ContainsFunc(chosen, func(e *entry) bool { return e.Observed }) {
		on = j.restoring()
	}
	if len(paths) <= many {
		return on.Begin(ctx, paths...)
	}
	tx, err := on.Begin(ctx)
	if err != nil {
		return nil, err
	}
	unlock, err := j.dir.Lock(ctx, manyKey)
	if err != nil {
		return nil, errors.Join(err, tx.Close())
	}
	free := tx.unlock
	tx.paths, tx.unlock = paths, func() error { return errors.Join(unlock(), free()) }
	return tx, nil
}

const manyKey = "\x00many paths"

// restoring returns the journal on the tree that may restore what tools must not
// change.
func (j *Journal) restoring() *Journal {
	if j.opt.Restoring == nil {
		return j
	}
	other := *j
	other.tree = j.opt.Restoring
	return &other
}

// onTreeOf returns the journal on the tree that a record's changes are made in.
func (j *Journal) onTreeOf(r record) *Journal {
	if r.Observed {
		return j.restoring()
	}
	return j
}
