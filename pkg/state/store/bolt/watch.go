package bolt

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"
)

// The pause between two looks at the file grows while nothing happens.
const (
	leastPause = 10 * time.Millisecond
	mostPause  = 250 * time.Millisecond
)

// Watch implements [store.Store]. A look costs some ten microseconds.
func (s *Store) Watch(ctx context.Context) (<-chan struct{}, error) {
	path, err := s.enter(context.WithoutCancel(ctx)) // if it has ended, the channel is closed at once
	if err != nil {
		return nil, err
	}
	rings := make(chan struct{}, 1)
	last := markOf(path)
	go func() {
		defer close(rings)
		for pause := leastPause; ; pause = min(pause*3/2, mostPause) {
			rung, closed := s.bell.next() // before the look, so that nothing falls between
			if now := markOf(path); now != last {
				last, pause = now, leastPause
				select {
				case rings <- struct{}{}:
				default: // there is one that nobody has taken yet
				}
			}
			timer := time.NewTimer(pause)
			select {
			case <-timer.C:
			case <-rung:
			case <-closed:
				timer.Stop()
				return
			case <-ctx.Done():
				timer.Stop()
				return
			}
			timer.Stop()
		}
	}()
	return rings, nil
}

// mark is what a transaction changes in any case: the two headers of the file, of which
// each one that commits writes one. The time of a file would not do, as its steps may
// be longer than a transaction.
type mark struct {
	headers [2][headerLen]byte
	failed  bool
}

// headerLen is the length of a header: that of its page and its own.
const headerLen = 16 + 64

func markOf(path string) (m mark) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m
	}
	if err != nil {
		return mark{failed: true} // whoever looks then meets the error
	}
	defer f.Close()
	for i := range m.headers {
		_, err := f.ReadAt(m.headers[i][:], int64(i)*pageSize)
		if err != nil && !errors.Is(err, io.EOF) {
			return mark{failed: true}
		}
	}
	return m
}

// bell tells those who watch in this process that something was changed here.
type bell struct {
	mu     sync.Mutex
	rung   chan struct{} // is closed at the next change
	closed chan struct{} // is closed with the store
}

func (b *bell) next() (rung, closed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.init()
	return b.rung, b.closed
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.init()
	close(b.rung)
	b.rung = make(chan struct{})
}

// close is called once.
func (b *bell) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.init()
	close(b.closed)
}

func (b *bell) init() {
	if b.closed == nil {
		b.rung, b.closed = make(chan struct{}), make(chan struct{})
	}
}
