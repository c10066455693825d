package guard

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard/internal/stack"
)

// grace is the time that a canceled call has to clean up, so that a write is complete or
// not made at all.
const grace = 2 * time.Second

// deadline returns in time even when the tool hangs in a system call that nothing
// interrupts.
func deadline(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (any, error) {
		limit := c.Tool.Deadline() + c.Home.Patience
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		type answer struct {
			call   tool.Call
			result any
			err    error
			crash  *crash
		}
		done := make(chan answer, 1)
		a := answer{call: *c}
		go func(a answer) { // on a copy: an abandoned call still writes to its own
			defer func() {
				if v := recover(); v != nil {
					a.crash = &crash{v, debug.Stack()}
				}
				done <- a
			}()
			stack.Grow()
			a.result, a.err = next(ctx, &a.call)
		}(a)
		select {
		case a = <-done:
		case <-ctx.Done():
			select {
			case a = <-done: // it finished after all
			case <-time.After(max(grace, c.Tool.Grace)):
				a.err = ctx.Err()
			}
		}
		*c = a.call
		if a.crash != nil {
			panic(a.crash)
		}
		if errors.Is(a.err, context.DeadlineExceeded) && ctx.Err() != nil {
			return nil, fault.New(fault.Timeout, fault.T("%s took longer than %v", c.Tool.Name, limit)).
				WithHint(fault.T("ask for less in one call")).Because(a.err)
		}
		return a.result, a.err
	}
}
