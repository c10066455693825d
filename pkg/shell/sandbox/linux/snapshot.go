//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// snapshotBytes and snapshotFiles bound what a snapshot keeps in memory.
const (
	snapshotBytes = 32 << 20
	snapshotFiles = 10_000
)

// snapshot holds protected paths that the kernel cannot keep from changing, so that
// they can be put back afterwards. What has taken their place by then is moved aside
// and never deleted: it may be a file of the workspace that was moved there.
type snapshot struct {
	profile sandbox.Profile
	paths   []string
	before  map[string]savedEntry // the paths and what is below them
	parents map[string]savedEntry // the directories and links that lead to them
	suffix  string                // of the names of what is moved aside
	aside   []string              // where it was moved to
	holders map[string]string     // of each path: what it is protected in
	records []string              // [Profile.Settings]
	mounted map[string]identity   // what the kernel keeps as it is, where it stays in its place
}

// savedEntry is a file, a directory or a link as it was at a path.
type savedEntry struct {
	exists bool
	mode   fs.FileMode
	data   []byte // the content of a file or the target of a link
}

func (m savedEntry) isLink() bool { return m.mode&fs.ModeSymlink != 0 }

// takeSnapshot saves the protected paths that the kind cannot keep from changing: all
// of them, or with mounts those that do not exist. It returns nil where nothing needs
// to be saved.
func (sb *confined) takeSnapshot() (*snapshot, error) {
	p := sb.Profile
	if p.Filesystem != sandbox.Workspace || p.Preview != nil || !sb.Kind.Confines() {
		return nil, nil
	}
	t := &snapshot{
		profile: p,
		before:  map[string]savedEntry{}, parents: map[string]savedEntry{}, holders: map[string]string{}, mounted: map[string]identity{},
		records: p.Settings, suffix: workspace.RefusedMark + newMark()[:8],
	}
	size, files := 0, 0
	for _, path := range p.Protected {
		if id, single := identityOf(path); sb.Kind != sandbox.Landlock && single && isReal(path) && !movable(p, path) {
			t.mounted[path] = id
			continue
		}
		direct, err := t.saveParents(p, path)
		if err != nil {
			return nil, err
		}
		if !direct {
			continue // the target is protected by its own path
		}
		saved, sizeBefore, filesBefore := map[string]savedEntry{}, size, files
		err = walk(path, func(name string, m savedEntry) error {
			size += len(m.data)
			files++
			if size > snapshotBytes || files > snapshotFiles {
				return errTooLarge
			}
			saved[name] = m
			return nil
		})
		if errors.Is(err, errTooLarge) {
			sb.Degrade(sandbox.Partial)
			size, files = sizeBefore, filesBefore
			continue
		}
		if err != nil {
			return nil, err
		}
		t.paths = append(t.paths, path)
		t.holders[path] = holder(p, path)
		maps.Copy(t.before, saved)
	}
	return t, nil
}

// errTooLarge ends the walk through what is more than a snapshot may have.
var errTooLarge = errors.New("too large")

// identityOf returns what is at a path, without the time of its last change, and
// whether that is its only name.
func identityOf(path string) (id identity, single bool) {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil {
		return identity{}, false
	}
	return identity{device: uint64(st.Dev), inode: st.Ino}, st.Nlink == 1 || st.Mode&unix.S_IFMT == unix.S_IFDIR
}

// saveParents saves what leads from a writable directory to a path, and reports
// whether that is directories alone.
func (t *snapshot) saveParents(p sandbox.Profile, path string) (direct bool, err error) {
	for _, dir := range p.Parents(path) {
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
