package journal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// snapshots is the directory for entries that are moved out of the workspace. The
// snapshots of one group have numbers in a directory of their own, whose name is
// in the journal.
type snapshots struct {
	dir  string // absolute
	tree Tree
}

func openSnapshots(dir *state.Dir, opt Options) (snapshots, error) {
	if opt.Snapshots == nil {
		return snapshots{}, fault.New(fault.Unsupported, fault.T("directories cannot be moved out of this workspace"))
	}
	path, err := dir.Snapshots()
	if err != nil {
		return snapshots{}, err
	}
	tree, err := opt.Snapshots(path)
	return snapshots{path, tree}, err
}

// isSnapshot reports whether newSnapshot can have returned s.
func isSnapshot(s string) bool {
	name, number, ok := strings.Cut(s, "/")
	n, err := strconv.Atoi(number)
	return ok && err == nil && n > 0 && number == strconv.Itoa(n) && isHash(name)
}

// snapshotMark begins the path of a snapshot among the paths of the workspace,
// which have no NUL. It is not on disk.
const snapshotMark = "\x00shelf/"

func inSnapshots(name string) string { return snapshotMark + name }

// newSnapshotGroup returns a name that is free in the directory of snapshots.
func newSnapshotGroup() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// newSnapshot returns a free path in the directory of snapshots.
func (p *planner) newSnapshot() (string, error) {
	if p.group == "" {
		s, err := p.j.snapshots()
		if err != nil {
			return "", err
		}
		name := newSnapshotGroup()
		p.j.opt.Step("make snapshot directory")
		if err := s.tree.Mkdir(name, 0o700); err != nil {
			return "", err
		}
		p.group = name
	}
	p.taken++
	return p.group + "/" + strconv.Itoa(p.taken), nil
}

// observeAny describes what is at a path of the workspace or of a snapshot.
func (j *Journal) observeAny(path string) (*observed, error) {
	name, ok := strings.CutPrefix(path, snapshotMark)
	if !ok {
		return j.observe(path)
	}
	s, err := j.snapshots()
	if err != nil {
		return nil, err
	}
	return observeIn(s.tree, name)
}

// moveOut moves the entry at a path to a snapshot.
func (j *Journal) moveOut(path, item string) error {
	s, err := j.snapshots()
	if err != nil {
		return err
	}
	return j.tree.MoveOut(path, s.dir, item)
}

// moveIn moves a snapshot to a path.
func (j *Journal) moveIn(path, item string) error {
	s, err := j.snapshots()
	if err != nil {
		return err
	}
	return j.inDir(path, func() error { return j.tree.MoveIn(s.dir, item, path) })
}

// takeIn moves the entry at an absolute path to a new snapshot, and describes it.
func (p *planner) takeIn(source string) (item string, st *State, err error) {
	s, err := p.j.snapshots()
	if err != nil {
		return "", nil, err
	}
	if item, err = p.newSnapshot(); err != nil {
		return "", nil, err
	}
	p.j.opt.Step("take in " + source)
	if err := state.Move(source, filepath.Join(s.dir, filepath.FromSlash(item))); err != nil {
		return "", nil, err
	}
	st, err = p.describe(item)
	return item, st, err
}

// syncSnapshots makes durable what takeIn moved, with its bytes.
func (p *planner) syncSnapshots() error {
	var items []string
	for _, a := range p.actions {
		if a.Op == MoveIn && strings.HasPrefix(a.Snapshot, p.group) && p.group != "" {
			items = append(items, a.Snapshot)
		}
	}
	if len(items) == 0 {
		return nil
	}
	s, err := p.j.snapshots()
	if err != nil {
		return err
	}
	p.j.opt.Step("sync snapshots")
	return errors.Join(s.tree.SyncTree(items), s.tree.Sync(items))
}

// describe returns the state of a snapshot; nil means that it does not exist.
func (p *planner) describe(item string) (*State, error) {
	s, err := p.j.snapshots()
	if err != nil {
		return nil, err
	}
	l, err := observeIn(s.tree, item)
	if err != nil || l.state == nil || l.state.Kind != Dir {
		return l.state, err
	}
	st := *l.state
	st.Tree, st.Size, err = s.tree.Digest(item)
	return &st, err
}

// moveOut plans to move an entry out of the workspace.
func (p *planner) moveOut(w want) error {
	expect := w.Expect
	if w.Expect != Absent {
		w.Expect = "" // a directory has no SHA
	}
	cur, err := p.find(w)
	switch {
	case err != nil:
		return err
	case cur == nil && w.force:
		return nil
	case cur == nil:
		return w.missing(w.Path)
	}
	pre := *cur
	found := pre.SHA
	if pre.Kind == Dir {
		if pre.Tree, pre.Size, err = p.j.tree.Digest(w.Path); err != nil {
			return err
		}
		found = pre.Tree
	}
	switch {
	case w.exact && !w.force && !same(&pre, w.state):
		return changed(w.Path, w.state, &pre)
	case expect != "" && (found == "" || !strings.HasPrefix(found, expect)):
		return stale(w.Path)
	}
	item, err := p.newSnapshot()
	if err == nil {
		p.do(action{step: step{Op: MoveOut, Path: lossless(w.Path), Pre: &pre, Snapshot: item}})
	}
	return err
}

// moveIn plans to move an entry in.
func (p *planner) moveIn(w want) error {
	cur, err := p.find(w)
	if err != nil {
		return err
	}
	if cur != nil {
		if !w.force {
			return w.taken(cur)
		}
		if err := p.moveOut(want{Change: Change{Op: MoveOut, Path: w.Path}, entry: w.entry}); err != nil {
			return err
		}
	}
	if err := p.parents(w.Path); err != nil {
		return err
	}
	var st *State
	item := w.snapshot
	if item == "" {
		item, st, err = p.takeIn(w.Source)
	} else if st, err = p.describe(item); err == nil && (st == nil || !same(st, w.held)) {
		err = lostBytes(w.Path, fault.New(fault.NotFound, fault.T("nothing is kept of %s", w.Path)))
	}
	if err != nil {
		return err
	}
	if st == nil {
		return fault.New(fault.NotFound, fault.T("there is nothing at %s", w.Source))
	}
	p.do(action{step: step{Op: MoveIn, Path: lossless(w.Path), Post: st, Snapshot: item}})
	return nil
}

// syncMoves makes durable what steps moved to and from snapshots.
func (p *planner) syncMoves() error {
	var paths, items []string
	for _, a := range p.actions {
		if a.Op == MoveOut || a.Op == MoveIn {
			paths, items = append(paths, string(a.Path)), append(items, a.Snapshot)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	s, err := p.j.snapshots()
	if err != nil {
		return err
	}
	p.j.opt.Step("sync moves")
	// The target directories first: an entry in neither directory would be lost.
	return errors.Join(s.tree.Sync(items), p.j.tree.Sync(paths))
}
