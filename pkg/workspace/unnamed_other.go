//go:build !linux

package workspace

import (
	"io/fs"
	"os"
)

// createUnnamed fails: a file has a name from the start.
func (d *directory) createUnnamed(fs.FileMode) (*os.File, error) { return nil, errUnnamed }

// giveName is for files of createUnnamed.
func giveName(*os.File, *directory, string) error { return errUnnamed }

// aside is for files of createUnnamed.
func (r *Root) aside() *directory { return nil }
