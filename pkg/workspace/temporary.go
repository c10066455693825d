package workspace

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

// temporary is a file that is written beside the one it will replace.
//
// On Linux it has no name while it is written, so that nothing is left of it if its
// writer is killed. A new file then gets its final name at once. A rename must replace
// an old one, and for that the file needs a name first: it has one for a moment in the
// directory of [Options.Aside] or, if that is on another file system, beside the old
// file.
//
// Elsewhere, and on file systems without such files, it has a name in the directory
// from the start, and its writer holds a lock on it, which the kernel releases when the
// process dies. So any later writer can distinguish a file in use from a leftover,
// across containers and without trusting process IDs or clocks.
type temporary struct {
	dir  *directory
	name string // "" while it has none
	// aside is the directory that the name is in, if it is not dir.
	aside *directory
	file  *os.File
}

// staleScan limits the names of a directory among which a writer looks for the temporary
// files of writers that died. staleAge is the age from which such a file is removed where
// the file system has no locks.
const (
	staleScan = 10000
	staleAge  = time.Hour
)

const (
	temporaryPrefix = ".helve-"
	temporaryDigits = 16
)

// IsTemporary reports whether a name is that of a file that a writer has not finished,
// or left behind when it was killed. It is nobody's file: lists leave it out, and the
// next writer in its directory removes it.
func IsTemporary(name string) bool {
	digits, ok := strings.CutPrefix(name, temporaryPrefix)
	return ok && len(digits) == temporaryDigits && strings.Trim(digits, "0123456789abcdef") == ""
}

func temporaryName() string {
	const hex = "0123456789abcdef"
	name := []byte(temporaryPrefix)
	for n, i := rand.Uint64(), 0; i < temporaryDigits; i++ {
		name = append(name, hex[n&15])
		n >>= 4
	}
	return string(name)
}

// errUnnamed is the error of a system that makes no files without names, or can give
// them none.
var errUnnamed = errors.New("a file cannot get its name later")

// newUnnamed makes a temporary file without a name; nil if that is not possible here.
func (d *directory) newUnnamed(mode fs.FileMode) *temporary {
	f, err := d.createUnnamed(mode)
	if err != nil {
		return nil // the way with a name shows what else is wrong
	}
	return &temporary{dir: d, file: f}
}

// newTemporary makes and locks a temporary file with a name. In between another writer
// may remove it as a leftover; then newTemporary makes another one.
func (d *directory) newTemporary(mode fs.FileMode, probe func(string)) (*temporary, error) {
	for range attempts {
		name := temporaryName()
		f, err := d.create(name, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		t := &temporary{dir: d, name: name, file: f}
		probe("lock")
		if tryLock(f) == lockTaken || !t.hasName() {
			if err := f.Close(); err != nil {
				return nil, err
			}
			continue
		}
		return t, nil
	}
	return nil, swapped
}

// hasName reports whether the file still has its name.
func (t *temporary) hasName() bool {
	i, err := t.dir.lstat(t.name)
	if err != nil {
		return false
	}
	own, err := t.file.Stat()
	return err == nil && sameFile(i, own)
}

// publish gives the file its final name. With create it fails if the name exists;
// otherwise the file must have a name.
func (t *temporary) publish(name string, create bool) error {
	if t.name == "" && create {
		return giveName(t.file, t.dir, name)
	}
	if closeBeforeRename {
		if err := t.file.Close(); err != nil {
			return err
		}
	}
	if create {
		return t.dir.renameNew(t.name, t.dir, name, false)
	}
	if t.aside != nil {
		return t.aside.rename(t.name, t.dir, name)
	}
	return t.dir.rename(t.name, t.dir, name)
}

// giveName gives the file a name that nobody looks for: in aside or else beside the
// file that it replaces.
func (t *temporary) giveName(aside *directory) error {
	for range attempts {
		name := temporaryName()
		err := error(errUnnamed)
		if aside != nil {
			err = giveName(t.file, aside, name)
		}
		if err == nil {
			t.name, t.aside = name, aside
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			err = giveName(t.file, t.dir, name)
		}
		if err == nil {
			t.name = name
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return swapped
}

// close releases the lock on a file that was published.
func (t *temporary) close() error {
	if closeBeforeRename {
		return nil
	}
	return t.file.Close()
}

// discard removes the file.
func (t *temporary) discard() error {
	t.file.Close() // its bytes do not matter any more
	if t.name == "" {
		return nil
	}
	in := t.dir
	if t.aside != nil {
		in = t.aside
	}
	if err := in.remove(t.name, false); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// removeStale removes temporary files whose writers are dead: their lock is free
// or, where there are no locks, they have not changed for staleAge. It ignores
// errors: the write before it succeeded, and the next writer tries again.
func (d *directory) removeStale() {
	names, err := d.names(staleScan)
	if err != nil {
		return
	}
	for _, name := range names {
		if IsTemporary(name) {
			d.removeIfStale(name)
		}
	}
}

func (d *directory) removeIfStale(name string) {
	f, err := d.openFile(name, false)
	if err != nil {
		return
	}
	defer f.Close()
	i, err := f.Stat()
	if err != nil || !ownedByUs(i) {
		return
	}
	switch tryLock(f) {
	case lockTaken:
		return
	case lockUnknown:
		if time.Since(i.ModTime()) < staleAge {
			return
		}
	}
	// This is done under the lock, so a writer that has just made the file notices.
	_ = d.remove(name, false)
}

// lockState is the result of an attempt to lock.
type lockState int

const (
	lockHeld    lockState = iota // by us, until the file is closed
	lockTaken                    // by another
	lockUnknown                  // the file system has no locks
)
