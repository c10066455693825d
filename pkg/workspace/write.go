package workspace

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// WriteOptions say how a file is written. The zero value replaces a file or
// makes a new one in an existing directory.
type WriteOptions struct {
	// Create refuses a path that exists, even as a dangling link, and even if
	// another process makes it at the same time.
	Create bool
	// Parents makes the directories that are missing above the file.
	Parents bool
	// Mode is the exact permission bits of the file. 0 keeps those of an existing
	// file and means 0666 without the umask for a new one.
	Mode fs.FileMode
	// Probe, if set, is called with the name of each step right before it. Tests
	// end the process there.
	Probe func(step string)
}

// Written is the result of [Root.WriteFile]. Dirs is complete even if that failed.
type Written struct {
	Path    string   // of the file itself, links resolved
	Created bool     // nothing was there before
	InPlace bool     // the file was overwritten in place, which is not atomic
	Dirs    []string // directories that were made above it, from the top
}

// WriteFile writes data to the file at p. A crash at any moment leaves the old
// contents or the new ones: they are written to a temporary file beside it, synced,
// and renamed. Mode, owner and extended attributes are kept where the system allows
// it; a setuid bit, and a setgid bit that has an effect, are dropped, as the kernel
// does on a write. A link is followed if its target is inside. A file that this
// process could not open for writing is refused, although a rename could replace
// it.
//
// Three kinds of file are overwritten in place: one with several hard links, which
// all keep the same contents; one in a directory where no file can be made; one that
// cannot be renamed over, such as a mount point. A crash can then leave a mixture. A
// lack of space is found before the old contents change, except where a file system
// needs space to overwrite.
func (r *Root) WriteFile(p Path, data []byte, o WriteOptions) (Written, error) {
	if strings.HasSuffix(filepath.ToSlash(p.given), "/") {
		return Written{}, fault.New(fault.IsDirectory, fault.T("%s names a directory", p.given)).
			WithHint(fault.T("name the file to write"))
	}
	use := schema.WritePath
	if o.Create {
		use = schema.CreatePath
	}
	var done Written
	for range attempts {
		d, rel, made, err := r.enter(p, use, o.Parents)
		done.Path = rel
		done.Dirs = append(done.Dirs, made...)
		if err != nil {
			return done, err
		}
		w := writing{root: r, dir: d, path: p, name: path.Base(rel), data: data, opts: o, done: &done}
		err = w.run()
		d.close()
		if !errors.Is(err, swapped) {
			return done, r.writeFailure(err, p)
		}
	}
	return done, r.refused(swapped, p.given)
}

func (r *Root) writeFailure(err error, p Path) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return fault.New(fault.AlreadyExists, fault.T("already exists: %s", p.given)).
			WithHint(fault.T("choose another path, or overwrite it explicitly")).Because(err)
	case errors.Is(err, syscall.EISDIR):
		return fault.New(fault.IsDirectory, fault.T("%s is a directory", p.given)).
			WithHint(fault.T("name the file to write")).Because(err)
	}
	return r.failure(err, p)
}

// writing is one WriteFile whose directory is open. Its methods return swapped if
// another process changed something meanwhile and the write must start again.
type writing struct {
	root *Root
	dir  *directory
	path Path
	name string // in dir
	data []byte
	opts WriteOptions
	done *Written
	old  fs.FileInfo // nil if there is nothing yet
}

func (w *writing) probe(step string) {
	if w.opts.Probe != nil {
		w.opts.Probe(step)
	}
}

func (w *writing) run() error {
	w.probe("look")
	old, err := w.dir.lstat(w.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case w.opts.Create:
		return fs.ErrExist
	case old.IsDir():
		return syscall.EISDIR
	case old.Mode()&fs.ModeSymlink != 0:
		return swapped // links were resolved, so it is new
	case !old.Mode().IsRegular():
		return special
	default:
		w.old = old
		w.probe("access")
		if err := w.dir.mayWrite(w.name, old); err != nil {
			return err
		}
		if w.dir.links(w.name, old) > 1 {
			return w.inPlace()
		}
	}
	err = w.replace()
	if w.old != nil && needsInPlace(err) {
		return w.inPlace()
	}
	return err
}

// replace writes a temporary file and gives it the name. If it turns out that a file
// without a name can get none here, one with a name is written.
func (w *writing) replace() error {
	w.probe("create")
	if t := w.dir.newUnnamed(w.temporaryMode()); t != nil {
		if err := w.through(t); !errors.Is(err, errUnnamed) {
			return err
		}
	}
	t, err := w.dir.newTemporary(w.temporaryMode(), w.probe)
	if err != nil {
		return err
	}
	return w.through(t)
}

// through writes a temporary file and gives it the name.
func (w *writing) through(t *temporary) error {
	if err := w.fill(t); err != nil {
		return errors.Join(err, t.discard())
	}
	if err := w.publish(t); err != nil {
		err = errors.Join(err, t.discard())
		switch {
		case errors.Is(err, errUnnamed):
			return err
		case errors.Is(err, fs.ErrNotExist):
			return swapped // the temporary file or the directory was removed
		case errors.Is(err, fs.ErrExist) && !w.opts.Create:
			return swapped // another process made the file, whose mode must be kept
		}
		return err
	}
	w.done.Created = w.old == nil
	w.probe("sync directory")
	if err := errors.Join(t.close(), w.dir.sync()); err != nil {
		return unsure(err, w.path)
	}
	w.probe("clean")
	w.dir.removeStale()
	return nil
}

// publish gives the temporary file the name.
func (w *writing) publish(t *temporary) error {
	if t.name == "" && w.old != nil {
		w.probe("name")
		aside := w.root.aside()
		if aside != nil {
			defer aside.close()
		}
		if err := t.giveName(aside); err != nil {
			return err
		}
	}
	w.probe("rename")
	return t.publish(w.name, w.old == nil)
}

// temporaryMode returns the mode of the temporary file. One that replaces another
// file is private until it has that file's mode. The kernel gives a new file its
// mode, as it knows the umask and the directory's default access control list.
func (w *writing) temporaryMode() fs.FileMode {
	if w.old == nil && w.opts.Mode == 0 {
		return 0o666
	}
	return 0o600
}

// fill gives the temporary file its bytes, attributes and mode.
func (w *writing) fill(t *temporary) error {
	w.probe("write")
	if _, err := t.file.Write(w.data); err != nil {
		return err
	}
	if w.old != nil {
		w.probe("attributes")
		t.inherit(w.dir, w.name, w.old)
	}
	if mode := w.mode(); mode != 0 {
		w.probe("chmod")
		if err := t.file.Chmod(mode); err != nil {
			return err
		}
	}
	w.probe("sync")
	return syncFile(t.file)
}

// mode returns the mode to set, or 0 to leave it.
func (w *writing) mode() fs.FileMode {
	switch {
	case w.opts.Mode != 0:
		return w.opts.Mode.Perm()
	case w.old == nil:
		return 0
	}
	return keptMode(w.old)
}

// keptMode returns the mode of a file that replaces another one.
func keptMode(old fs.FileInfo) fs.FileMode {
	keep := old.Mode() & (fs.ModePerm | fs.ModeSticky)
	if old.Mode()&0o010 == 0 {
		keep |= old.Mode() & fs.ModeSetgid // it has no effect without group execution
	}
	return keep
}

// unsure returns the error of contents that are written but could not be synced.
func unsure(err error, p Path) error {
	return fault.New(fault.IOError,
		fault.T("%s was written, but the disk does not confirm it: %s", p.given, reason(err))).
		WithHint(fault.T("read the file to check it")).Because(err)
}

func reason(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	return err.Error()
}
