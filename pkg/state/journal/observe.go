package journal

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// keptFile is the largest file, in bytes, whose earlier bytes are copied when a single
// change replaces or deletes it. A larger one that is replaced is kept as it is, under
// another name.
const keptFile = 16 << 20

// Keeps reports whether a change that deletes an entry by itself can be undone. What has a
// directory in it cannot be deleted by such a change.
func Keeps(entry fs.FileInfo) bool {
	return entry.Mode()&fs.ModeSymlink != 0 || entry.Mode().IsRegular() && entry.Size() <= keptFile
}

// observed is the state found at a path.
type observed struct {
	state *State
	info  fs.FileInfo // nil: nothing is there
	data  []byte      // of a regular file, until its change is planned
}

// parents plans the missing directories above a path.
func (p *planner) parents(of string) error {
	var missing []string
	for dir := path.Dir(of); dir != "."; dir = path.Dir(dir) {
		st, known := p.now[dir]
		if !known {
			info, err := p.j.tree.Lstat(dir)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				return fault.System(err, dir)
			case info.IsDir(), info.Mode()&fs.ModeSymlink != 0:
				st = &State{Kind: Dir}
			default:
				st = &State{Kind: File}
			}
		}
		if st != nil {
			if st.Kind == File {
				return fault.New(fault.NotADirectory, fault.T("%s is not a directory", dir))
			}
			break
		}
		missing = append(missing, dir)
	}
	for _, dir := range slices.Backward(missing) {
		p.directory(dir, 0, true)
	}
	return nil
}

// find returns what is at the path of a change. It is an error if that is not
// what the change was made for.
func (p *planner) find(w want) (*State, error) {
	cur, err := p.get(w.Path)
	if err != nil {
		return nil, err
	}
	if w.exact && !w.force {
		was := cur
		if earlier := p.through[w.Path]; earlier != nil {
			was = earlier
		}
		delete(p.through, w.Path)
		if w.lasting {
			if was == nil || was.Kind != w.state.Kind || !sameMode(was.Mode, w.state.Mode) {
				return nil, changed(w.Path, w.state, was)
			}
		} else if !alike(was, w.state) && !(w.Op == Mkdir && isKind(was, Dir)) { // others may have made the directory too
			return nil, changed(w.Path, w.state, was)
		}
	}
	switch w.Expect {
	case "":
	case Absent:
		if cur != nil {
			return nil, w.taken(cur)
		}
	default:
		if cur == nil || cur.SHA == "" || !strings.HasPrefix(cur.SHA, w.Expect) {
			return nil, stale(w.Path)
		}
	}
	return cur, nil
}

// get returns what will be at a path after the steps so far.
func (p *planner) get(path string) (*State, error) {
	if st, ok := p.now[path]; ok {
		return st, nil
	}
	l, err := p.j.observe(path)
	if err != nil {
		return nil, err
	}
	p.disk[path], p.now[path] = l, l.state
	return l.state, nil
}

// observe describes what is at a path. Anything but a file, link or directory is
// an error.
func (j *Journal) observe(path string) (*observed, error) {
	l, err := observeIn(j.tree, path)
	if err == nil && l.data != nil {
		l.state.Meaning = j.meaning(path, l.data)
	}
	return l, err
}

func (j *Journal) meaning(path string, data []byte) string {
	if j.opt.Meaning == nil {
		return ""
	}
	return j.opt.Meaning(path, data)
}

func observeIn(tree Tree, path string) (*observed, error) {
	info, err := tree.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &observed{}, nil
	}
	if err != nil {
		// Below a file there is nothing.
		if err = fault.System(err, path); fault.Is(err, fault.NotADirectory) {
			return &observed{}, nil
		}
		return nil, err
	}
	l := &observed{info: info, state: &State{Mode: info.Mode().Perm()}}
	switch info.Mode().Type() {
	case fs.ModeDir:
		l.state.Kind = Dir
	case fs.ModeSymlink:
		l.state.Kind, l.state.Mode = Link, 0
		if l.state.Link, err = tree.Readlink(path); err != nil {
			return nil, fault.System(err, path)
		}
	case 0:
		l.state.Kind, l.state.Size = File, info.Size()
		if info.Size() > state.MaxBlob {
			l.state.Time = info.ModTime().UnixNano()
			break
		}
		if l.data, err = tree.ReadFile(path); err != nil {
			return nil, fault.System(err, path)
		}
		l.state.SHA, l.state.Size = hash(l.data), int64(len(l.data))
	default:
		return nil, notAnEntry(path)
	}
	return l, nil
}

// save keeps the bytes that a step destroys. A large file that is the only one to
// change is not kept unless it must be: it is complete after a crash all the same,
// and the change cannot be undone.
func (p *planner) save(path string, st *State, must bool) (*State, error) {
	if st.Kind != File {
		return st, nil
	}
	saved := *st
	if st.Size > keptFile && p.alone && !must {
		return &saved, nil
	}
	if st.SHA == "" {
		if p.alone && !must {
			return &saved, nil
		}
		return nil, cannotKeep(path, st.Size)
	}
	p.j.opt.Step("save " + path)
	if l := p.disk[path]; l != nil && l.data != nil && l.state.SHA == st.SHA {
		if _, err := p.j.dir.PutBlob(l.data, true); err != nil {
			return nil, err
		}
	} else if err := p.saveLate(path, st); err != nil {
		return nil, err
	}
	saved.Saved = true
	return &saved, nil
}

// saveLate keeps bytes that were not read from the path: an earlier step of the
// same group will put them there.
func (p *planner) saveLate(path string, st *State) error {
	for _, a := range p.actions {
		if a.Post != nil && a.Post.SHA == st.SHA && (a.data != nil || a.blob == "" && st.Size == 0) {
			_, err := p.j.dir.PutBlob(a.data, true)
			return err
		}
	}
	if data, err := p.j.dir.Blob(st.SHA); err == nil {
		// It may have been put without being durable.
		_, err = p.j.dir.PutBlob(data, true)
		return err
	}
	for at, l := range p.disk {
		if l.state != nil && l.state.SHA == st.SHA {
			again, err := p.j.observe(at)
			if err != nil {
				return err
			}
			if !same(again.state, st) {
				return stale(path)
			}
			_, err = p.j.dir.PutBlob(again.data, true)
			return err
		}
	}
	return fault.New(fault.Internal, fault.T("the bytes of %s are not at hand", path))
}
