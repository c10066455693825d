package guard

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
)

// approve has the call decided about. It comes after confine, so that the decision is
// about the real target, and before lock, so that no lock is held while a person
// thinks. What the policy hides is also hidden from tools that walk trees.
func approve(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (result any, err error) {
		err = decide(ctx, c)
		if c.Env.Hides != nil {
			c.Hidden = c.Env.Hides(c.Project(), c.Tool)
		}
		if err == nil && c.Kept != nil {
			return kept(c)
		}
		if c.Keep == nil {
			return carryOut(ctx, c, next, err)
		}
		crashed := true
		defer func() {
			if crashed {
				err = Crashed("the tool panicked") // the panic itself goes on its way
			}
			keep(c, result, err)
		}()
		result, err = carryOut(ctx, c, next, err)
		crashed = false
		return result, err
	}
}

// carryOut runs a call that was decided about, err being the decision, and records
// both if the call does more than read.
func carryOut(ctx context.Context, c *tool.Call, next tool.Handler, err error) (any, error) {
	if c.Tool.Risk == policy.Read && c.Risk() == policy.Read {
		if err != nil {
			return nil, err
		}
		return next(ctx, c)
	}
	if noted := note(c, decided, outcome(err)); err == nil {
		err = noted // what cannot be recorded is not done
	}
	if err != nil {
		return nil, err
	}
	result, err := next(ctx, c)
	if noted := note(c, executed, outcome(err)); noted != nil {
		c.Warn(fault.T("the audit log could not be written: %s", fault.As(noted).Message))
	}
	return result, err
}

func decide(ctx context.Context, c *tool.Call) error {
	denied := &tool.Decision{Verdict: string(policy.Deny), By: string(policy.ByReadOnly)}
	if j := c.Judgement; j != nil && j.OnlyRead && j.Risk != policy.Read {
		c.Decision = denied
		return onlyReading(j)
	}
	if c.Env.ReadOnly && c.Risk() != policy.Read {
		c.Decision = denied
		if c.Foreign() {
			return foreign(c, c.Tool.Name)
		}
		if c.Tool.Risk == policy.Read && c.Judgement != nil {
			return readOnlyCall(c)
		}
		return readOnly(c.Tool.Name)
	}
	if c.Env.Decide == nil && !c.Ask.IsZero() {
		return fault.New(fault.Denied, c.Ask).WithHint(fault.T("there is nobody here to ask"))
	}
	if c.Env.Decide == nil {
		return nil
	}
	return c.Env.Decide(ctx, c)
}
