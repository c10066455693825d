package state

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// ids makes identifiers; its zero value is ready, so that a process that makes
// none pays nothing.
type ids struct {
	mu      sync.Mutex
	last    uint64
	entropy *ulid.MonotonicEntropy
}

var process ids

// NewID is a ULID of the moment now. Within a process each is greater than the
// one before, also when the clock steps back.
func NewID(now time.Time) string { return process.next(now) }

func (i *ids) next(now time.Time) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.entropy == nil {
		i.entropy = ulid.Monotonic(rand.Reader, 0)
	}
	i.last = max(i.last, ulid.Timestamp(now))
	for {
		id, err := ulid.New(i.last, i.entropy)
		if err == nil {
			return id.String()
		}
		// The entropy of this millisecond is used up: the next one has more.
		i.last++
	}
}
