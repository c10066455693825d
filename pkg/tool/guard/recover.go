package guard

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// crash is a panic on its way from the goroutine where it happened.
type crash struct {
	value any
	stack []byte
}

func (c *crash) Error() string { return fmt.Sprintf("panic: %v\n%s", c.value, c.stack) }

// recoverPanics turns a panic into a fault.
func recoverPanics(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (result any, err error) {
		defer func() {
			if v := recover(); v != nil {
				result, err = nil, Crashed(v)
			}
		}()
		return next(ctx, c)
	}
}

// Crashed returns the fault of a recovered panic. Its cause is the stack.
func Crashed(v any) *fault.Error {
	c, ok := v.(*crash)
	if !ok {
		c = &crash{v, debug.Stack()}
	}
	return fault.New(fault.Internal, fault.T("helve crashed: %v", c.value)).
		WithHint(fault.T("this is a bug in helve: run the call again with -v and report what it prints")).
		Because(c)
}
