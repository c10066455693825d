//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// Restored implements [sandbox.Sandbox]. Where the kernel keeps the paths it does nothing.
func (sb *confined) Restored() ([]string, error) {
	if sb.snapshot == nil {
		return nil, nil
	}
	held := sb.taken()
	changed, err := sb.snapshot.restore()
	changed = append(changed, held...)
	slices.Sort(changed)
	return slices.Compact(changed), err
}

// restore puts back parents first, because nothing may be looked at or written through
// a link that the command made.
func (t *snapshot) restore() (changed []string, err error) {
	fail := func(e error) { err = errors.Join(err, e) }
	for _, dir := range slices.Sorted(maps.Keys(t.parents)) {
		did, e := t.restoreParent(dir)
		if fail(e); did {
			changed = append(changed, dir)
		}
	}
	if err != nil {
		return changed, err
	}
	after := map[string]savedEntry{}
	for _, path := range t.paths {
		fail(walk(path, func(name string, m savedEntry) error { after[name] = m; return nil }))
	}
	moved := ""
	for _, name := range slices.Sorted(maps.Keys(after)) {
		old, known := t.before[name]
		now := after[name]
		switch {
		case moved != "" && workspace.WithinOS(name, moved), known && old.mode == now.mode && bytes.Equal(old.data, now.data):
			continue
		case known && slices.Contains(t.records, name) && old.mode == now.mode && gitdir.Recorded(old.data, now.data):
			t.before[name] = now
			continue
		case accepts(t.profile, name, now), now.mode.IsDir() && t.profile.ChangesIn(name):
			continue
		case known && old.mode.Type() == now.mode.Type() && !now.isLink() && bytes.Equal(old.data, now.data):
			fail(os.Chmod(name, old.mode.Perm()))
		default:
			fail(t.moveAside(name))
			moved = name
		}
		changed = append(changed, name)
	}
	for _, name := range slices.Sorted(maps.Keys(t.before)) { // a directory comes before what is in it
		if exists(name) || t.left(name) || t.mayGo(name) {
			continue
		}
		changed = append(changed, name)
		fail(t.putBack(name, t.before[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(t.mounted)) {
		// It is still what it was, but somewhere else.
		if id, _ := identityOf(name); exists(name) && id != t.mounted[name] {
			fail(t.moveAside(name))
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return slices.Compact(changed), err
}

// mayGo reports whether a path may be gone: with what was in it, if it is a directory.
func (t *snapshot) mayGo(name string) bool {
	if !t.before[name].mode.IsDir() {
		return accepts(t.profile, name, savedEntry{})
	}
	some := false
	for below, m := range t.before {
		if below != name && !m.mode.IsDir() && workspace.WithinOS(below, name) {
			if some = accepts(t.profile, below, savedEntry{}); !some {
				return false
			}
		}
	}
	return some
}

// left reports whether the directory that a path was protected in is gone, by a
// deletion or under another name. What is there now was found by a survey.
func (t *snapshot) left(name string) bool {
	for path, holder := range t.holders {
		if workspace.WithinOS(name, path) {
			return !exists(holder)
		}
	}
	return false
}

// restoreParent undoes a change between directory and link in what leads to a
// protected path.
func (t *snapshot) restoreParent(dir string) (did bool, err error) {
	old := t.parents[dir]
	now, err := saveEntry(dir, false)
	if err != nil {
		return false, err
	}
	same := now.isLink() && old.isLink() && bytes.Equal(now.data, old.data)
	if same || !now.isLink() && !old.isLink() {
		return false, nil
	}
	if exists(dir) {
		if err := t.moveAside(dir); err != nil {
			return true, err
		}
	}
	if old.isLink() {
		return true, fault.System(os.Symlink(string(old.data), dir), dir)
	}
	return true, nil
}

// moveAside renames what is at a path to a new name beside the protected path that it
// is or is in.
func (t *snapshot) moveAside(name string) error {
	to := name + t.suffix
	for _, path := range t.paths {
		if path != name && workspace.WithinOS(name, path) {
			rel := strings.ReplaceAll(name[len(path)+1:], "/", "_")
			if err := os.MkdirAll(path+t.suffix, 0o700); err != nil {
				return fault.System(err, path)
			}
			to = filepath.Join(path+t.suffix, rel)
		}
	}
	for base, n := to, 1; exists(to); n++ {
		to = base + "-" + strconv.Itoa(n)
	}
	if err := os.Rename(name, to); err != nil {
		return fault.System(err, name)
	}
	t.aside = append(t.aside, to)
	return nil
}

// exists reports whether there is anything at a path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// putBack makes a path what it was. The directories above it may be gone.
func (t *snapshot) putBack(name string, m savedEntry) error {
	if err := t.makeParents(filepath.Dir(name)); err != nil {
		return fault.System(err, name)
	}
	switch {
	case m.mode.IsDir():
		if err := os.Mkdir(name, m.mode.Perm()); err != nil {
			return fault.System(err, name)
		}
		return fault.System(os.Chmod(name, m.mode.Perm()), name)
	case m.mode&fs.ModeSymlink != 0:
		return fault.System(os.Symlink(string(m.data), name), name)
	case !m.mode.IsRegular():
		return notRestorable(name)
	}
	fd, err := unix.Open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, uint32(m.mode.Perm()))
	if err != nil {
		return fault.System(err, name)
	}
	f := os.NewFile(uintptr(fd), name)
	_, err = f.Write(m.data)
	return fault.System(errors.Join(err, f.Chmod(m.mode.Perm()), f.Close()), name)
}

// makeParents makes dir a directory that is reached through no symbolic link.
func (t *snapshot) makeParents(dir string) error {
	info, err := os.Lstat(dir)
	if err == nil && info.IsDir() {
		if real, err := filepath.EvalSymlinks(dir); err == nil && real == dir {
			return nil
		}
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := t.makeParents(parent); err != nil {
			return err
		}
	}
	mode := fs.FileMode(0o755)
	if old, ok := t.parents[dir]; ok && old.mode.IsDir() {
		mode = old.mode.Perm()
	}
	if info, err = os.Lstat(dir); err == nil {
		if info.IsDir() {
			return nil
		}
		if err := t.moveAside(dir); err != nil {
			return err
		}
	}
	return os.Mkdir(dir, mode)
}
