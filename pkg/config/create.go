package config

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/fault"
)

// Create writes a file that must not exist yet, with the mode 0600, or 0644 for the
// workspace's own; else the error is already_exists, and what is there stays. Its directory
// is made. Nobody sees a part of the file. Links of the workspace are not followed out of
// it.
func Create(f File, data []byte) error {
	top, mode, shut := f.Root, fs.FileMode(0o644), fs.FileMode(0o755)
	if f.Source != Workspace {
		top, mode, shut = filepath.Dir(f.Path), 0o600, 0o700
		if err := os.MkdirAll(top, shut); err != nil {
			return fault.System(err, top)
		}
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return fault.System(err, top)
	}
	defer root.Close()
	name, err := filepath.Rel(top, f.Path)
	if err != nil {
		return fault.System(err, f.Path)
	}
	if err := root.MkdirAll(filepath.Dir(name), shut); err != nil {
		return outOf(err, f.Path)
	}
	tmp := name + "." + rand.Text() + ".tmp"
	if err := fill(root, tmp, data, mode); err != nil {
		return errors.Join(outOf(err, f.Path), gone(root, tmp))
	}
	err = root.Link(tmp, name)
	if err != nil && !errors.Is(err, fs.ErrExist) { // such as on a file system without links
		if err = fill(root, name, data, mode); err != nil && !errors.Is(err, fs.ErrExist) {
			err = errors.Join(err, gone(root, name))
		}
	}
	return errors.Join(outOf(err, f.Path), gone(root, tmp))
}

// fill writes a new file.
func fill(root *os.Root, name string, data []byte, mode fs.FileMode) error {
	out, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	if err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// gone removes a file that may be there.
func gone(root *os.Root, name string) error {
	if err := root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// outOf returns the fault of a step that makes a file.
func outOf(err error, path string) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return fault.New(fault.AlreadyExists, fault.T("there is already a file %s", path)).
			WithHint(fault.T("move it away, or name another one")).Because(err)
	}
	if left := absent(err, path); left != nil {
		return left
	}
	return fault.System(err, path)
}
