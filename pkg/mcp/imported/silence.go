package imported

import (
	"context"
	"time"
)

// hearer ends a call whose server has said nothing for too long.
type hearer struct {
	limit time.Duration
	timer *time.Timer
	stop  func()
}

// hearing returns a context that ends, as by a deadline, after so long a silence.
func hearing(ctx context.Context, limit time.Duration) (context.Context, *hearer) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) })
	return ctx, &hearer{limit, timer, func() { timer.Stop(); cancel(nil) }}
}

// again takes note of a word of the server. One that comes when the silence has just ended
// the call does not revive it.
func (h *hearer) again() { h.timer.Reset(h.limit) }
