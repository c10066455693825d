package workspace

import (
	"io"
	"io/fs"
	"path"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Tree is the workspace as a journal of its changes needs it: entry by entry,
// no link followed, and every change on the disk when a method returns.
type Tree struct{ root *Root }

// Tree gives that view of the workspace.
func (r *Root) Tree() Tree { return Tree{r} }

// Lstat describes what stands at a path, a symbolic link itself.
func (t Tree) Lstat(name string) (fs.FileInfo, error) { return t.root.Lstat(name) }

// ReadFile is the bytes of a regular file, never those behind a link.
func (t Tree) ReadFile(name string) ([]byte, error) {
	d, rel, _, err := t.root.enter(name, MoveOut, false) // which follows no link, and may be of what only moves
	if err != nil {
		return nil, err
	}
	defer d.close()
	f, err := d.openFile(path.Base(rel), false)
	if err != nil {
		return nil, t.root.failure(err, name)
	}
	defer f.Close()
	raw, err := io.ReadAll(f)
	if err != nil {
		return nil, fault.System(err, name)
	}
	return raw, nil
}

// Readlink is what a symbolic link points to.
func (t Tree) Readlink(name string) (string, error) { return t.root.ReadLink(name) }

// WriteFile makes a regular file or replaces one as a whole. Mode 0 keeps the
// mode of the file that is there and gives a new file the default. It finds what
// dead processes left by itself, so the name proposed for a temporary file is
// not needed.
func (t Tree) WriteFile(name string, data []byte, mode fs.FileMode, _ string) error {
	_, err := t.root.WriteFile(name, data, WriteOptions{Mode: mode})
	return err
}

// InPlace reports whether WriteFile would overwrite the file where it is.
func (t Tree) InPlace(name string) bool {
	d, rel, _, err := t.root.enter(name, schema.RemovePath, false)
	if err != nil {
		return false
	}
	defer d.close()
	i, err := d.lstat(path.Base(rel))
	return err == nil && i.Mode().IsRegular() && (d.links(path.Base(rel), i) > 1 || !d.mayAdd())
}

// Symlink makes a symbolic link where nothing stands. Where it points plays no
// part: what leads out is refused when it is followed.
func (t Tree) Symlink(target, name string) error {
	d, rel, _, err := t.root.enter(name, schema.CreatePath, false)
	if err != nil {
		return err
	}
	defer d.close()
	if err := d.symlink(target, path.Base(rel)); err != nil {
		return t.root.writeFailure(err, name)
	}
	return fault.System(d.sync(), name)
}

// Rename moves what stands at from, replacing a file or link at to.
func (t Tree) Rename(from, to string) error { return t.root.Rename(from, to, true) }

// Remove deletes a file or a symbolic link.
func (t Tree) Remove(name string) error { return t.remove(name, false) }

// Rmdir deletes an empty directory and nothing else.
func (t Tree) Rmdir(name string) error { return t.remove(name, true) }

func (t Tree) remove(name string, dir bool) error {
	i, err := t.root.Lstat(name)
	if err != nil {
		return err
	}
	if i.IsDir() != dir {
		return fault.New(fault.Conflict, fault.T("%s is not what it was a moment ago", "%s 已不是刚才的内容", name)).
			WithHint(fault.T("look at it again", "请重新查看"))
	}
	return t.root.Remove(name)
}

// Mkdir makes one directory with a mode, of which the process's umask takes
// bits away.
func (t Tree) Mkdir(name string, mode fs.FileMode) error {
	if err := t.root.Mkdir(name); err != nil || mode.Perm() == fs.ModePerm {
		return err
	}
	i, err := t.root.Lstat(name)
	if err != nil {
		return err
	}
	return t.root.Chmod(name, i.Mode().Perm()&mode.Perm())
}

// Chmod sets the permission bits of a file or directory.
func (t Tree) Chmod(name string, mode fs.FileMode) error { return t.root.Chmod(name, mode) }
