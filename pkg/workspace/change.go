package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// enter resolves p and opens the directory of the entry it leads to, so that the
// change happens in that directory whatever happens to the path. With parents,
// missing directories are made and returned from the top. The root itself is
// refused, as it is no entry of a directory of the workspace.
func (r *Root) enter(p Path, use schema.PathUse, parents bool) (d *directory, rel string, made []string, err error) {
	for range attempts {
		if rel, err = r.canonical(p.rel, follows(use)); err != nil {
			break
		}
		if err = r.guard(p, rel, use); err != nil {
			return nil, "", made, err
		}
		if rel == "." {
			return nil, "", made, isRoot(p)
		}
		var more []string
		d, more, err = r.handle.directory(path.Dir(rel), parents)
		made = append(made, more...)
		if err == nil {
			return d, rel, made, nil
		}
		if errors.Is(err, fs.ErrNotExist) && use != schema.RemovePath {
			return nil, "", made, r.noParent(p)
		}
		if !unsettled(err) && !isNotDir(err) { // canonical saw only directories
			break
		}
		err = swapped
	}
	return nil, "", made, r.failure(err, p)
}

// Create makes a file that does not exist, with the directories above it, and
// opens it for writing. Writes are neither atomic nor durable: it is for long
// streams that may be cut off. The caller closes it.
func (r *Root) Create(p Path) (*os.File, error) {
	d, rel, _, err := r.enter(p, schema.CreatePath, true)
	if err != nil {
		return nil, err
	}
	defer d.close()
	f, err := d.create(path.Base(rel), 0o666)
	if err != nil {
		return nil, r.writeFailure(err, p)
	}
	return f, nil
}

// Mkdir makes a directory whose parent exists.
func (r *Root) Mkdir(p Path) error {
	d, rel, _, err := r.enter(p, schema.CreatePath, false)
	if err != nil {
		return err
	}
	defer d.close()
	if err := d.mkdir(path.Base(rel)); err != nil {
		return r.failure(err, p)
	}
	return fault.System(d.sync(), p.given)
}

// MkdirAll makes a directory and those missing above it. It returns the paths of
// the directories it made, from the top.
func (r *Root) MkdirAll(p Path) (made []string, err error) {
	for range attempts {
		var rel string
		if rel, err = r.canonical(p.rel, true); err != nil {
			break
		}
		if err := r.guard(p, rel, schema.CreatePath); err != nil {
			return made, err
		}
		d, more, dirErr := r.handle.directory(rel, true)
		made = append(made, more...)
		if err = dirErr; err == nil {
			d.close()
			return made, nil
		}
		if i, lstatErr := r.lstat(rel); lstatErr == nil && !i.IsDir() && i.Mode()&fs.ModeSymlink == 0 {
			err = fs.ErrExist
		}
		if !unsettled(err) && !isNotDir(err) {
			break
		}
		err = swapped
	}
	return made, r.failure(err, p)
}

// Remove removes a file, a link (not its target) or an empty directory.
func (r *Root) Remove(p Path) error {
	d, rel, _, err := r.enter(p, schema.RemovePath, false)
	if err != nil {
		return err
	}
	defer d.close()
	i, err := d.lstat(path.Base(rel))
	if err != nil {
		return r.failure(err, p)
	}
	if err := d.remove(path.Base(rel), i.IsDir()); err != nil {
		if i.IsDir() && errors.Is(err, fs.ErrExist) {
			return fault.New(fault.IsDirectory, fault.T("%s is a directory that is not empty", p.given)).
				WithHint(fault.T("remove its contents first")).Because(err)
		}
		return r.failure(err, p)
	}
	return fault.System(d.sync(), p.given)
}

// Rename moves the entry from, even if it is a link, to to, whose parent must
// exist. An entry at to is replaced only with overwrite, and never if it is a
// directory that is not empty.
func (r *Root) Rename(from, to Path, overwrite bool) error {
	src, srcRel, _, err := r.enter(from, schema.RemovePath, false)
	if err != nil {
		return err
	}
	defer src.close()
	old, err := src.lstat(path.Base(srcRel))
	if err != nil {
		return r.failure(err, from)
	}
	dst, dstRel, _, err := r.enter(to, replaceEntry, false)
	if err != nil {
		return err
	}
	defer dst.close()
	if old.IsDir() {
		for _, end := range [...]struct {
			named Path
			rel   string
		}{{from, srcRel}, {to, dstRel}} {
			if r.inRepository(end.rel) {
				return protectedFault(end.named)
			}
		}
		if dstRel != srcRel && Within(dstRel, srcRel) {
			return fault.New(fault.InvalidArguments,
				fault.T("%s cannot be moved into itself: %s", from.given, to.given)).
				WithHint(fault.T("choose a path outside of it"))
		}
	}
	// The last name of to counts as it is written, not as the directory has it,
	// because a move may change only the case.
	move := entryMove{src, dst, path.Base(srcRel), path.Base(to.rel), old}
	if err := move.run(overwrite); err != nil {
		return r.moveFailure(err, from, to)
	}
	return fault.System(errors.Join(dst.sync(), src.sync()), to.given)
}

func (r *Root) moveFailure(err error, from, to Path) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r.failure(err, from)
	case errors.Is(err, syscall.EXDEV):
		return fault.New(fault.Unsupported,
			fault.T("%s and %s are on different file systems", from.given, to.given)).
			WithHint(fault.T("write the contents to the new path, then delete the old one")).
			Because(err)
	case errors.Is(err, syscall.ENOTEMPTY):
		return fault.New(fault.AlreadyExists,
			fault.T("%s is a directory that is not empty", to.given)).
			WithHint(fault.T("choose another name, or remove its contents first")).Because(err)
	case errors.Is(err, syscall.ENOTDIR):
		return fault.New(fault.NotADirectory,
			fault.T("%s is not a directory and cannot be replaced by one", to.given)).
			WithHint(fault.T("choose another name")).Because(err)
	}
	return r.failure(err, to)
}

// entryMove is a move between two open directories.
type entryMove struct {
	src, dst *directory
	from, to string
	old      fs.FileInfo
}

func (m entryMove) run(overwrite bool) error {
	there, err := m.dst.lstat(m.to)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !overwrite:
		return m.src.renameNew(m.from, m.dst, m.to, m.old.IsDir())
	case errors.Is(err, fs.ErrNotExist):
		return m.src.rename(m.from, m.dst, m.to)
	case err != nil:
		return err
	case !sameFile(there, m.old):
		if !overwrite {
			return fs.ErrExist
		}
		return m.src.rename(m.from, m.dst, m.to)
	}
	return m.ontoItself(overwrite)
}

// ontoItself is a move between two names of one file: the same name; two spellings
// of it, where case is ignored; or two hard links, for which rename(2) does nothing
// and reports success.
func (m entryMove) ontoItself(overwrite bool) error {
	src, err := m.src.lstat(".")
	if err != nil {
		return err
	}
	dst, err := m.dst.lstat(".")
	if err != nil {
		return err
	}
	listed, err := m.dst.names(-1)
	if err != nil {
		return err
	}
	switch {
	case !slices.Contains(listed, m.to):
		return m.src.rename(m.from, m.dst, m.to)
	case !overwrite:
		return fs.ErrExist
	case m.from == m.to && sameFile(src, dst):
		return nil
	}
	return m.src.remove(m.from, m.old.IsDir())
}

// Chmod sets the permission bits (0777) of the file or directory that p leads
// to. Other bits stay.
func (r *Root) Chmod(p Path, mode fs.FileMode) error {
	d, rel, _, err := r.enter(p, schema.WritePath, false)
	if err != nil {
		return err
	}
	defer d.close()
	i, err := d.lstat(path.Base(rel))
	if err == nil && i.Mode()&fs.ModeSymlink != 0 {
		err = swapped
	}
	if err == nil {
		keep := i.Mode() & (fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
		err = d.chmod(path.Base(rel), mode.Perm()|keep)
	}
	if err != nil {
		return r.failure(err, p)
	}
	return nil
}
