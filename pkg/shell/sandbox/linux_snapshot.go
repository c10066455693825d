//go:build linux

package sandbox

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
)

// snapshotBytes and snapshotFiles bound what a snapshot keeps in memory.
const (
	snapshotBytes = 8 << 20
	snapshotFiles = 500
)

// snapshot holds protected paths that the kernel cannot keep from changing, so that
// they can be put back afterwards. What has taken their place by then is moved aside
// and never deleted: it may be a file of the workspace that was moved there.
type snapshot struct {
	paths   []string
	before  map[string]savedEntry // the paths and what is below them
	parents map[string]savedEntry // the directories and links that lead to them
	suffix  string                // of the names of what is moved aside
	aside   []string              // where it was moved to
}

// savedEntry is what was at a path.
type savedEntry struct {
	exists bool
	mode   fs.FileMode
	data   []byte // the content of a file or the target of a link
}

func (m savedEntry) isLink() bool { return m.mode&fs.ModeSymlink != 0 }

// takeSnapshot saves the protected paths that the kind cannot keep from changing: all
// of them, or with mounts those that do not exist. It returns nil where nothing needs
// to be saved.
func (sb *Sandbox) takeSnapshot() (*snapshot, error) {
	p := sb.profile
	if p.Filesystem != Workspace || p.Preview != nil || !sb.kind.Confines() {
		return nil, nil
	}
	t := &snapshot{before: map[string]savedEntry{}, parents: map[string]savedEntry{}, suffix: ".refused-" + newMark()[:8]}
	size, files := 0, 0
	for _, path := range p.Protected {
		if sb.kind != Landlock && isReal(path) {
			continue
		}
		direct, err := t.saveParents(p, path)
		if err != nil {
			return nil, err
		}
		if !direct {
			continue // the target is protected by its own path
		}
		t.paths = append(t.paths, path)
		err = walk(path, func(name string, m savedEntry) error {
			size += len(m.data)
			files++
			if size > snapshotBytes || files > snapshotFiles {
				return tooLargeToProtect(path)
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

// saveParents saves what leads from a writable directory to a path, and reports
// whether that is directories alone.
func (t *snapshot) saveParents(p Profile, path string) (direct bool, err error) {
	for _, dir := range p.parents(path) {
		m, err := saveEntry(dir, false)
		if err != nil {
			return false, err
		}
		t.parents[dir] = m
		if m.isLink() {
			return false, nil
		}
	}
	return true, nil
}

// saveEntry returns what is at a path, with the content of a file if wanted.
func saveEntry(path string, content bool) (m savedEntry, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return savedEntry{}, nil
	}
	if err != nil {
		return savedEntry{}, fault.System(err, path)
	}
	m.exists, m.mode = true, info.Mode()
	switch {
	case m.mode.IsRegular() && content:
		m.data, err = readRegular(path)
	case m.isLink():
		var to string
		to, err = os.Readlink(path)
		m.data = []byte(to)
	}
	return m, fault.System(err, path)
}

// walk visits a path and everything below it. It follows no symbolic link. Of what is
// neither a file nor a directory nor a link, only the type is known.
func walk(path string, visit func(string, savedEntry) error) error {
	m, err := saveEntry(path, true)
	if err != nil || !m.exists {
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

// readRegular reads a file up to one byte more than a snapshot may have.
func readRegular(path string) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, snapshotBytes+1))
}
