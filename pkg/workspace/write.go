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
	// Create refuses a path that exists, be it as a dangling link, whoever else
	// is making it at the same time.
	Create bool
	// Parents makes the directories that are missing above the file.
	Parents bool
	// Mode are the permission bits that the file gets exactly. 0 keeps those of
	// an existing file; a new one then gets 0666 less the umask.
	Mode fs.FileMode
	// Probe, if set, is called with the name of each step right before it is
	// taken. It is there for tests that break off between two of them.
	Probe func(step string)
}

// Written is what [Root.WriteFile] did. Dirs is complete also when it failed.
type Written struct {
	Path    string   // of the file itself, links resolved
	Created bool     // nothing was there before
	InPlace bool     // the file was overwritten where it is, which is not atomic
	Dirs    []string // directories that were made above it, from the top
}

// WriteFile puts data into the file name. A crash at any moment leaves the old
// contents or the new ones: they go into a temporary file beside it, are made
// durable, and take the file's place by a rename. Mode, owner and extended
// attributes are kept where the system allows it; a setuid bit, and a setgid
// bit that takes effect, are dropped, as the kernel does on a write. Through a
// link the target is written, if it is inside. A file that this process could
// not open for writing is refused, although a rename could replace it.
//
// Three kinds of file are overwritten where they are: one that has several hard
// links, which all keep showing the same contents; one in a directory where no
// file can be made; one that cannot be renamed over, such as a mount point. A
// crash then may leave a mixture. A lack of space is found before the old
// contents are touched, except where a file system needs space to overwrite.
func (r *Root) WriteFile(name string, data []byte, o WriteOptions) (Written, error) {
	if strings.HasSuffix(filepath.ToSlash(name), "/") {
		return Written{}, fault.New(fault.IsDirectory, fault.T("%s names a directory", "%s 表示目录", name)).
			WithHint(fault.T("name the file to write", "请指定要写入的文件"))
	}
	use := schema.WritePath
	if o.Create {
		use = schema.CreatePath
	}
	var done Written
	for range attempts {
		d, rel, made, err := r.enter(name, use, o.Parents)
		done.Path = rel
		done.Dirs = append(done.Dirs, made...)
		if err != nil {
			return done, err
		}
		w := writing{root: r, dir: d, asked: name, name: path.Base(rel), data: data, opts: o, done: &done}
		err = w.run()
		d.close()
		if !errors.Is(err, swapped) {
			return done, r.writeFailure(err, name)
		}
	}
	return done, r.refused(swapped, name)
}

func (r *Root) writeFailure(err error, name string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return fault.New(fault.AlreadyExists, fault.T("already exists: %s", "已存在: %s", name)).
			WithHint(fault.T("choose another path, or overwrite it on purpose", "请换一个路径，或明确选择覆盖")).Because(err)
	case errors.Is(err, syscall.EISDIR):
		return fault.New(fault.IsDirectory, fault.T("%s is a directory", "%s 是目录", name)).
			WithHint(fault.T("name the file to write", "请指定要写入的文件")).Because(err)
	}
	return r.failure(err, name)
}

// writing is one WriteFile whose directory is open. Its methods give swapped
// when another process got in between and all has to be looked at anew.
type writing struct {
	root  *Root
	dir   *directory
	asked string // the path as the caller wrote it
	name  string // in dir
	data  []byte
	opts  WriteOptions
	done  *Written
	old   fs.FileInfo // nil if there is nothing yet
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
		return swapped // links were resolved, so it was put there since
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

// replace writes a temporary file and moves it to the name.
func (w *writing) replace() error {
	w.probe("create")
	t, err := w.dir.newTemporary(w.temporaryMode(), w.probe)
	if err != nil {
		return err
	}
	if err := w.fill(t); err != nil {
		return errors.Join(err, t.discard())
	}
	w.probe("rename")
	if err := t.publish(w.name, w.old == nil); err != nil {
		err = errors.Join(err, t.discard())
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return swapped // the temporary file was taken away, or the directory
		case errors.Is(err, fs.ErrExist) && !w.opts.Create:
			return swapped // made by another process; its mode is to be kept
		}
		return err
	}
	w.done.Created = w.old == nil
	w.probe("sync directory")
	if err := errors.Join(t.close(), w.dir.sync()); err != nil {
		return unsure(err, w.asked)
	}
	w.probe("clean")
	w.dir.removeStale()
	return nil
}

// temporaryMode leaves a file that replaces another to its owner until it has
// the other's mode; a new one is given its mode by the kernel, which knows the
// umask and the directory's default access list.
func (w *writing) temporaryMode() fs.FileMode {
	if w.old == nil && w.opts.Mode == 0 {
		return 0o666
	}
	return 0o600
}

// fill gives the temporary file all that the file is to have.
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

// mode is what the file's mode has to be set to, or 0 to leave it.
func (w *writing) mode() fs.FileMode {
	switch {
	case w.opts.Mode != 0:
		return w.opts.Mode.Perm()
	case w.old == nil:
		return 0
	}
	keep := w.old.Mode() & (fs.ModePerm | fs.ModeSticky)
	if w.old.Mode()&0o010 == 0 {
		keep |= w.old.Mode() & fs.ModeSetgid // without group execution it gives no rights
	}
	return keep
}

// unsure is the fault of contents that are in place while the disk does not
// promise to keep them.
func unsure(err error, name string) error {
	return fault.New(fault.IOError,
		fault.T("%s was written, but the disk does not confirm it: %s", "%s 已写入，但磁盘未确认: %s", name, reason(err))).
		WithHint(fault.T("read the file to see what it holds", "请读取该文件确认其内容")).Because(err)
}

func reason(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	return err.Error()
}
