package state

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/helve-dev/helve/pkg/fault"
)

// Known is a workspace that has a state directory.
type Known struct {
	Root string // the workspace
	Has  bool   // the state directory has the file that was asked for
}

// List returns the workspaces that have a state directory below a base, and whether each
// has a file there. The base need not exist. A directory that names no workspace is left
// out.
func List(base, file string) ([]Known, error) {
	root, err := os.OpenRoot(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.System(err, base)
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, fault.System(err, base)
	}
	var all []Known
	for _, e := range entries {
		data, err := root.ReadFile(path.Join(e.Name(), identity))
		var named struct{ Root string }
		if err != nil || json.Unmarshal(data, &named) != nil || named.Root == "" {
			continue
		}
		_, err = root.Stat(path.Join(e.Name(), file))
		all = append(all, Known{Root: named.Root, Has: err == nil})
	}
	return all, nil
}
