package guard

import (
	"context"

	"github.com/helve-dev/helve/pkg/tool"
)

// trace records a call as a span. Whether that succeeds says nothing about the call.
func trace(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (result any, err error) {
		if c.Home.Tracer == nil {
			return next(ctx, c)
		}
		parent, end := c.Home.Tracer.Begin(ctx, c)
		c.Parent = parent
		ended := false
		defer func() {
			if !ended {
				end(nil, Crashed("the tool panicked")) // the panic itself goes on its way
			}
		}()
		result, err = next(ctx, c)
		ended = true
		end(c.JSON, err)
		return result, err
	}
}
