package guard

import (
	"context"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
)

// judge asks a tool whose risk depends on the arguments for the risk of this call.
// It comes before approve, which decides by the risk. The tool gets the finding when
// it runs.
func judge(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (any, error) {
		if err := c.Tool.Judge(ctx, c); err != nil {
			return nil, err
		}
		return next(ctx, c)
	}
}

// judged adds a judgement to what the policy is asked.
func judged(q *policy.Request, j *tool.Judgement) {
	q.Risk, q.Network, q.Granted, q.Unconfined, q.Forbidden = j.Risk, j.Network, j.Granted, j.Unconfined, j.Forbidden
	q.Commands, q.Rest, q.Cwd = j.Commands, j.Rest, j.Cwd
	q.Paths, q.Hosts = append(q.Paths, j.Paths...), append(q.Hosts, j.Hosts...)
}
