package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store/bolt/pages"
)

// pageSize is the page size of new files: the same everywhere, so that a file can be
// moved.
const pageSize = 4096

// newest is the number of the last transaction of a file that bbolt has just made.
const newest = 1

// foreignWait limits the time that a program other than helve may keep the file locked.
const foreignWait = 2 * time.Second

// file is the store's file, opened.
type file struct {
	path   string
	db     *bbolt.DB
	handle *os.File
	size   int64
	broken bool // bbolt panicked, and may still hold its own locks
}

// attach opens a file that exists. The caller has the lock.
func attach(path string, readOnly bool) (*file, error) {
	f := &file{path: path}
	err := guard(path, func() (err error) {
		f.db, err = bbolt.Open(path, 0, &bbolt.Options{
			Timeout: foreignWait, ReadOnly: readOnly, PageSize: pageSize, NoStatistics: true,
			OpenFile: func(name string, flag int, _ os.FileMode) (_ *os.File, err error) {
				// Only create makes files.
				if f.handle, err = os.OpenFile(name, flag&^os.O_CREATE, 0); err != nil {
					return nil, err
				}
				info, err := f.handle.Stat()
				if err != nil {
					return nil, err
				}
				if f.size = info.Size(); f.size < 2*pageSize {
					return nil, damaged(path, "the file was cut short")
				}
				return f.handle, nil
			},
		})
		return err
	})
	if err != nil {
		f.broken = true
		f.release()
		return nil, f.fault(err)
	}
	return f, nil
}

// release closes the file. There is nothing to do about an error: what was committed is
// on the disk, and the rest was given up.
func (f *file) release() {
	if f.broken {
		// bbolt would wait for the transaction that panicked. Its mapping stays until
		// the process ends.
		if f.handle != nil {
			unlock(f.handle)
			_ = f.handle.Close()
		}
		return
	}
	_ = guard(f.path, f.db.Close)
}

// view runs do in a transaction that reads.
func (f *file) view(now func() time.Time, do func(*tx) error) error {
	t, err := f.begin(false, now)
	if err != nil {
		return err
	}
	defer t.end()
	if err := do(t); err != nil {
		return err
	}
	return t.damage
}

// update runs do in a transaction that writes, and commits it. It reports whether
// something was changed. Into a file that is new, settle is called before.
func (f *file) update(ctx context.Context, now func() time.Time, settle func() error, do func(*tx) error) (changed bool, err error) {
	t, err := f.begin(true, now)
	if err != nil {
		return false, err
	}
	defer t.end()
	if t.bucket == nil {
		if err := settle(); err != nil {
			return false, err
		}
		if err := t.call(t.layOut); err != nil {
			return false, f.fault(err)
		}
	}
	if err := do(t); err != nil {
		return false, err
	}
	if t.damage != nil {
		return false, t.damage
	}
	if err := context.Cause(ctx); err != nil || !t.wrote {
		return false, err
	}
	if err := t.call(t.tx.Commit); err != nil {
		return false, f.fault(err)
	}
	return true, nil
}

func (f *file) begin(write bool, now func() time.Time) (*tx, error) {
	t := &tx{path: f.path, file: f, now: now}
	err := t.call(func() (err error) {
		if t.tx, err = f.db.Begin(write); err != nil {
			return err
		}
		if t.tx.Size() > f.size {
			return damaged(f.path, "the file was cut short")
		}
		switch t.bucket = t.tx.Bucket([]byte(bucketName)); {
		case t.bucket != nil:
			if err := f.checkTree(t); err != nil {
				return err
			}
			return t.checkFormat()
		case t.tx.ID() > newest && !write, t.tx.ID() > newest+1:
			return damaged(f.path, "it has no records")
		}
		return nil
	})
	if err != nil {
		t.end()
		return nil, f.fault(err)
	}
	return t, nil
}

// checkTree makes sure that bbolt comes to an end in the tree of the records.
func (f *file) checkTree(t *tx) error {
	root := uint64(t.bucket.Root())
	if root == 0 { // a small bucket is in the page above
		return nil
	}
	if err := pages.CheckBranches(f.handle, pageSize, root, uint64(t.tx.Size()/pageSize)); err != nil {
		return damaged(f.path, err.Error())
	}
	return nil
}

// fault translates an error of bbolt or of the system.
func (f *file) fault(err error) error {
	switch {
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch):
		return damaged(f.path, err.Error())
	case errors.Is(err, bolterrors.ErrTimeout):
		return fault.New(fault.Unavailable, fault.T("another program has the store open: %s", f.path)).
			WithHint(fault.T("end that program and call again")).Because(err)
	}
	return fault.System(err, f.path)
}

// guard runs a call of bbolt. Where the file is damaged, bbolt panics, or reads from its
// mapping where there is no file; that is an error here.
func guard(path string, call func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if p := recover(); p != nil {
			err = damaged(path, fmt.Sprint(p))
		}
	}()
	return call()
}

// damaged returns the error of a file that cannot be right.
func damaged(path, why string) error {
	return fault.New(fault.BadDocument, fault.T("the store %s is damaged: %s", path, why)).
		WithHint(fault.T("see what is damaged with: helve store check; save what can be read with: helve store check --repair"))
}
