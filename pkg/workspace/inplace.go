package workspace

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
)

// needsInPlace reports whether replacing the file failed in a way that still allows
// to overwrite it: no file can be made in the directory, or none can be renamed
// over this one.
func needsInPlace(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) ||
		errors.Is(err, syscall.EXDEV) || errors.Is(err, syscall.EBUSY)
}

// inPlace overwrites the existing file.
func (w *writing) inPlace() error {
	if w.dir.links(w.name, w.old) > 1 && w.root.isProtectedFile(w.old) {
		return protectedFault(w.path)
	}
	w.probe("open in place")
	f, err := w.dir.openFile(w.name, true)
	if errors.Is(err, syscall.ELOOP) {
		return swapped
	}
	if err != nil {
		return err
	}
	defer f.Close()
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if !sameFile(now, w.old) {
		return swapped
	}
	w.done.InPlace = true
	if err := w.overwrite(f, now.Size()); err != nil {
		return err
	}
	if w.opts.Mode != 0 {
		w.probe("chmod in place")
		if err := f.Chmod(w.opts.Mode.Perm()); err != nil {
			return err
		}
	}
	w.probe("sync in place")
	if err := syncFile(f); err != nil {
		return unsure(err, w.path)
	}
	return nil
}

// overwrite first writes the bytes beyond the old end, which needs space and can be
// undone, and then those before it.
func (w *writing) overwrite(f *os.File, size int64) error {
	old := min(size, int64(len(w.data)))
	w.probe("extend in place")
	if _, err := f.WriteAt(w.data[old:], old); err != nil && int64(len(w.data)) > size {
		return errors.Join(err, f.Truncate(size))
	}
	w.probe("write in place")
	if n, err := f.WriteAt(w.data[:old], 0); err != nil {
		if n == 0 && int64(len(w.data)) > size {
			return errors.Join(err, f.Truncate(size))
		}
		return fault.New(fault.IOError,
			fault.T("writing %s stopped after %d of %d bytes: %s",
				w.path.given, n, len(w.data), reason(err))).
			WithHint(fault.T("the file has new and old contents; read it, then write it again or undo")).Because(err)
	}
	w.probe("truncate in place")
	return f.Truncate(int64(len(w.data)))
}
