package guard

import (
	"context"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
)

// hook runs the person's programs before a call is judged, and after it. They may change its
// arguments: everything after it, an approval too, is about those. A call that a person has
// allowed was seen by them before.
func hook(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (result any, err error) {
		hooks := c.Home.Hooks
		if hooks == nil {
			return next(ctx, c)
		}
		if c.Home.Settled == nil || !c.Home.Settled(ctx, c) {
			changed, ask, err := hooks.Before(ctx, c)
			if err != nil {
				c.Decision = &tool.Decision{Verdict: string(policy.Deny), By: string(policy.ByHook)}
				return nil, err
			}
			c.Ask = ask
			if changed != nil {
				next = changedBy(changed, next)
			}
		}
		result, err = next(ctx, c)
		for _, said := range hooks.After(ctx, c, c.JSON, err) {
			c.Warn(said)
		}
		return result, err
	}
}

// changedBy returns a handler that decodes and confines other arguments of a call first.
func changedBy(input []byte, next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (any, error) {
		args := c.Tool.NewArgs()
		if _, err := c.Tool.Decode(input, args); err != nil { // with what a preset fixes
			return nil, err
		}
		c.Args, c.Paths, c.Env = args, nil, c.Home
		return confine(next)(ctx, c)
	}
}
