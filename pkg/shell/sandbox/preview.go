package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/fault"
)

// Remove deletes both directories of a preview, with what the command made
// unreadable and with what the kernel did.
func (v Preview) Remove() error {
	return fault.System(errors.Join(removeTree(v.Upper), removeTree(v.Work)), v.Upper)
}

func removeTree(dir string) error {
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && err == nil {
			if info, err := d.Info(); err == nil && info.Mode().Perm()&0o700 != 0o700 {
				return os.Chmod(name, 0o700) // it is read after this
			}
		}
		return nil // what cannot be read will be seen when it is removed
	})
	return errors.Join(err, os.RemoveAll(dir))
}
