package guard

import (
	"context"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// Later is a call that is made later, perhaps many times, as it is known now.
type Later struct {
	Tool      string // the tool that it is of, by its own name
	Arguments []byte // as they are decoded, with everything that was repaired
	Risk      policy.Risk
	Judgement *tool.Judgement  // nil for a tool that judges none
	Requests  []policy.Request // to the policy
	Outline   string           // what it does, for a person
	// Call is the part that a standing approval covers, without the terms of its owner.
	Call approval.Call
}

// Foresee returns what a call is that is made later. It is decoded and confined as if
// it were to run now; nothing is run, decided or recorded. An error says why the call
// would fail.
func Foresee(ctx context.Context, env *tool.Env, t *tool.Tool, input []byte) (*Later, error) {
	look := func(ctx context.Context, c *tool.Call) (_ any, err error) {
		l := &Later{Tool: c.Tool.Name, Risk: c.Risk(), Judgement: c.Judgement}
		if l.Requests, err = requestsOf(c); err != nil {
			return nil, err
		}
		if l.Arguments, err = schema.Marshal(c.Tool.Schema().Values(c.Args)); err != nil {
			return nil, err
		}
		if l.Outline, err = c.Tool.Outline(ctx, c.Silent()); err != nil {
			return nil, err
		}
		l.Call, err = owned(ctx, c, Owner{})
		return l, err
	}
	result, err := recoverPanics(deadline(decode(confine(judge(look)))))(ctx, tool.NewCall(env, t, input))
	if err != nil {
		return nil, err
	}
	return result.(*Later), nil
}

// Under returns what a standing approval covers of a call that an owner makes.
func (l *Later) Under(o Owner) approval.Call { return under(l.Call, o) }

// under adds the terms of an owner to what an approval is bound to.
func under(c approval.Call, o Owner) approval.Call {
	c.Binding.Program += "\n" + o.Terms
	return c
}

// owned returns what a standing approval covers of a call: the call itself, the
// directory and what it runs, but neither the policy nor the files that it works on.
func owned(ctx context.Context, c *tool.Call, o Owner) (approval.Call, error) {
	call, err := identify(c)
	if err != nil {
		return approval.Call{}, err
	}
	call.Binding.Program = c.Tool.Digest
	if j := c.Judgement; j != nil && j.Runs != nil {
		if call.Binding.Program, call.Binding.Targets, err = j.Runs(ctx); err != nil {
			return approval.Call{}, err
		}
	}
	if o.Name == "" {
		return call, nil
	}
	return under(call, o), nil
}

// stands reports whether a standing approval of the owner covers the call, and notes it
// on the call.
func (a *Approver) stands(ctx context.Context, c *tool.Call, store *approval.Store) (bool, error) {
	call, err := owned(ctx, c, a.Owner)
	if err != nil {
		return false, err
	}
	standing, err := store.Stands(a.Owner.Name, call)
	if standing == nil || err != nil {
		return false, err
	}
	c.Decision.Verdict, c.Decision.By, c.Decision.Approval = string(policy.Allow), a.Owner.Name, standing.Request
	return true, nil
}
