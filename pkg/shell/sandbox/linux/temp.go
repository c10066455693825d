//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// copyTemp adds the steps that copy the mount of the temporary directory, and returns
// where its descriptor will be; nil without one.
func (m *mounts) copyTemp(s *script) *int32 {
	if m.Temp == "" {
		return nil
	}
	_, fd := s.openTree(m.Temp)
	s.restrictMount(m.Temp, fd, unix.AT_RECURSIVE, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
	return fd
}

// replaces reports whether a path lies in a directory that the sandbox has of its own.
func (m *mounts) replaces(path string) bool {
	return slices.ContainsFunc(slices.Concat(m.Replaced, m.Closed), func(dir string) bool { return dir != path && workspace.WithinOS(path, dir) })
}

// layer adds the overlays of directories. Without them the directories are read-only, and
// those that would be empty are not there.
func (m *mounts) layer(overlays []overlay, l *sandbox.Layers) {
	m.Layers = overlays
	if overlays != nil || l == nil {
		return
	}
	for _, dir := range l.Paths {
		if m.replaces(dir) {
			m.Shown = append(m.Shown, dir)
		}
	}
}

// clearWay moves aside what an earlier command left in the temporary directory where
// paths of this sandbox will be mounted: a link there would lead the mount elsewhere.
func (m *mounts) clearWay() error {
	if m.Temp == "" {
		return nil
	}
	root, err := os.OpenRoot(m.Temp)
	if err != nil {
		return fault.System(err, m.Temp)
	}
	defer root.Close()
	paths := slices.Concat(m.Shown, m.Writable, m.Closed)
	for _, l := range m.Layers {
		paths = append(paths, l.path())
	}
	for _, path := range paths {
		rel, err := filepath.Rel(m.Replaced[0], path)
		if err != nil || rel == "." || !filepath.IsLocal(rel) {
			continue
		}
		last, err := os.Lstat(path)
		if err != nil {
			continue // copying it reports that
		}
		for i := range len(rel) + 1 {
			if i < len(rel) && rel[i] != '/' {
				continue
			}
			want := fs.ModeDir
			if i == len(rel) {
				want = last.Mode().Type() & fs.ModeDir
			}
			if err := clearOne(root, rel[:i], want); err != nil {
				return fault.System(err, filepath.Join(m.Temp, rel[:i]))
			}
		}
	}
	return nil
}

// clearOne moves what is at a path aside if it is of another type than wanted, which is
// a directory or a regular file.
func clearOne(root *os.Root, name string, want fs.FileMode) error {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode().Type() != want {
		err = root.Rename(name, strings.TrimSuffix(name, "/")+".aside-"+newMark()[:8])
	}
	return err
}
