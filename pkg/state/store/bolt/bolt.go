// Package bolt keeps a store in one file of the state directory, for the processes of
// one machine. The file is one of bbolt (https://github.com/etcd-io/bbolt); see layout.go
// for what is in it.
//
// Each operation opens the file, uses it and closes it, so that a process that runs for
// long keeps no other one out. A lock of our own is around that: its waiters are in the
// kernel's queue, while those of bbolt look every 50 ms whether it is free.
package bolt

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
)

const (
	folder   = "store" // in the state directory
	fileName = "store.bolt"

	// Folder is the directory of a store, in the state directory of a workspace.
	Folder = folder

	// lockWait limits the time that an operation waits for other processes. One takes some
	// milliseconds, and there may be hundreds.
	lockWait = 30 * time.Second
)

// Store is a store in a file.
type Store struct {
	dir      *state.Dir
	remote   func(dir string) (kind string, err error) // see remote
	notifier notifier

	mu     sync.Mutex
	path   string // of the file; "" before its directory was checked
	closed bool
}

var (
	_ store.Store  = (*Store)(nil)
	_ store.Lister = (*Store)(nil)
)

// Open returns the store in a state directory. The disk is not used before the first
// call that needs it, and the file is made by the first one that writes.
func Open(dir *state.Dir) *Store {
	return &Store{dir: dir, remote: remote}
}

// View implements [store.Store].
func (s *Store) View(ctx context.Context, f func(store.Reader) error) error {
	path, writable, err := s.enter(ctx, true)
	if err != nil {
		return err
	}
	if missing(path) {
		return f(&tx{path: path})
	}
	unlock, err := s.lockReading(ctx, path, writable)
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }() // what was read is right all the same
	file, err := attach(path, true)
	if err != nil {
		return err
	}
	defer file.release()
	return file.view(s.dir.Now, func(t *tx) error { return f(t) })
}

// Update implements [store.Store]. It runs f once, as nobody else writes meanwhile.
func (s *Store) Update(ctx context.Context, f func(store.Tx) error) error {
	path, _, err := s.enter(ctx, false)
	if err != nil {
		return err
	}
	unlock, err := s.lock(ctx, path)
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }() // what was committed stays; the lock ends with the process
	if missing(path) {
		if err := s.create(path); err != nil {
			return err
		}
	}
	file, err := attach(path, false)
	if err != nil {
		return err
	}
	defer file.release()
	changed, err := file.update(ctx, s.dir.Now, s.settle, func(t *tx) error { return f(t) })
	if changed {
		s.notifier.notify()
	}
	return err
}

// Streams implements [store.Lister].
func (s *Store) Streams(ctx context.Context) (names []string, err error) {
	err = s.View(ctx, func(r store.Reader) (err error) {
		names, err = r.(*tx).streams() //nolint:forcetypeassert // View gives it
		return err
	})
	return names, err
}

// Close implements [store.Store]. It ends what Watch began.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		s.notifier.close()
	}
	return nil
}

// Warning returns why what is stored may not last; it is empty where it does.
func (s *Store) Warning() fault.Text { return s.dir.Warning() }

// enter returns the path of the file for an operation that begins, and whether it can be
// written, which it must be unless reading is all that is wanted.
func (s *Store) enter(ctx context.Context, reading bool) (path string, writable bool, err error) {
	if err := context.Cause(ctx); err != nil {
		return "", false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return "", false, fault.New(fault.Internal, fault.T("the store is closed")).
			WithHint(fault.T("this is a bug in helve; please report it"))
	}
	if s.path != "" {
		return s.path, true, nil
	}
	dir, writable, err := s.place(reading)
	if err != nil {
		return "", false, err
	}
	kind, err := s.remote(dir)
	if err != nil && (writable || !errors.Is(err, fs.ErrNotExist)) {
		return "", false, fault.System(err, dir)
	}
	if kind != "" {
		return "", false, fault.New(fault.Unsupported, fault.T("the state directory %s is on a network file system (%s), where a lock of one host may not hold for others", dir, kind)).
			WithHint(fault.T("set store.url to a NATS server, or HELVE_HOME to a directory of a local disk"))
	}
	path = filepath.Join(dir, folder, fileName)
	if writable {
		s.path = path
	}
	return path, writable, nil
}

// place returns the state directory.
func (s *Store) place(reading bool) (dir string, writable bool, err error) {
	if reading {
		return s.dir.Look()
	}
	dir, err = s.dir.Path()
	return dir, err == nil, err
}

// lock keeps all others out of the file, readers too: nobody starves, as those who wait
// for a lock that is never shared are served in turn.
func (s *Store) lock(ctx context.Context, path string) (unlock func() error, err error) {
	unlock, err = s.dir.LockWithin(ctx, lockWait, path)
	if !fault.Is(err, fault.Locked) {
		return unlock, err
	}
	busy := fault.As(err)
	return nil, fault.New(fault.Unavailable, busy.Message).WithHint(busy.Hint).WithDetails(busy.Details).Because(err)
}

// lockReading is lock for one who only reads. Where no lock can be written, the one that
// bbolt has on the file is left to keep writers out.
func (s *Store) lockReading(ctx context.Context, path string, writable bool) (unlock func() error, err error) {
	if !writable {
		return func() error { return nil }, nil
	}
	return s.lock(ctx, path)
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
