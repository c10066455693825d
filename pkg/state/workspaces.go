package state

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Known is a workspace that has a state directory.
type Known struct {
	ID   string // name of its state directory
	Root string // its path, absolute
	Has  bool   // the state directory has the file or directory that was asked for
}

// Workspaces lists the workspaces that have a state directory below base and still
// exist, by path, and says which have a file or directory of a name there. A base that
// does not exist has none.
func Workspaces(base, name string) ([]Known, error) {
	dir, err := os.OpenRoot(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.System(err, base)
	}
	defer dir.Close()
	if err := checkPrivate(base); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return nil, fault.System(err, base)
	}
	var all []Known
	for _, e := range entries {
		root, ok := identified(dir, e.Name())
		if !ok || dirName(root, filepath.Base(root)) != e.Name() { // a copy, or what somebody else put here
			continue
		}
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			_, err := dir.Stat(e.Name() + "/" + name)
			all = append(all, Known{e.Name(), root, err == nil})
		}
	}
	slices.SortFunc(all, func(a, b Known) int { return strings.Compare(a.Root, b.Root) })
	return all, nil
}

// Knows reports whether a workspace has a state directory below base, and still exists.
func Knows(base, root string) bool {
	dir, err := os.OpenRoot(base)
	if err != nil {
		return false
	}
	defer dir.Close()
	said, ok := identified(dir, dirName(root, filepath.Base(root)))
	if !ok || said != root || checkPrivate(base) != nil {
		return false
	}
	info, err := os.Stat(root)
	return err == nil && info.IsDir()
}

// identified returns the workspace of a state directory.
func identified(base *os.Root, name string) (root string, ok bool) {
	data, err := fs.ReadFile(base.FS(), name+"/"+identity)
	if err != nil {
		return "", false
	}
	var said struct {
		Root string `json:"root"`
	}
	if json.Unmarshal(data, &said) != nil || !filepath.IsAbs(said.Root) {
		return "", false
	}
	return said.Root, true
}

// ID returns the name of the directory, which identifies the workspace.
func (d *Dir) ID() (string, error) {
	p, err := d.use()
	if err != nil {
		return "", err
	}
	return filepath.Base(p.path), nil
}
