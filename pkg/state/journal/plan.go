package journal

import (
	"io/fs"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
)

// planner turns changes into steps. It observes each path once and remembers what
// the steps so far will make of it, so a group may change one path several times.
// It changes nothing in the workspace.
type planner struct {
	j       *Journal
	alone   bool                 // there is one change only
	disk    map[string]*observed // what was there at first
	now     map[string]*State    // what will be there after the steps so far
	actions []action
	entry   int      // of the want being planned
	group   string   // directory of this group's snapshots; "" before the first
	taken   int      // number of snapshots in it
	staged  []string // snapshots that were composed

	// Of an undo; see linked.
	file    map[string]*linked
	asked   map[string]string // what is to be done to a path
	through map[string]*State // what was at a path before a step changed it by another name
}

// action is a step with what is not recorded.
type action struct {
	step
	data  []byte // the new bytes, unless blob is set
	blob  string // SHA-256 of the new bytes, if they are saved already
	entry int    // of the want it came from
}

func (j *Journal) plan(all []want) (*planner, error) {
	p := &planner{
		j: j, alone: len(all) == 1, disk: map[string]*observed{}, now: map[string]*State{},
		file: map[string]*linked{}, asked: map[string]string{}, through: map[string]*State{},
	}
	if err := p.identify(all); err != nil {
		return nil, err
	}
	for _, w := range all {
		if err := w.check(); err != nil {
			return nil, err
		}
		p.entry = w.entry
		if err := p.add(w); err != nil {
			p.discard()
			return nil, err
		}
		for _, touched := range w.paths() {
			if l := p.disk[touched]; l != nil {
				l.data = nil
			}
		}
	}
	return p, p.nested()
}

func (p *planner) add(w want) error {
	switch w.Op {
	case Write:
		return p.write(w)
	case Symlink:
		return p.symlink(w)
	case Delete:
		return p.delete(w)
	case Move:
		return p.move(w)
	case Chmod:
		return p.chmod(w)
	case Mkdir:
		return p.mkdir(w)
	case MoveOut:
		return p.moveOut(w)
	case MoveIn:
		return p.moveIn(w)
	case Extend:
		return p.extend(w)
	case Replace:
		return p.replace(w)
	}
	return p.rmdir(w)
}

// do adds a step to the plan.
func (p *planner) do(a action) {
	for _, s := range a.after() {
		p.now[s.path] = s.state
	}
	p.rename(a.step)
	a.entry = p.entry
	p.actions = append(p.actions, a)
}

func (p *planner) write(w want) error {
	cur, err := p.find(w)
	if err != nil {
		return err
	}
	post := &State{Kind: File, SHA: w.blob, Mode: w.Mode, Saved: w.blob != ""}
	if w.blob == "" {
		post.SHA, post.Size, post.Meaning = hash(w.Content), int64(len(w.Content)), p.j.meaning(w.Path, w.Content)
	} else {
		data, err := p.j.dir.Blob(w.blob) // read now, so that damage is found before anything changes
		if err != nil {
			return lostBytes(w.Path, err)
		}
		post.Size, post.Meaning = int64(len(data)), p.j.meaning(w.Path, data)
	}
	switch {
	case cur == nil:
		if err := p.parents(w.Path); err != nil {
			return err
		}
		p.do(action{step: step{Op: Create, Path: lossless(w.Path), Post: post}, data: w.Content, blob: w.blob})
		return nil
	case cur.Kind == Dir:
		return isDirectory(w.Path)
	case cur.Kind == Link && !w.force:
		return isLink(w.Path).WithHint(fault.T("write to the file it points to"))
	case cur.Kind == Link:
		p.do(action{step: step{Op: Delete, Path: lossless(w.Path), Pre: cur}})
		p.do(action{step: step{Op: Create, Path: lossless(w.Path), Post: post}, data: w.Content, blob: w.blob})
		return nil
	}
	if post.Mode == 0 {
		post.Mode = cur.Mode
	}
	if same(cur, post) {
		return p.setMode(w, cur, post.Mode)
	}
	if cur.Size > keptFile && p.alone && w.blob == "" && w.Mode == 0 && p.j.opt.Snapshots != nil {
		return p.replace(w)
	}
	names, others, own := p.together(w)
	if own {
		return p.apart(w, cur, post)
	}
	s := step{Op: Modify, Path: lossless(w.Path), Post: post, Others: others}
	if s.Names, err = p.join(w.Path, cur, names); err != nil {
		return err
	}
	if s.InPlace = p.j.tree.InPlace(w.Path); s.InPlace && w.blob == "" {
		// Recovery needs both versions to know a half-written file from one that
		// somebody else changed.
		p.j.opt.Step("save new " + w.Path)
		if _, err := p.j.dir.PutBlob(w.Content, true); err != nil {
			return err
		}
	}
	if s.InPlace && !w.exact {
		s.Others = max(0, p.j.tree.Links(w.Path)-1)
	}
	if s.Pre, err = p.save(w.Path, cur, s.InPlace); err != nil {
		return err
	}
	p.do(action{step: s, data: w.Content, blob: w.blob})
	return nil
}

func (p *planner) symlink(w want) error {
	cur, err := p.find(w)
	if err != nil {
		return err
	}
	post := &State{Kind: Link, Link: w.Target}
	if same(cur, post) {
		return nil
	}
	if cur != nil {
		if !w.force || cur.Kind == Dir {
			return w.taken(cur)
		}
		if err := p.deletion(w.Path, cur, false); err != nil {
			return err
		}
	} else if err := p.parents(w.Path); err != nil {
		return err
	}
	p.do(action{step: step{Op: Create, Path: lossless(w.Path), Post: post}})
	return nil
}

func (p *planner) delete(w want) error {
	cur, err := p.find(w)
	switch {
	case err != nil:
		return err
	case cur == nil && w.force:
		return nil
	case cur == nil:
		return w.missing(w.Path)
	case cur.Kind == Dir:
		return isDirectory(w.Path).WithHint(fault.T("name the files to delete"))
	}
	return p.deletion(w.Path, cur, false)
}

func (p *planner) deletion(path string, cur *State, must bool) error {
	saved, err := p.save(path, cur, must)
	if err == nil {
		p.do(action{step: step{Op: Delete, Path: lossless(path), Pre: saved}})
	}
	return err
}

func (p *planner) move(w want) error {
	source := w
	source.Path = w.From
	cur, err := p.find(source)
	if err != nil {
		return err
	}
	over, err := p.get(w.Path)
	if err != nil {
		return err
	}
	switch {
	case w.From == w.Path:
		return fault.New(fault.InvalidArguments, fault.T("%s cannot be moved onto itself", w.From))
	case cur == nil && w.force && same(over, w.state):
		return nil
	case cur == nil:
		return w.missing(w.From)
	case cur.Kind == Dir && workspace.Within(w.Path, w.From):
		return fault.New(fault.InvalidArguments, fault.T("%s cannot be moved into itself", w.From))
	}
	if over != nil {
		switch spelling, twin := p.twin(w.From, w.Path); {
		case spelling:
			over = nil // one file under two spellings: the rename changes the name
		case over.Kind == Dir, cur.Kind == Dir, !w.Overwrite && !w.force:
			return w.taken(over)
		case twin:
			// Renaming one hard link of a file onto another does nothing at all.
			if err := p.deletion(w.Path, over, true); err != nil {
				return err
			}
			over = nil
		default:
			if over, err = p.save(w.Path, over, false); err != nil {
				return err
			}
		}
	} else if err := p.parents(w.Path); err != nil {
		return err
	}
	p.do(action{step: step{Op: Move, From: lossless(w.From), Path: lossless(w.Path), Pre: cur, Post: cur, Over: over}})
	return nil
}

// twin reports whether two paths lead to one file, and whether they differ in
// letter case only.
func (p *planner) twin(a, b string) (spelling, twin bool) {
	first, second := p.disk[a], p.disk[b]
	if first == nil || second == nil || first.info == nil || second.info == nil || !workspace.SameFile(first.info, second.info) {
		return false, false
	}
	return strings.EqualFold(a, b), true
}

func (p *planner) chmod(w want) error {
	cur, err := p.find(w)
	switch {
	case err != nil:
		return err
	case cur == nil:
		return w.missing(w.Path)
	case cur.Kind == Link:
		return isLink(w.Path)
	}
	return p.setMode(w, cur, w.Mode)
}

// setMode plans the mode of a file or directory that is there.
func (p *planner) setMode(w want, cur *State, mode fs.FileMode) error {
	if sameMode(cur.Mode, mode) {
		return nil
	}
	post := *cur
	post.Mode = mode
	w.Op = Chmod
	names, _, own := p.together(w)
	if own {
		w.blob = cur.SHA
		return p.apart(w, cur, &post)
	}
	s := step{Op: Chmod, Path: lossless(w.Path), Pre: cur, Post: &post}
	var err error
	if s.Names, err = p.join(w.Path, cur, names); err != nil {
		return err
	}
	p.do(action{step: s})
	return nil
}

func (p *planner) mkdir(w want) error {
	cur, err := p.find(w)
	switch {
	case err != nil:
		return err
	case cur != nil && cur.Kind == Dir:
		return nil
	case cur != nil:
		return w.taken(cur)
	}
	if err := p.parents(w.Path); err != nil {
		return err
	}
	p.directory(w.Path, w.Mode, w.optional)
	return nil
}

func (p *planner) directory(path string, mode fs.FileMode, optional bool) {
	p.do(action{step: step{Op: Mkdir, Path: lossless(path), Post: &State{Kind: Dir, Mode: mode}, Optional: optional}})
}

// rmdir plans the undoing of a mkdir.
func (p *planner) rmdir(w want) error {
	cur, err := p.find(w)
	if err != nil || cur == nil || cur.Kind != Dir {
		return err
	}
	p.do(action{step: step{Op: Rmdir, Path: lossless(w.Path), Pre: cur, Optional: w.optional}})
	return nil
}

// nested refuses a group that moves a directory and changes something in it.
// After a crash, the states of its paths would depend on each other.
func (p *planner) nested() error {
	// Few move directories, and few groups are large.
	for i, a := range p.actions {
		inside := func(path string) bool {
			return workspace.Within(path, string(a.From)) || workspace.Within(path, string(a.Path))
		}
		switch {
		case a.Op == Move && a.Pre.Kind == Dir:
		case a.Op == MoveOut && a.Pre.Kind == Dir, a.Op == MoveIn && a.Post.Kind == Dir:
			// Its own path may change again.
			inside = func(path string) bool { return workspace.Within(path, string(a.Path)) && path != string(a.Path) }
		default:
			continue
		}
		for k, b := range p.actions {
			for _, s := range b.after() {
				if i != k && inside(s.path) {
					return overlap(a.step, s.path)
				}
			}
		}
	}
	return nil
}
