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

// grace is how long a call that was told to stop may take to put things in
// order, so that a write is whole or not there.
const grace = 2 * time.Second

// deadline answers in time even when the tool hangs in a system call that
// nothing interrupts.
func deadline(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (any, error) {
		limit := c.Tool.Deadline()
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
		go func(a answer) { // with a copy: an abandoned call goes on writing to its own
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
			case a = <-done: // what did land is not denied
			case <-time.After(max(grace, c.Tool.Grace)):
				a.err = ctx.Err()
			}
		}
		*c = a.call
		if a.crash != nil {
			panic(a.crash)
		}
		if errors.Is(a.err, context.DeadlineExceeded) && ctx.Err() != nil {
			return nil, fault.New(fault.Timeout, fault.T("%s took longer than %v", "%s 用时超过 %v", c.Tool.Name, limit)).
				WithHint(fault.T("ask for less at once", "请一次少要一些")).Because(a.err)
		}
		return a.result, a.err
	}
}
