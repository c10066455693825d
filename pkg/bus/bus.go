package bus

import (
	"time"

	"github.com/helve-dev/helve/pkg/state/store"
)

// The streams of the store, and what is below prefix among its keys.
const (
	stream = "messages"
	dead   = "dead"
	prefix = "bus/"
)

// Bus carries messages through a store. Its methods may be called from several
// goroutines.
type Bus struct {
	store  store.Store
	now    func() time.Time
	rate   int    // messages that a session may send in rateWindow
	media  *media // nil keeps no files
	window *window
}

// New returns the bus of a store. now is the clock.
func New(s store.Store, now func() time.Time) *Bus {
	return &Bus{store: s, now: now, rate: maxRate, window: &window{}}
}
