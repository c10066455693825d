package guard

import (
	"context"

	"github.com/helve-dev/helve/pkg/tool"
)

// decode reads the arguments strictly; for a model's own calls, what can be
// mended without a guess is mended first, and said.
func decode(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (any, error) {
		args := c.Tool.NewArgs()
		mended, err := c.Tool.Decode(c.Input, args, c.Env.Mend)
		if err != nil {
			return nil, err
		}
		for _, m := range mended {
			c.Warn(m)
		}
		c.Args = args
		return next(ctx, c)
	}
}
