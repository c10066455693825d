package guard

import (
	"context"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
)

// finish first does what helve did not come to when it was stopped while a command ran, in
// the workspace and in the project that the call works in.
func finish(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (any, error) {
		said := c.Home.Finish(ctx, policy.Project{ID: c.Home.Project})
		if c.Foreign() {
			said = append(said, c.Env.Finish(ctx, c.Project())...)
		}
		if r := c.Env.Responder; r != nil {
			said = append(said, r.Arrived(ctx, c)...)
		}
		for _, w := range said {
			c.Warn(w)
		}
		return next(ctx, c)
	}
}
