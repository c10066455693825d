package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/fault"
)

// Preview names two directories of one file system, outside the workspace. Upper
// receives the changes, Work is for the kernel. Both must be empty.
type Preview struct{ Upper, Work string }

// RemoveAll removes a directory and everything in it, also what a command or the kernel
// made unreadable there.
func RemoveAll(dir string) error {
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && err == nil {
			if info, err := d.Info(); err == nil && info.Mode().Perm()&0o700 != 0o700 {
				return os.Chmod(name, 0o700) // WalkDir reads it next
			}
		}
		return nil // RemoveAll reports what cannot be removed
	})
	return fault.System(errors.Join(err, os.RemoveAll(dir)), dir)
}
