package state

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/helve-dev/helve/pkg/fault"
)

// lockWait limits the time that Lock waits if neither the directory nor the context does.
const lockWait = 10 * time.Second

// patience returns how long a lock is waited for: as long as the options say, else until
// most of the time of the context is over. The rest is for what the lock is for.
func (d *Dir) patience(ctx context.Context) time.Duration {
	if d.opt.LockWait > 0 {
		return d.opt.LockWait
	}
	if end, ok := ctx.Deadline(); ok {
		return time.Until(end) * 9 / 10
	}
	return lockWait
}

// reserved begins the keys that the package and the journal lock for themselves.
// A path has no NUL, so they differ from those of callers.
const reserved = "\x00"

// Holder is the holder of a lock that could not be taken. It is the details of the
// error locked.
type Holder struct {
	Key     string  `json:"key"`
	PID     int     `json:"pid,omitzero"`
	Seconds float64 `json:"seconds,omitzero"` // for how long
}

// Lock locks keys, such as the paths of files, against every other process and
// goroutine that locks one of them, and returns a function that unlocks them all.
// Those who wait have it in turn. If that takes longer than the directory's LockWait, the
// error is locked with a [Holder]. A process that dies loses its locks at once.
//
// A caller that locks a key it already holds waits for itself.
func (d *Dir) Lock(ctx context.Context, keys ...string) (unlock func() error, err error) {
	return d.lock(ctx, false, d.patience(ctx), keys...)
}

// LockWithin is Lock with a wait of its own, for a key that many processes hold one
// after the other.
func (d *Dir) LockWithin(ctx context.Context, wait time.Duration, key string) (unlock func() error, err error) {
	return d.lock(ctx, false, wait, key)
}

// Claim locks one key if nobody holds it. The lock file is removed with the lock,
// so there may be many keys, such as one for every transaction.
func (d *Dir) Claim(key string) (release func() error, ok bool, err error) {
	p, err := d.use()
	if err != nil {
		return nil, false, err
	}
	f, ok, err := p.try(key, false)
	if err != nil || !ok {
		return nil, false, fault.System(err, shownKey(key))
	}
	return sync.OnceValue(func() error { return fault.System(dropLock(f), shownKey(key)) }), true, nil
}

func (d *Dir) lock(ctx context.Context, shared bool, wait time.Duration, keys ...string) (unlock func() error, err error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	p, err := d.use()
	if err != nil {
		return nil, err
	}
	// The same order for everybody keeps two callers from waiting for each other.
	keys = slices.Compact(slices.Sorted(slices.Values(keys)))
	ctx, cancel := context.WithTimeoutCause(ctx, wait, errWaited)
	defer cancel()

	var held []*flock.Flock
	release := sync.OnceValue(func() error {
		var errs []error
		for _, f := range slices.Backward(held) {
			errs = append(errs, fault.System(f.Unlock(), f.Path()))
		}
		return errors.Join(errs...)
	})
	for _, key := range keys {
		f, err := d.inTurn(ctx, p, key, shared)
		if errors.Is(err, errWaited) {
			err = d.busy(p, key, wait)
		}
		if err != nil {
			return nil, errors.Join(err, release())
		}
		held = append(held, f)
	}
	return release, nil
}

var errWaited = errors.New("waited long enough")

// inTurn waits for one lock behind those who came before. A queue that cannot be used costs
// nobody more than his turn.
func (d *Dir) inTurn(ctx context.Context, p *opened, key string, shared bool) (*flock.Flock, error) {
	if !shared {
		leave, err := p.stand(ctx, key)
		if cause := context.Cause(ctx); err != nil && errors.Is(err, cause) {
			return nil, cause
		}
		if err == nil {
			defer leave()
		}
	}
	return d.await(ctx, p, key, shared)
}

// await waits for one lock in the kernel's queue, so that nobody polls.
func (d *Dir) await(ctx context.Context, p *opened, key string, shared bool) (*flock.Flock, error) {
	for {
		f, ok, err := p.try(key, shared)
		if err != nil {
			return nil, fault.System(err, shownKey(key))
		}
		if !ok {
			if f, err = p.queue(ctx, key, shared); err != nil {
				if errors.Is(err, context.Cause(ctx)) {
					return nil, err
				}
				return nil, fault.System(err, shownKey(key))
			}
			if f == nil { // the sweep removed the file meanwhile
				continue
			}
		}
		if !shared {
			err = p.sign(key, d.opt.Now())
		}
		if err != nil {
			return nil, errors.Join(fault.System(err, shownKey(key)), f.Unlock())
		}
		return f, nil
	}
}

// try takes a lock if it is free; else it is not ok.
func (p *opened) try(key string, shared bool) (*flock.Flock, bool, error) {
	for {
		f := p.lockFile(key)
		attempt := f.TryLock
		if shared {
			attempt = f.TryRLock
		}
		ok, err := attempt()
		if errors.Is(err, fs.ErrNotExist) {
			if err = p.dir.MkdirAll(lockDir, 0o700); err == nil {
				continue
			}
		}
		if err != nil || !ok {
			return nil, false, err
		}
		if current(f) {
			return f, true, nil
		}
		if err := f.Unlock(); err != nil {
			return nil, false, err
		}
	}
}

// queue waits until a lock is free. The goroutine that waits outlives the call if
// ctx ends first, and then releases the lock that it gets. The result is nil if
// the file is no longer the one that others lock.
func (p *opened) queue(ctx context.Context, key string, shared bool) (*flock.Flock, error) {
	f := p.lockFile(key)
	wait := f.Lock
	if shared {
		wait = f.RLock
	}
	got := make(chan error)
	go func() {
		err := wait()
		for errors.Is(err, syscall.EINTR) {
			err = wait()
		}
		select {
		case got <- err:
		case <-ctx.Done():
			if err == nil {
				_ = f.Unlock() // nobody is left to report to; it is unlocked when the process ends
			}
		}
	}()
	var err error
	select {
	case err = <-got:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err != nil || current(f) {
		return f, err
	}
	return nil, f.Unlock()
}

// dropIdle removes a lock file that nobody holds.
func (p *opened) dropIdle(name string) error {
	f := flock.New(p.shown(name))
	ok, err := f.TryLock()
	if err != nil || !ok {
		return err
	}
	if !current(f) {
		return f.Unlock()
	}
	return dropLock(f)
}

// current reports whether a locked file still has its name.
func current(f *flock.Flock) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(f.Path())
	return err == nil && os.SameFile(mine, now)
}

// The holder signs the lock file at an offset, because Windows locks the first
// byte, and others can neither read nor write a locked byte.
const (
	signedAt  = 16
	signWidth = 40
)

// sign writes the process and the time into the lock file, for messages.
func (p *opened) sign(key string, now time.Time) error {
	f, err := p.dir.OpenFile(lockName(key), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	line := strconv.Itoa(os.Getpid()) + " " + strconv.FormatInt(now.UnixNano(), 10)
	line += strings.Repeat(" ", signWidth-1-len(line)) + "\n"
	_, err = f.WriteAt([]byte(line), signedAt)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// busy returns the error of a wait that took too long.
func (d *Dir) busy(p *opened, key string, wait time.Duration) error {
	holder := Holder{Key: shownKey(key)}
	what := fault.T("%s is in use by another process", holder.Key)
	// The lock of the blobs is mostly shared, and shared locks are not signed.
	if pid, since, ok := p.signature(key); ok && key != blobsKey {
		age := max(0, d.opt.Now().Sub(since)).Round(time.Millisecond)
		holder.PID, holder.Seconds = pid, age.Seconds()
		what = fault.T("%s has been in use by process %d for %v", holder.Key, pid, age)
	}
	return fault.New(fault.Locked, fault.T("%s; waited %v", what, wait.Round(time.Millisecond))).
		WithHint(fault.T("call again; if that process hangs, ask the user to end it")).
		WithDetails(holder)
}

func (p *opened) signature(key string) (pid int, since time.Time, ok bool) {
	f, err := p.dir.Open(lockName(key))
	if err != nil {
		return 0, time.Time{}, false
	}
	defer f.Close()
	line := make([]byte, signWidth)
	if _, err := f.ReadAt(line, signedAt); err != nil {
		return 0, time.Time{}, false
	}
	return parseSignature(line)
}

func parseSignature(line []byte) (pid int, since time.Time, ok bool) {
	first, second, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
	pid, err := strconv.Atoi(string(first))
	if err != nil || pid <= 0 {
		return 0, time.Time{}, false
	}
	nanos, err := strconv.ParseInt(string(second), 10, 64)
	if err != nil {
		return 0, time.Time{}, false
	}
	return pid, time.Unix(0, nanos), true
}

func lockName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return lockDir + "/" + hex.EncodeToString(sum[:16])
}

// lockFile returns the lock of one key, not locked.
func (p *opened) lockFile(key string) *flock.Flock {
	return flock.New(p.shown(lockName(key)), flock.SetPermissions(0o600))
}

// shownKey returns a key as messages show it.
func shownKey(key string) string {
	if own, ok := strings.CutPrefix(key, reserved); ok {
		return "helve's " + own
	}
	return key
}
