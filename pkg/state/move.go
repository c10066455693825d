package state

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/fault"
)

// Move moves the entry at an absolute path to another one, which may be on another
// file system: then it is copied with its modes, times and links, and removed only
// after all of it was copied.
func Move(from, to string) error {
	err := os.Rename(from, to)
	if err == nil || !otherFileSystem(err) {
		return fault.System(err, from)
	}
	if err := copyTree(from, to); err != nil {
		return errors.Join(fault.System(err, from), os.RemoveAll(to))
	}
	return fault.System(os.RemoveAll(from), from)
}

func copyTree(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	case info.IsDir():
		if err := os.Mkdir(to, 0o700); err != nil {
			return err
		}
		entries, err := os.ReadDir(from)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := copyTree(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
				return err
			}
		}
	case info.Mode().IsRegular():
		if err := copyFile(from, to); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%s is not a file, directory or link", from)
	}
	// The mode comes last: it may make a directory read-only.
	return errors.Join(os.Chtimes(to, info.ModTime(), info.ModTime()), os.Chmod(to, info.Mode()))
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
