package sandbox

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/limit"
)

// tripwire remembers protected paths where the kernel cannot keep them, puts
// them back afterwards and tells.
type tripwire struct {
	paths  []string
	before map[string]memory
}

// memory is what a path was. Only what is remembered can be put back.
type memory struct {
	mode fs.FileMode
	data []byte // of a file, or where a link leads
}

// watch remembers the protected paths that the tier cannot keep: all of them, or
// those that are not there to be mounted.
func (b *Box) watch() (*tripwire, error) {
	p := b.profile
	if p.Filesystem != Workspace || p.Preview != nil || !b.tier.Confines() {
		return nil, nil
	}
	t := &tripwire{before: map[string]memory{}}
	for _, path := range p.Protected {
		if b.tier == Landlock || !isReal(path) {
			t.paths = append(t.paths, path)
		}
	}
	bytes, files := 0, 0
	for _, path := range t.paths {
		err := walk(path, func(name string, m memory) error {
			bytes += len(m.data)
			files++
			if bytes > limit.SandboxSnapshot || files > limit.SandboxSnapshotFiles {
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

// walk visits a path and, in a directory, what is below. No link is followed,
// and what is neither file, directory nor link is only named.
func walk(path string, visit func(string, memory) error) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return nil
	}
	if err != nil {
		return fault.System(err, path)
	}
	m := memory{mode: info.Mode()}
	switch {
	case info.Mode().IsRegular():
		if m.data, err = readRegular(path); err != nil {
			return fault.System(err, path)
		}
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if err != nil {
			return fault.System(err, path)
		}
		m.data = []byte(target)
	}
	if err := visit(path, m); err != nil {
		return err
	}
	if !info.IsDir() {
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
	for len(data) <= limit.SandboxSnapshot {
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
func (b *Box) Restored() ([]string, error) {
	if b.guard == nil {
		return nil, nil
	}
	return b.guard.restore()
}

func (t *tripwire) restore() (changed []string, err error) {
	after := map[string]memory{}
	for _, path := range t.paths {
		if e := walk(path, func(name string, m memory) error { after[name] = m; return nil }); e != nil {
			err = errors.Join(err, e)
		}
	}
	note := func(name string) { changed = append(changed, name) }
	var names []string
	for name, m := range after {
		if old, ok := t.before[name]; !ok || old.mode != m.mode || !bytes.Equal(old.data, m.data) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	slices.Reverse(names) // what is in a directory before the directory
	for _, name := range names {
		note(name)
		old, ok := t.before[name]
		if ok && old.mode.IsDir() && after[name].mode.IsDir() {
			err = errors.Join(err, os.Chmod(name, old.mode.Perm()))
			continue
		}
		// It may be full of what it was not.
		err = errors.Join(err, os.RemoveAll(name))
	}
	var missing []string
	for name := range t.before {
		if _, e := os.Lstat(name); e != nil {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing) // a directory before what is in it
	for _, name := range missing {
		if !slices.Contains(changed, name) {
			note(name)
		}
		err = errors.Join(err, t.before[name].put(name))
	}
	slices.Sort(changed)
	return changed, err
}

// put makes a path what it was. The directories above it may be gone, or be
// links by now; nothing is written through one.
func (m memory) put(name string) error {
	if err := clearWay(filepath.Dir(name)); err != nil {
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
func clearWay(dir string) error {
	if info, err := os.Lstat(dir); err == nil && info.IsDir() {
		if real, err := filepath.EvalSymlinks(dir); err == nil && real == dir {
			return nil
		}
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := clearWay(parent); err != nil {
			return err
		}
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
	case info.IsDir():
		return nil
	default:
		if err := os.Remove(dir); err != nil {
			return err
		}
	}
	return os.Mkdir(dir, 0o755)
}
