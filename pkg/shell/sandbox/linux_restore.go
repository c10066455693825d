//go:build linux

package sandbox

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
)

// snapshotBytes and snapshotFiles are how much of the protected paths is kept in
// memory to be put back.
const (
	snapshotBytes = 8 << 20
	snapshotFiles = 500
)

// tripwire remembers protected paths where the kernel cannot keep them, puts
// them back afterwards and tells. What stands in their place by then is moved
// aside, never deleted: it may have been something else of the workspace before.
type tripwire struct {
	paths  []string
	before map[string]memory // what stood at the paths and below
	above  map[string]memory // the directories and links that lead to them
	suffix string            // of names of what is moved aside
	aside  []string
}

// memory is what a path was. Only what is remembered can be put back.
type memory struct {
	there bool
	mode  fs.FileMode
	data  []byte // of a file, or where a link leads
}

func (m memory) isLink() bool { return m.mode&fs.ModeSymlink != 0 }

// watch remembers the protected paths that the kind cannot keep: all of them, or
// those that are not there to be mounted.
func (sb *Sandbox) watch() (*tripwire, error) {
	p := sb.profile
	if p.Filesystem != Workspace || p.Preview != nil || !sb.kind.Confines() {
		return nil, nil
	}
	t := &tripwire{before: map[string]memory{}, above: map[string]memory{}, suffix: ".refused-" + newMark()[:8]}
	size, files := 0, 0
	for _, path := range p.Protected {
		if sb.kind != Landlock && isReal(path) {
			continue
		}
		direct, err := t.lead(p, path)
		if err != nil {
			return nil, err
		}
		if !direct {
			continue // where it leads is protected by its own name
		}
		t.paths = append(t.paths, path)
		err = walk(path, func(name string, m memory) error {
			size += len(m.data)
			files++
			if size > snapshotBytes || files > snapshotFiles {
				return fault.New(fault.TooLarge, fault.T("%s is too large to be kept safe while a command runs", "%s 过大，无法在命令运行期间加以保护", path)).
					WithHint(fault.T("let a person approve the command without the sandbox", "请由用户批准在无沙箱的情况下运行该命令"))
			}
			t.before[name] = m
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// lead remembers what leads to a path from the writable directory it is in, and
// reports whether that is directories alone.
func (t *tripwire) lead(p Profile, path string) (direct bool, err error) {
	var dirs []string
	for dir := filepath.Dir(path); slices.ContainsFunc(p.roots(), func(r string) bool { return workspace.WithinOS(dir, r) && r != dir }); dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
	}
	for _, dir := range slices.Backward(dirs) {
		m, err := remember(dir, false)
		if err != nil {
			return false, err
		}
		t.above[dir] = m
		if m.isLink() {
			return false, nil
		}
	}
	return true, nil
}

// remember describes what stands at a path, with the bytes of a file if wanted.
func remember(path string, bytes bool) (m memory, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return memory{}, nil
	}
	if err != nil {
		return memory{}, fault.System(err, path)
	}
	m.there, m.mode = true, info.Mode()
	switch {
	case m.mode.IsRegular() && bytes:
		m.data, err = readRegular(path)
	case m.isLink():
		var to string
		to, err = os.Readlink(path)
		m.data = []byte(to)
	}
	return m, fault.System(err, path)
}

// walk visits a path and, in a directory, what is below. No link is followed,
// and what is neither file, directory nor link is only named.
func walk(path string, visit func(string, memory) error) error {
	m, err := remember(path, true)
	if err != nil || !m.there {
		return err
	}
	if err := visit(path, m); err != nil {
		return err
	}
	if !m.mode.IsDir() {
		return nil
	}
	names, err := namesIn(path)
	if err != nil {
		return fault.System(err, path)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := walk(filepath.Join(path, name), visit); err != nil {
			return err
		}
	}
	return nil
}

// readRegular reads a file that is no link and no pipe.
func readRegular(path string) ([]byte, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var data []byte
	buf := make([]byte, 32<<10)
	for len(data) <= snapshotBytes {
		n, err := unix.Read(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, err
		}
		if n <= 0 {
			break
		}
		data = append(data, buf[:n]...)
	}
	return data, nil
}

// Restored puts back the protected paths that the command changed although it
// must not, and names them. Call it after [Process.Finish]; where the kernel
// kept them it has nothing to do.
func (sb *Sandbox) Restored() ([]string, error) {
	if sb.guard == nil {
		return nil, nil
	}
	return sb.guard.restore()
}

func (t *tripwire) restore() (changed []string, err error) {
	fail := func(e error) { err = errors.Join(err, e) }
	for _, dir := range slices.Sorted(maps.Keys(t.above)) {
		did, e := t.straighten(dir)
		if fail(e); did {
			changed = append(changed, dir)
		}
	}
	if err != nil {
		return changed, err // nothing may be looked at or put back through a link
	}
	after := map[string]memory{}
	for _, path := range t.paths {
		fail(walk(path, func(name string, m memory) error { after[name] = m; return nil }))
	}
	moved := ""
	for _, name := range slices.Sorted(maps.Keys(after)) {
		old, known := t.before[name]
		now := after[name]
		switch {
		case moved != "" && workspace.WithinOS(name, moved), known && old.mode == now.mode && bytes.Equal(old.data, now.data):
			continue
		case known && old.mode.Type() == now.mode.Type() && !now.isLink() && bytes.Equal(old.data, now.data):
			fail(os.Chmod(name, old.mode.Perm()))
		default:
			fail(t.moveAside(name))
			moved = name
		}
		changed = append(changed, name)
	}
	for _, name := range slices.Sorted(maps.Keys(t.before)) { // a directory before what is in it
		if exists(name) {
			continue
		}
		changed = append(changed, name)
		fail(t.put(name, t.before[name]))
	}
	slices.Sort(changed)
	return slices.Compact(changed), err
}

// straighten makes what leads to a protected path as direct as it was: a link
// that came since would lead the putting back astray.
func (t *tripwire) straighten(dir string) (did bool, err error) {
	old := t.above[dir]
	now, err := remember(dir, false)
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

// moveAside gives what stands at a path a name of its own: beside the protected
// path that it is, or is in.
func (t *tripwire) moveAside(name string) error {
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

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Aside names what the command had put in the place of protected paths, now
// that [Sandbox.Restored] has moved it away from there.
func (sb *Sandbox) Aside() []string {
	if sb.guard == nil {
		return nil
	}
	return sb.guard.aside
}

// put makes a path what it was. The directories above it may be gone.
func (t *tripwire) put(name string, m memory) error {
	if err := t.clearWay(filepath.Dir(name)); err != nil {
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
		return fault.New(fault.NotAFile, fault.T("%s is gone and cannot be put back", "%s 已丢失且无法恢复", name))
	}
	fd, err := unix.Open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, uint32(m.mode.Perm()))
	if err != nil {
		return fault.System(err, name)
	}
	f := os.NewFile(uintptr(fd), name)
	_, err = f.Write(m.data)
	return fault.System(errors.Join(err, f.Chmod(m.mode.Perm()), f.Close()), name)
}

// clearWay makes dir a directory that is reached without links.
func (t *tripwire) clearWay(dir string) error {
	info, err := os.Lstat(dir)
	if err == nil && info.IsDir() {
		if real, err := filepath.EvalSymlinks(dir); err == nil && real == dir {
			return nil
		}
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := t.clearWay(parent); err != nil {
			return err
		}
	}
	mode := fs.FileMode(0o755)
	if old, ok := t.above[dir]; ok && old.mode.IsDir() {
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
