package guard

import (
	"context"
	"errors"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool"
)

// Approver decides about calls: by the policy, or by a person where the policy
// says so. It runs nothing.
type Approver struct {
	Policy    *policy.Policy
	Approvals func() (*approval.Store, error)
	Lang      fault.Lang // of what a person is shown

	// Approval is the id of a decision that the caller passed; "" is none.
	Approval string
	// Ask asks a person who can answer at once; nil if there is none.
	Ask func(context.Context, *approval.Request) (approval.Answer, error)
	// Wait is how long to wait for a person to decide elsewhere.
	Wait time.Duration
}

// Decide returns nil for a call that may run.
func (a *Approver) Decide(ctx context.Context, c *tool.Call) error {
	request, err := requestOf(c)
	if err != nil {
		return err
	}
	d := a.Policy.Decide(request)
	if c.Tool.PresetOf != "" { // rules about a tool apply to its presets, too
		request.Tool = c.Tool.PresetOf
		if u := a.Policy.Decide(request); u.Verdict.Stricter(d.Verdict) {
			d = u
		}
	}
	c.Decision = &tool.Decision{Verdict: string(d.Verdict), By: string(d.By)}
	if d.Rule != nil {
		c.Decision.Rule = d.Rule.From
	}
	if d.Verdict != policy.Ask {
		return d.Err()
	}
	call, err := a.describe(ctx, c, d)
	if err != nil {
		return err
	}
	store, err := a.Approvals()
	if err != nil {
		return err
	}
	if a.Approval != "" {
		return redeem(ctx, c, store, a.Approval, call)
	}
	if err := preview(ctx, c, &call); err != nil {
		return err // it would fail anyway: do not ask
	}
	r, err := a.person(ctx, c, store, call)
	if err != nil {
		return err
	}
	// While a person thinks, files may change.
	now, err := a.describe(ctx, c, d)
	if err != nil {
		return err
	}
	if err = redeem(ctx, c, store, r.ID, now); fault.Is(err, fault.ApprovalStale) {
		// The answer was about this moment. It does not hold for the same call later.
		err = errors.Join(err, store.Withdraw(ctx, r.ID))
	}
	return err
}

// preview adds what the call would do.
func preview(ctx context.Context, c *tool.Call, call *approval.Call) (err error) {
	shown := c.Silent() // the warnings are given when the call runs
	call.Preview, err = c.Tool.Preview(ctx, shown)
	call.Effect = shown.ChangeSet
	return err
}

// person asks a person about the call, and returns their decision if it may run.
func (a *Approver) person(ctx context.Context, c *tool.Call, store *approval.Store, call approval.Call) (*approval.Request, error) {
	r, err := store.New(ctx, call)
	if err != nil {
		return nil, err
	}
	c.Decision.Approval = r.ID
	if a.Ask != nil && r.State == approval.Pending {
		answer, err := a.Ask(ctx, r)
		switch {
		case err != nil:
			return nil, err
		case answer.Decided && answer.Allow:
			r, err = store.Approve(ctx, r.ID, "asked")
		case answer.Decided:
			r, err = store.Deny(ctx, r.ID, "asked", answer.Reason)
		}
		if err != nil {
			return nil, err
		}
	}
	if a.Wait > 0 && r.State == approval.Pending {
		waiting, cancel := context.WithTimeout(ctx, a.Wait)
		defer cancel()
		if decided, err := store.Wait(waiting, r.ID); err == nil {
			r = decided
		} else if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	switch r.State {
	case approval.Approved:
		return r, nil
	case approval.Denied:
		c.Decision.Verdict, c.Decision.By = string(policy.Deny), "person"
		return nil, approval.Rejection(r.Reason)
	}
	return nil, r.Required(a.Lang)
}

// redeem uses a person's decision up, and notes on the call what it allows.
func redeem(ctx context.Context, c *tool.Call, store *approval.Store, id string, call approval.Call) error {
	c.Decision.Approval = id
	r, err := store.Redeem(ctx, id, call)
	if err != nil {
		return err
	}
	c.ChangeSet = r.Effect
	c.Decision.Verdict, c.Decision.By = string(policy.Allow), "person"
	return nil
}
