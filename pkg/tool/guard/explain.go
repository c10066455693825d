package guard

import (
	"context"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
)

// Judge returns a tool's judgement of a call, which is decoded and confined as if it
// were to run; nil for a tool that judges none. Nothing is run, decided or recorded.
func Judge(ctx context.Context, env *tool.Env, t *tool.Tool, input []byte) (*tool.Judgement, error) {
	look := func(_ context.Context, c *tool.Call) (any, error) { return c.Judgement, nil }
	result, err := recoverPanics(deadline(decode(confine(judge(look)))))(ctx, tool.NewCall(env, t, input))
	if err != nil {
		return nil, err
	}
	return result.(*tool.Judgement), nil
}

// Explain returns how a policy decides about a call, which is decoded and confined as
// if it were to run. Nothing is run or recorded, and nobody is asked. An error says
// why the call would fail before the policy saw it.
func Explain(ctx context.Context, env *tool.Env, p *policy.Policy, t *tool.Tool, input []byte) (policy.Explanation, error) {
	explain := func(_ context.Context, c *tool.Call) (any, error) {
		request, err := requestOf(c)
		if err != nil {
			return nil, err
		}
		return p.Explain(request), nil
	}
	result, err := recoverPanics(deadline(decode(confine(judge(explain)))))(ctx, tool.NewCall(env, t, input))
	if err != nil {
		return policy.Explanation{}, err
	}
	return result.(policy.Explanation), nil
}
