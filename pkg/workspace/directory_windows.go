package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

// directory is an open directory of the workspace. Its methods take bare names
// in it.
type directory struct {
	std  *os.Root
	top  *os.Root // the workspace's, for renames between directories
	path string   // of the directory, relative to top
}

func (d *directory) close() { d.std.Close() }

func (d *directory) lstat(name string) (fs.FileInfo, error) { return d.std.Lstat(name) }

func (d *directory) readlink(name string) (string, error) { return d.std.Readlink(name) }

// names returns at most limit names in the directory's own order, or all if limit
// is negative.
func (d *directory) names(limit int) ([]string, error) {
	f, err := d.std.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(limit)
}

// create makes a file that must not exist and opens it for writing.
func (d *directory) create(name string, mode fs.FileMode) (*os.File, error) {
	return d.std.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
}

// openFile opens an existing regular file, for writing or else for reading.
func (d *directory) openFile(name string, write bool) (*os.File, error) {
	i, err := d.std.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !i.Mode().IsRegular() {
		return nil, special
	}
	if write {
		return d.std.OpenFile(name, os.O_WRONLY, 0)
	}
	return d.std.Open(name)
}

// mayWrite returns nil unless the file is marked read-only.
func (d *directory) mayWrite(_ string, i fs.FileInfo) error {
	if i.Mode().Perm()&0o200 == 0 {
		return windows.ERROR_ACCESS_DENIED
	}
	return nil
}

// links returns the number of hard links of the file.
func (d *directory) links(name string, _ fs.FileInfo) int {
	f, err := d.openFile(name, false)
	if err != nil {
		return 1
	}
	defer f.Close()
	var i windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &i); err != nil {
		return 1
	}
	return int(i.NumberOfLinks)
}

func (d *directory) mkdir(name string) error { return d.std.Mkdir(name, 0o777) }

// remove removes a file, a link or an empty directory.
func (d *directory) remove(name string, _ bool) error {
	err := d.std.Remove(name)
	if !errors.Is(err, windows.ERROR_INVALID_FUNCTION) {
		return err
	}
	at, openErr := d.std.Open(".")
	if openErr != nil {
		return errors.Join(err, openErr)
	}
	defer at.Close()
	return removeOnClose(at, name)
}

// rename moves name into a directory, which may be this one, under the name to,
// and replaces a file that is there.
func (d *directory) rename(name string, into *directory, to string) error {
	if d.path == into.path {
		return d.std.Rename(name, to)
	}
	return d.top.Rename(d.below(name), into.below(to))
}

// replace is rename between directories of different workspaces. In between, the file
// has a temporary name beside the one that it replaces.
func (d *directory) replace(name string, into *directory, to string) error {
	temp := temporaryName()
	if err := d.renameNew(name, into, temp, false); err != nil {
		return err
	}
	if err := into.rename(temp, into, to); err != nil {
		return errors.Join(err, into.renameNew(temp, d, name, false))
	}
	return nil
}

// link fails: a name is given by a path, which may lead elsewhere by then.
func (d *directory) link(string, *directory, string) error { return errors.ErrUnsupported }

// toEnd makes the next write to a file append to it.
func toEnd(f *os.File) error {
	_, err := f.Seek(0, io.SeekEnd)
	return err
}

// setTime sets when an open file of the directory was last changed.
func setTime(f *os.File, _ *directory, _ string, at time.Time) error {
	t := windows.NsecToFiletime(at.UnixNano())
	return windows.SetFileTime(windows.Handle(f.Fd()), nil, nil, &t)
}

func (d *directory) below(name string) string {
	return filepath.FromSlash(path.Join(d.path, name))
}

// renameNew is rename for a target that must not exist, even if another process
// makes it meanwhile.
func (d *directory) renameNew(name string, into *directory, to string, _ bool) error {
	from, err := d.std.Open(".")
	if err != nil {
		return err
	}
	defer from.Close()
	dest, err := into.std.Open(".")
	if err != nil {
		return err
	}
	defer dest.Close()
	return moveNew(from, name, dest, to)
}

// chmod sets or clears the read-only mark.
func (d *directory) chmod(name string, mode fs.FileMode) error { return d.std.Chmod(name, mode) }

// sync does nothing: NTFS journals names.
func (d *directory) sync() error { return nil }

func ignoreUnsupported(err error) error {
	if errors.Is(err, windows.ERROR_NOT_SUPPORTED) || errors.Is(err, windows.ERROR_INVALID_FUNCTION) {
		return nil
	}
	return err
}

// symlink makes a link that must not exist.
func (d *directory) symlink(target, name string) error { return d.std.Symlink(target, name) }

// mayAdd returns true: only trying shows what an access control list allows.
func (d *directory) mayAdd() bool { return true }
