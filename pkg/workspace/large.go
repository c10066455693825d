package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Open opens a regular file for reading. It follows no link.
func (t Tree) Open(name string) (*os.File, error) {
	d, rel, p, err := t.enter(name, MoveOut) // follows no link, and allows what may only be moved
	if err != nil {
		return nil, err
	}
	defer d.close()
	f, err := d.openFile(path.Base(rel), false)
	if err != nil {
		return nil, t.root.failure(err, p)
	}
	return f, nil
}

// Stage makes a file that is to replace the one at name: item, a free path below the
// absolute directory snapshots. fill writes its bytes, and may be called again; owner,
// extended attributes and mode are those of the old file, as with [Root.WriteFile]. It
// is on the disk when Stage returns. On Linux a process that is killed before leaves
// nothing.
func (t Tree) Stage(name, snapshots, item string, fill func(io.Writer) error) error {
	src, rel, old, err := t.file(name)
	if err != nil {
		return err
	}
	defer src.close()
	if err := src.mayWrite(path.Base(rel), old); err != nil {
		return t.root.failure(err, pathAt(rel))
	}
	return below(snapshots, item, func(dst *directory, base string) error {
		complete := func(t *temporary) error {
			if err := fill(t.file); err != nil {
				return err
			}
			t.inherit(src, path.Base(rel), old)
			return errors.Join(t.file.Chmod(keptMode(old)), syncFile(t.file))
		}
		if u := dst.newUnnamed(0o600); u != nil {
			err := complete(u)
			if err == nil {
				err = giveName(u.file, dst, base)
			}
			if err = errors.Join(err, u.file.Close()); !errors.Is(err, errUnnamed) {
				return err
			}
		}
		f, err := dst.create(base, 0o600)
		if err != nil {
			return err
		}
		if err := errors.Join(complete(&temporary{dir: dst, name: base, file: f}), f.Close()); err != nil {
			return errors.Join(err, dst.remove(base, false))
		}
		return nil
	})
}

// below opens the directory of item below another one, and syncs it after do.
func below(dir, item string, do func(d *directory, base string) error) error {
	r, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	d, rel, p, err := Tree{r}.enter(item, MoveIn)
	if err != nil {
		return errors.Join(err, r.Close())
	}
	err = do(d, path.Base(rel))
	if err == nil {
		err = d.sync()
	}
	d.close()
	if err != nil {
		err = r.failure(err, p)
	}
	return errors.Join(err, r.Close())
}

// file opens the directory of a regular file and describes the file.
func (t Tree) file(name string) (d *directory, rel string, old fs.FileInfo, err error) {
	d, rel, p, err := t.enter(name, schema.WritePath)
	if err != nil {
		return nil, "", nil, err
	}
	old, err = d.lstat(path.Base(rel))
	switch {
	case err != nil:
	case rel != name || old.Mode()&fs.ModeSymlink != 0:
		err = swapped
	case !old.Mode().IsRegular():
		err = special
	}
	if err != nil {
		d.close()
		return nil, "", nil, t.root.failure(err, p)
	}
	return d, rel, old, nil
}

// Apart reports whether no file can be renamed from the directory snapshots over the
// one at name, as they are on different file systems.
func (t Tree) Apart(name, snapshots string) bool {
	err := t.link(name, snapshots, temporaryName())
	return errors.Is(err, syscall.EXDEV)
}

// link gives a file a second name, and takes that away again if it is temporary.
func (t Tree) link(name, snapshots, item string) error {
	src, rel, _, err := t.file(name)
	if err != nil {
		return err
	}
	defer src.close()
	return below(snapshots, item, func(dst *directory, base string) error {
		err := src.link(path.Base(rel), dst, base)
		if err == nil && IsTemporary(base) {
			return dst.remove(base, false)
		}
		return err
	})
}

// Keep keeps the file at name as item, a free path below snapshots, so that it lasts
// when another one is installed. With apart it is a copy, which also lasts when the
// file is overwritten.
func (t Tree) Keep(name, snapshots, item string, apart bool) error {
	if !apart && t.link(name, snapshots, item) == nil {
		return nil
	}
	var at time.Time
	err := t.Stage(name, snapshots, item, func(w io.Writer) error {
		f, err := t.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		at = info.ModTime()
		_, err = io.Copy(w, f)
		return err
	})
	if err != nil {
		return err
	}
	return below(snapshots, item, func(d *directory, base string) error {
		f, err := d.openFile(base, true)
		if err != nil {
			return err
		}
		return errors.Join(setTime(f, d, base, at), f.Close())
	})
}

// Install renames item below snapshots over the file at name.
func (t Tree) Install(snapshots, item, name string) error {
	dst, rel, _, err := t.file(name)
	if err != nil {
		return err
	}
	defer dst.close()
	err = below(snapshots, item, func(src *directory, base string) error { return src.replace(base, dst, path.Base(rel)) })
	if err != nil {
		return err
	}
	return fault.System(dst.sync(), name)
}

// Rewrite overwrites the file at name in place: fill writes its new bytes from the
// start. A crash leaves a mixture of old and new bytes. at is when it changed.
func (t Tree) Rewrite(name string, at time.Time, fill func(io.Writer) error) error {
	return t.inPlace(name, at, func(f *os.File, _ int64) error {
		if err := fill(f); err != nil {
			return err
		}
		end, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return err
		}
		return f.Truncate(end)
	})
}

// Extend makes the file at name, which must have size bytes, end after keep of them, and
// then with data. Of a failure, such as a full disk, nothing is left, and what another
// process appends at the same time stays. at is when the file changed.
func (t Tree) Extend(name string, size, keep int64, data []byte, at time.Time) error {
	return t.inPlace(name, at, func(f *os.File, is int64) error {
		if is != size {
			return swapped
		}
		if keep < size {
			if err := f.Truncate(keep); err != nil {
				return err
			}
		}
		if len(data) == 0 {
			return nil
		}
		if err := toEnd(f); err != nil {
			return err
		}
		n, err := f.Write(data)
		if err == nil {
			return nil
		}
		if now, statErr := f.Stat(); statErr != nil || now.Size() != keep+int64(n) {
			return err // somebody else's bytes are there, too
		}
		return errors.Join(err, f.Truncate(keep))
	})
}

// inPlace calls change with a file and its size, to overwrite it, and then syncs it.
func (t Tree) inPlace(name string, at time.Time, change func(f *os.File, size int64) error) error {
	d, rel, old, err := t.file(name)
	if err != nil {
		return err
	}
	defer d.close()
	if d.links(path.Base(rel), old) > 1 && t.root.isProtectedFile(old) {
		return protectedFault(pathAt(rel))
	}
	f, err := d.openFile(path.Base(rel), true)
	if err != nil {
		return t.root.failure(err, pathAt(rel))
	}
	defer f.Close()
	now, err := f.Stat()
	if err == nil && !sameFile(now, old) {
		err = swapped
	}
	if err == nil {
		err = change(f, now.Size())
	}
	if err == nil {
		err = setTime(f, d, path.Base(rel), at)
	}
	if err != nil {
		return t.root.failure(err, pathAt(rel))
	}
	if err := syncFile(f); err != nil {
		return unsure(err, pathAt(rel))
	}
	return nil
}
