package state

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// The kernel wakes all that wait for a lock, and the first to run has it: beside busy
// processes one may wait for ever. So whoever wants a lock stands in a queue for it, a file
// in which everybody holds the byte of a number, drawn in turn, until the bytes of all
// smaller numbers are free. Those of a process that dies are free at once.
const (
	drawing = 1 << 32 // the byte that is held while a number is drawn
	first   = 1 << 33 // the byte of the number 0
)

// stand waits until all that came before have the lock of a key or have given up. The
// next one follows when leave is called.
func (p *opened) stand(ctx context.Context, key string) (leave func(), err error) {
	name := lockName(key) + ".queue"
	f, err := p.dir.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = p.dir.MkdirAll(lockDir, 0o700); err == nil {
			f, err = p.dir.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		}
	}
	if err != nil {
		return nil, err
	}
	done := func() { _ = f.Close() } // it frees what is held
	n, err := draw(f)
	if err == nil && n > 0 {
		err = hold(f, unix.F_OFD_SETLK, unix.F_RDLCK, first, n)
	}
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return done, wait(ctx, f, n, done)
	}
	if err != nil {
		done()
	}
	return done, err
}

// wait waits for those before the number n. If ctx ends first, a goroutine leaves in its turn.
func wait(ctx context.Context, f *os.File, n int64, leave func()) error {
	got := make(chan error)
	go func() {
		err := hold(f, unix.F_OFD_SETLKW, unix.F_RDLCK, first, n)
		if err != nil {
			leave()
		}
		select {
		case got <- err:
		case <-ctx.Done():
			leave()
		}
	}()
	select {
	case err := <-got:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// draw draws a number and holds its byte.
func draw(f *os.File) (n int64, err error) {
	if err := hold(f, unix.F_OFD_SETLKW, unix.F_WRLCK, drawing, 1); err != nil {
		return 0, err
	}
	var b [8]byte
	if _, err := f.ReadAt(b[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	n = int64(binary.LittleEndian.Uint64(b[:]) % (1 << 32))
	binary.LittleEndian.PutUint64(b[:], uint64(n+1))
	if _, err := f.WriteAt(b[:], 0); err != nil {
		return 0, err
	}
	if err := hold(f, unix.F_OFD_SETLK, unix.F_WRLCK, first+n, 1); err != nil {
		return 0, err
	}
	return n, hold(f, unix.F_OFD_SETLK, unix.F_UNLCK, drawing, 1)
}

// hold locks bytes for the open file, or frees them.
func hold(f *os.File, command int, kind int16, start, n int64) error {
	for {
		err := unix.FcntlFlock(f.Fd(), command, &unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: start, Len: n})
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
