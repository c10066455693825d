package guard

import (
	"context"

	"github.com/helve-dev/helve/pkg/tool"
)

// decode reads the arguments strictly, after it repaired what can mean only one thing,
// and warns of that.
func decode(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (any, error) {
		args := c.Tool.NewArgs()
		repairs, err := c.Tool.Decode(c.Input, args)
		if err != nil {
			return nil, err
		}
		for _, r := range repairs {
			c.WarnOnce(r)
		}
		c.Args = args
		return next(ctx, c)
	}
}
