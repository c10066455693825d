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
	path, _, err := s.enter(context.WithoutCancel(ctx), true) // if it has ended, the channel is closed at once
	if err != nil {
		return nil, err
	}
	rings := make(chan struct{}, 1)
	last := markOf(path)
	go func() {
		defer close(rings)
		for pause := leastPause; ; pause = min(pause*3/2, mostPause) {
			changed, closed := s.notifier.next() // before the look, so that nothing falls between
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
			case <-changed:
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

// mark holds the two headers of the file: each transaction that commits writes one of
// them. The time of a file would not do, as its resolution may be coarser than a
// transaction.
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
		return mark{failed: true} // the next operation reports the error
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

// notifier announces changes by this process to its watchers.
type notifier struct {
	mu      sync.Mutex
	changed chan struct{} // closed at the next change
	closed  chan struct{} // closed with the store
}

func (n *notifier) next() (changed, closed <-chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.init()
	return n.changed, n.closed
}

func (n *notifier) notify() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.init()
	close(n.changed)
	n.changed = make(chan struct{})
}

// close is called once.
func (n *notifier) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.init()
	close(n.closed)
}

func (n *notifier) init() {
	if n.closed == nil {
		n.changed, n.closed = make(chan struct{}), make(chan struct{})
	}
}
