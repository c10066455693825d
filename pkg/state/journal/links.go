package journal

import (
	"io/fs"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/workspace"
)

// Several names can be one file: a mode, and bytes written in place through one name,
// apply to all. Only an undo is planned with that in mind: a command that changes such a
// file changes all its names, so the entry has them all.
//
// An undo first deletes the names that come from the command. Of those that are left and
// are one file now:
//
//   - If the same is to be done to each, one step does it to all, and they stay one file.
//   - If not, each name gets a file of its own, so that none has the bytes of another.
//
// The file may have more names than the undo knows. It is written in place only if the step
// that is undone says that it had as many before and after (step.Others): then what is
// undone has changed them too. Else the name gets a file of its own, and the others keep
// what they hold.
//
// A file that got its own copy is not linked again, neither by redo nor by recovery.
// Bytes and modes are restored.

// linked is a file that had several names when the undo was planned.
type linked struct {
	names map[string]bool // those that the undo changes, and that still are this file
	links int             // the names that it has after the steps so far, also the unknown ones
}

// identify finds the names that are one file.
func (p *planner) identify(all []want) error {
	type looks struct {
		mode  fs.FileMode
		size  int64
		mtime time.Time
	}
	type known struct {
		info fs.FileInfo
		file *linked
	}
	seen := map[looks][]known{}
	for _, w := range all {
		if !w.exact {
			continue // a tool's own change
		}
		at := w.Path
		switch w.Op {
		case Write, Chmod, Delete:
			p.asked[at] += w.demand()
		case Move:
			at = w.From
		default:
			continue
		}
		if p.file[at] != nil {
			continue
		}
		links := p.j.tree.Links(at)
		if links < 2 {
			continue
		}
		info, err := p.j.tree.Lstat(at)
		if err != nil {
			return stale(at) // it was there a moment ago
		}
		key := looks{info.Mode(), info.Size(), info.ModTime().UTC()}
		for _, k := range seen[key] {
			if workspace.SameFile(k.info, info) {
				p.file[at] = k.file
			}
		}
		if p.file[at] == nil {
			p.file[at] = &linked{names: map[string]bool{}, links: links}
			seen[key] = append(seen[key], known{info, p.file[at]})
		}
		p.file[at].names[at] = true
	}
	return nil
}

// demand encodes the effect of a change on a file, for comparison.
func (w want) demand() string { return string(w.Op) + " " + w.blob + " " + w.Mode.String() + "\n" }

// together returns the other names of a file that one step changes with it, and how many
// further ones it has; or own, if the path needs a file of its own instead.
func (p *planner) together(w want) (names []string, others int, own bool) {
	f := p.file[w.Path]
	if f == nil {
		return nil, 0, false
	}
	for name := range f.names {
		if p.asked[name] != p.asked[w.Path] {
			return nil, 0, true
		}
		if name != w.Path {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	others = max(0, f.links-len(f.names))
	// A mode applies to all names, also to later ones; it is no content.
	return names, others, w.Op == Write && others > w.others
}

// join notes that a change of a path changes other names of its file.
func (p *planner) join(path string, cur *State, names []string) (all []lossless, err error) {
	for _, name := range names {
		st, err := p.get(name)
		if err != nil {
			return nil, err
		}
		if !same(st, cur) {
			return nil, stale(path) // it was changed between two looks
		}
		if p.through[name] == nil {
			p.through[name] = st
		}
		if l := p.disk[name]; l != nil {
			l.data = nil
		}
		all = append(all, lossless(name))
	}
	return all, nil
}

// apart plans that a path gets a file of its own. The name is removed first: that needs
// no new kind of step, and the files show how far a crash got.
func (p *planner) apart(w want, cur, post *State) error {
	if err := p.deletion(w.Path, cur, true); err != nil {
		return err
	}
	made := *post
	made.Saved = w.blob != ""
	p.do(action{step: step{Op: Create, Path: lossless(w.Path), Post: &made}, data: w.Content, blob: w.blob})
	return nil
}

// rename notes what a step does to the names of files.
func (p *planner) rename(s step) {
	path := string(s.Path)
	f := p.file[path]
	if f != nil && (s.Op == Delete || s.Op == MoveOut || s.Op == Move) {
		delete(p.file, path)
		delete(f.names, path)
		if s.Op != MoveOut { // which keeps the file, elsewhere
			f.links--
		}
	}
	if f := p.file[string(s.From)]; s.Op == Move && f != nil {
		delete(p.file, string(s.From))
		delete(f.names, string(s.From))
		p.file[path], f.names[path] = f, true
	}
}

// joined makes sure that the names that a step changes at once still are one file.
func (j *Journal) joined(s step) error {
	if len(s.Names) == 0 {
		return nil
	}
	first, err := j.tree.Lstat(string(s.Path))
	if err != nil {
		return err
	}
	for _, name := range s.Names {
		info, err := j.tree.Lstat(string(name))
		if err != nil {
			return err
		}
		if !workspace.SameFile(first, info) {
			return stale(string(name))
		}
	}
	return nil
}
