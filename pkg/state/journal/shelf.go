package journal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// shelf is where what is moved as a whole is kept: each thing under the name
// item in a directory of its own, whose name the journal holds.
type shelf struct {
	dir  string // absolute
	tree Tree
}

const item = "item"

func openShelf(dir *state.Dir, opt Options) (shelf, error) {
	if opt.Shelf == nil {
		return shelf{}, fault.New(fault.Unsupported, fault.T("whole directories cannot be moved here", "此处无法整体移动目录"))
	}
	path, err := dir.Shelf()
	if err != nil {
		return shelf{}, err
	}
	tree, err := opt.Shelf(path)
	return shelf{path, tree}, err
}

// shelfMark begins what stands for a path on the shelf among the paths of the
// workspace, none of which holds a NUL.
const shelfMark = "\x00shelf/"

func onShelf(name string) string { return shelfMark + name }

// newShelfName is a name that nothing on the shelf has.
func newShelfName() string {
	var b [32]byte
	rand.Read(b[:]) // which never fails
	return hex.EncodeToString(b[:])
}

// lookAt describes what stands at a path of the workspace or on the shelf.
func (j *Journal) lookAt(path string) (*look, error) {
	name, shelved := strings.CutPrefix(path, shelfMark)
	if !shelved {
		return j.look(path)
	}
	s, err := j.shelf()
	if err != nil {
		return nil, err
	}
	return lookIn(s.tree, name+"/"+item)
}

// stow moves what stands at a path onto the shelf.
func (j *Journal) stow(path, name string) error {
	s, err := j.shelf()
	if err != nil {
		return err
	}
	if err := s.tree.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return j.tree.Stow(path, s.dir, name+"/"+item)
}

// place moves what is on the shelf to a path.
func (j *Journal) place(path, name string) error {
	s, err := j.shelf()
	if err != nil {
		return err
	}
	return j.inDir(path, func() error { return j.tree.Place(s.dir, name+"/"+item, path) })
}

// shelve brings what stands at an absolute path onto the shelf, and describes it.
func (p *planner) shelve(source string) (name string, st *State, err error) {
	s, err := p.j.shelf()
	if err != nil {
		return "", nil, err
	}
	name = newShelfName()
	p.j.opt.Step("shelve " + source)
	if err := s.tree.Mkdir(name, 0o700); err != nil {
		return "", nil, err
	}
	if err := os.Rename(source, filepath.Join(s.dir, name, item)); err != nil {
		return "", nil, fault.System(err, source)
	}
	if st, err = p.shelved(name); err == nil {
		err = s.tree.Sync() // its bytes, too, must last
	}
	return name, st, err
}

// shelved describes what is on the shelf; nil is nothing.
func (p *planner) shelved(name string) (*State, error) {
	s, err := p.j.shelf()
	if err != nil {
		return nil, err
	}
	l, err := lookIn(s.tree, name+"/"+item)
	if err != nil || l.state == nil || l.state.Kind != Dir {
		return l.state, err
	}
	st := *l.state
	st.Tree, st.Size, err = s.tree.Digest(name + "/" + item)
	return &st, err
}

// stow plans to take something out of the workspace as it is.
func (p *planner) stow(w want) error {
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
	p.do(action{step: step{Op: Stow, Path: lossless(w.Path), Pre: &pre, Shelf: newShelfName()}})
	return nil
}

// place plans to bring something in.
func (p *planner) place(w want) error {
	cur, err := p.find(w)
	if err != nil {
		return err
	}
	if cur != nil {
		if !w.force {
			return w.taken(cur)
		}
		if err := p.stow(want{Change: Change{Op: Stow, Path: w.Path}, entry: w.entry}); err != nil {
			return err
		}
	}
	if err := p.parents(w.Path); err != nil {
		return err
	}
	var st *State
	name := w.shelf
	if name == "" {
		name, st, err = p.shelve(w.Source)
	} else if st, err = p.shelved(name); err == nil && (st == nil || !same(st, w.held)) {
		err = lostBytes(w.Path, fault.New(fault.NotFound, fault.T("nothing is kept of %s", "未保留 %s 的内容", w.Path)))
	}
	if err != nil {
		return err
	}
	if st == nil {
		return fault.New(fault.NotFound, fault.T("nothing is at %s", "%s 处没有内容", w.Source))
	}
	p.do(action{step: step{Op: Place, Path: lossless(w.Path), Post: st, Shelf: name}})
	return nil
}

// moves reports whether any step needs Sync.
func moves(steps []action) bool {
	for _, a := range steps {
		if a.Op == Stow || a.Op == Place {
			return true
		}
	}
	return false
}
