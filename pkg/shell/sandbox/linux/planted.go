//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// maxKnown limits the entries below protected paths that are remembered, and movedRounds
// the surveys of the tree after something was moved aside.
const (
	maxKnown    = 50_000
	movedRounds = 4
)

// identity identifies a version of a file. A command can set every time of a file but
// changed. Of a directory only the first two fields count: what is in it has identities of
// its own.
type identity struct {
	device, inode uint64
	changed       unix.Timespec
	size          int64
}

// watch remembers a tree while a command runs in it.
type watch struct {
	known map[identity]bool
}

// takeWatch remembers what is at protected paths; nil where nothing is looked for.
func (sb *confined) takeWatch() *watch {
	p := sb.Profile
	if p.Survey == nil || p.Filesystem != sandbox.Workspace || p.Preview != nil || !sb.Kind.Confines() {
		return nil
	}
	w := &watch{known: map[identity]bool{}}
	for _, rel := range p.Survey.Obeyed {
		w.remember(filepath.Join(p.Workspace, filepath.FromSlash(rel)))
	}
	for _, path := range p.Survey.Guarded() {
		if p.Inside(path) {
			w.remember(path)
		}
	}
	return w
}

// remember adds the identities of a path and of everything below it.
func (w *watch) remember(path string) {
	w.visit(path, func(id identity) bool {
		w.known[id] = true
		return len(w.known) < maxKnown
	})
}

// knows reports whether a path and everything below it was there before, as it is.
func (w *watch) knows(path string) bool {
	return w.visit(path, func(id identity) bool { return w.known[id] })
}

// visit calls f for a path and what is below it until f returns false, which it
// reports. What is not there has no identity.
func (w *watch) visit(path string, f func(identity) bool) bool {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil {
		return true
	}
	id := identity{device: uint64(st.Dev), inode: st.Ino}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		id.changed, id.size = st.Ctim, st.Size
		return f(id)
	}
	if !f(id) {
		return false
	}
	names, err := namesIn(path)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !w.visit(filepath.Join(path, name), f) })
}

// Planted implements [sandbox.Sandbox]; see [workspace.Survey.Planted].
func (sb *confined) Planted() (moved []sandbox.Moved, err error) {
	defer sb.forget()
	if sb.watch == nil {
		return nil, nil
	}
	moved, sb.laid = sb.laid, nil
	for range movedRounds {
		now := sb.resurvey()
		if now.Partial {
			sb.Degrade(sandbox.Partial)
		}
		found := sb.Profile.Survey.Planted(now, sb.unchanged)
		for _, path := range found {
			to, e := sb.setAside(path)
			err = errors.Join(err, e)
			if m := (sandbox.Moved{Path: path, To: to}); e == nil && !slices.Contains(moved, m) {
				moved = append(moved, m)
			}
		}
		if len(found) == 0 || err != nil {
			return moved, err
		}
	}
	sb.Degrade(sandbox.Partial)
	return moved, nil
}

// resurvey returns what the workspace contains now that other programs execute or obey.
func (sb *confined) resurvey() workspace.Survey {
	if sb.Profile.Resurvey != nil {
		if now := sb.Profile.Resurvey(); now != nil {
			return *now
		}
	}
	return workspace.SurveyOf(sb.Profile.Workspace)
}

// unchanged reports whether a path may be what it is: it was so before, or the
// person's rules allow it.
func (sb *confined) unchanged(path string) bool {
	if becomes(sb.Profile, path, sb.watch.knows) {
		return true
	}
	if sb.watch.knows(path) || sb.snapshot != nil && sb.snapshot.holds(path) {
		return true
	}
	rel, ok := workspace.RelOS(path, sb.Profile.Workspace)
	return ok && (sb.Profile.Permits != nil && sb.Profile.Permits(rel) || sb.isCopy(rel))
}

// isCopy reports whether a path is a copy of another one of the same name, which was there
// before and did not change, as in a new worktree.
func (sb *confined) isCopy(rel string) bool {
	_, top := workspace.Obeyed(rel)
	if top != rel {
		return false
	}
	return slices.ContainsFunc(sb.Profile.Survey.Obeyed, func(of string) bool {
		if of == rel || filepath.Base(of) != filepath.Base(rel) {
			return false
		}
		path, original := filepath.Join(sb.Profile.Workspace, rel), filepath.Join(sb.Profile.Workspace, of)
		if !exists(original) || !sb.watch.knows(original) && !(sb.snapshot != nil && sb.snapshot.holds(original)) {
			return false
		}
		same := true
		err := walk(path, func(name string, m savedEntry) error {
			if !m.mode.IsRegular() && !m.mode.IsDir() {
				same = false
			}
			if other, err := saveEntry(original+name[len(path):], true); err != nil || other.mode != m.mode || string(other.data) != string(m.data) {
				same = false
			}
			return nil
		})
		return same && err == nil
	})
}

// holds reports whether a path is now what the snapshot has of it.
func (t *snapshot) holds(path string) bool {
	if _, ok := t.before[path]; !ok {
		return false
	}
	same := true
	err := walk(path, func(name string, m savedEntry) error {
		old, ok := t.before[name]
		same = same && ok && old.mode == m.mode && string(old.data) == string(m.data)
		return nil
	})
	return same && err == nil
}

// setAside renames what is at a path to a new name beside it.
func (sb *confined) setAside(path string) (to string, err error) {
	mark := workspace.RefusedMark + newMark()[:8]
	if sb.snapshot != nil {
		mark = sb.snapshot.suffix
	}
	to = path + mark
	if isDirectory(path) && isDirectory(to) && !isLink(path) {
		return to, fault.System(merge(path, to), path)
	}
	for n := 1; exists(to); n++ {
		to = path + mark + "-" + strconv.Itoa(n)
	}
	return to, fault.System(os.Rename(path, to), path)
}
