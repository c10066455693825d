package workspace

import (
	"io"
	"io/fs"
	"path"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Tree is the workspace as package journal needs it: its methods follow no link,
// and a change is on the disk when they return.
type Tree struct{ root *Root }

// Tree returns the workspace as a [Tree].
func (r *Root) Tree() Tree { return Tree{r} }

// Restorer returns the workspace as a [Tree] that may also change what is protected,
// such as the files of a repository, to restore what a command changed. It changes
// neither .helve nor [Options.Reserved].
func (r *Root) Restorer() Tree {
	free := *r
	free.restores = true
	return Tree{&free}
}

// enter cleans a path and opens the directory of the entry there, as [Root.enter] does.
func (t Tree) enter(name string, use schema.PathUse) (d *directory, rel string, p Path, err error) {
	if p, err = t.root.Clean(name); err != nil {
		return nil, "", p, err
	}
	d, rel, _, err = t.root.enter(p, use, false)
	return d, rel, p, err
}

// with cleans a path and passes it on.
func with[T any](t Tree, name string, do func(Path) (T, error)) (T, error) {
	p, err := t.root.Clean(name)
	if err != nil {
		var none T
		return none, err
	}
	return do(p)
}

// Lstat describes the entry at a path; of a symbolic link, the link itself.
func (t Tree) Lstat(name string) (fs.FileInfo, error) { return with(t, name, t.root.Lstat) }

// ReadFile returns the bytes of a regular file. It follows no link.
func (t Tree) ReadFile(name string) ([]byte, error) {
	f, err := t.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(f)
	if err != nil {
		return nil, fault.System(err, name)
	}
	return raw, nil
}

// Readlink returns the target of a symbolic link.
func (t Tree) Readlink(name string) (string, error) { return with(t, name, t.root.ReadLink) }

// WriteFile makes a regular file or replaces one atomically. Mode 0 keeps the mode
// of an existing file and gives a new one the default. It finds the temporary files
// of dead processes without the name that the journal proposes.
func (t Tree) WriteFile(name string, data []byte, mode fs.FileMode, _ string) error {
	_, err := with(t, name, func(p Path) (Written, error) { return t.root.WriteFile(p, data, WriteOptions{Mode: mode}) })
	return err
}

// InPlace reports whether WriteFile would overwrite the file in place.
func (t Tree) InPlace(name string) bool {
	d, rel, _, err := t.enter(name, schema.RemovePath)
	if err != nil {
		return false
	}
	defer d.close()
	i, err := d.lstat(path.Base(rel))
	return err == nil && i.Mode().IsRegular() && (d.links(path.Base(rel), i) > 1 || !d.mayAdd())
}

// Links returns how many names a regular file has; 0 of anything else.
func (t Tree) Links(name string) int {
	d, rel, _, err := t.enter(name, schema.RemovePath)
	if err != nil {
		return 0
	}
	defer d.close()
	i, err := d.lstat(path.Base(rel))
	if err != nil || !i.Mode().IsRegular() {
		return 0
	}
	return d.links(path.Base(rel), i)
}

// SameFile is os.SameFile for what [Tree.Lstat] returns, which that does not know.
func SameFile(a, b fs.FileInfo) bool { return sameFile(a, b) }

// Symlink makes a symbolic link at a free path. Its target may be outside: such a
// link is refused when it is followed.
func (t Tree) Symlink(target, name string) error {
	d, rel, p, err := t.enter(name, schema.CreatePath)
	if err != nil {
		return err
	}
	defer d.close()
	if err := d.symlink(target, path.Base(rel)); err != nil {
		return t.root.writeFailure(err, p)
	}
	return fault.System(d.sync(), name)
}

// Rename moves the entry at from and replaces a file or link at to.
func (t Tree) Rename(from, to string) error {
	a, err := t.root.Clean(from)
	if err != nil {
		return err
	}
	b, err := t.root.Clean(to)
	if err != nil {
		return err
	}
	return t.root.Rename(a, b, true)
}

// Remove deletes a file or a symbolic link.
func (t Tree) Remove(name string) error { return t.remove(name, false) }

// Rmdir deletes an empty directory and nothing else.
func (t Tree) Rmdir(name string) error { return t.remove(name, true) }

func (t Tree) remove(name string, dir bool) error {
	p, err := t.root.Clean(name)
	if err != nil {
		return err
	}
	i, err := t.root.Lstat(p)
	if err != nil {
		return err
	}
	if i.IsDir() != dir {
		return fault.New(fault.Conflict, fault.T("%s has just changed", name)).
			WithHint(fault.T("read it again"))
	}
	return t.root.Remove(p)
}

// Mkdir makes one directory with a mode, to which the process's umask applies.
func (t Tree) Mkdir(name string, mode fs.FileMode) error {
	p, err := t.root.Clean(name)
	if err != nil {
		return err
	}
	if err := t.root.Mkdir(p); err != nil || mode.Perm() == fs.ModePerm {
		return err
	}
	i, err := t.root.Lstat(p)
	if err != nil {
		return err
	}
	return t.root.Chmod(p, i.Mode().Perm()&mode.Perm())
}

// Chmod sets the permission bits of a file or directory.
func (t Tree) Chmod(name string, mode fs.FileMode) error {
	p, err := t.root.Clean(name)
	if err != nil {
		return err
	}
	return t.root.Chmod(p, mode)
}
