package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// Directory makes a directory, with those above it, and returns its absolute path.
func (d *Dir) Directory(name string) (string, error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	p, err := d.use()
	if err != nil {
		return "", err
	}
	if err := p.dir.MkdirAll(name, 0o700); err != nil {
		return "", fault.System(err, p.shown(name))
	}
	return filepath.Join(p.path, filepath.FromSlash(name)), nil
}

// RemoveDirectory removes a directory with everything in it, even if its modes
// forbid it. A directory that does not exist is no error.
func (d *Dir) RemoveDirectory(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	p, err := d.use()
	if err != nil {
		return err
	}
	return fault.System(removeAll(p.dir, name), p.shown(name))
}

// ExpireDirectories removes the directories in dir that did not change for so
// long.
func (d *Dir) ExpireDirectories(dir string, age time.Duration) error {
	if err := checkName(dir); err != nil {
		return err
	}
	p, err := d.use()
	if err != nil {
		return err
	}
	now := d.opt.Now()
	err = p.each(dir, func(name string, info fs.FileInfo) error {
		if !info.IsDir() || now.Sub(info.ModTime()) < age {
			return nil
		}
		return removeAll(p.dir, name)
	})
	return fault.System(err, p.shown(dir))
}

// removeAll removes a directory with everything in it, even if its modes forbid
// it.
func removeAll(dir *os.Root, name string) error {
	if err := dir.RemoveAll(name); !errors.Is(err, fs.ErrPermission) {
		return ignoreMissing(err)
	}
	err := fs.WalkDir(dir.FS(), name, func(below string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			return dir.Chmod(filepath.FromSlash(below), 0o700)
		}
		return nil // RemoveAll reports what stays closed
	})
	return errors.Join(err, ignoreMissing(dir.RemoveAll(name)))
}

// SyncDirectory makes the names in a directory durable. "." is the state directory.
func (d *Dir) SyncDirectory(name string) error {
	if name != "." {
		if err := checkName(name); err != nil {
			return err
		}
	}
	p, err := d.use()
	if err != nil {
		return err
	}
	return fault.System(syncDir(p.dir, name), p.shown(name))
}
