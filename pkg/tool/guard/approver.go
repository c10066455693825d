package guard

import (
	"cmp"
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

	// Approval is the id of a decision that the caller passed; "" is the one that the call
	// carries, or none.
	Approval string
	// Ask asks a person who can answer at once; nil if there is none.
	Ask func(context.Context, *approval.Request) (approval.Answer, error)
	// Remember writes a rule into the person's settings; nil where that is not possible.
	Remember func(policy.Rule) error
	// Wait limits the time to wait for a person who decides elsewhere, unless whoever makes
	// the call asks one; see [approval.Promptly].
	Wait time.Duration
	// Waiting, if not nil, is called when a call starts waiting so, and end when that is
	// over, before the call runs. A fault of either refuses the call. Whoever makes the calls does not make
	// them again: what nobody decides about in time is denied, and nobody can allow it
	// later. Several calls may wait at once. With nil, a call that nobody decides about is
	// approval_required.
	Waiting func(context.Context, *approval.Request) (end func() error, err error)
	// Owner is whatever makes the calls while nobody is there, such as a job, and may
	// have an approval of its own; "" is none. See [approval.Standing].
	Owner Owner
}

// Owner is whatever makes a call again and again, as its approval knows it.
type Owner struct {
	Name string
	// Terms bind its approval beside the call, such as the times when it is made.
	Terms string
}

// Decide returns nil for a call that may run.
func (a *Approver) Decide(ctx context.Context, c *tool.Call) error {
	d, err := decision(a.Policy, c)
	if err != nil {
		return err
	}
	c.Decision = &tool.Decision{Verdict: string(d.Verdict), By: string(d.By)}
	if d.Rule != nil {
		c.Decision.Rule = d.Rule.From
	}
	if id := cmp.Or(a.Approval, approval.Carried(ctx)); id != "" && !approval.IsAnew(ctx) {
		return a.with(ctx, c, d, id)
	}
	if a.Owner.Name != "" && d.Verdict == policy.Allow && d.Rule == nil && c.Judgement != nil && c.Judgement.Runs != nil {
		d.Verdict = policy.Ask // a person allowed the programs as they were then, and no others
	}
	if d.Verdict != policy.Ask {
		return d.Err()
	}
	store, err := a.Approvals()
	if err != nil {
		return err
	}
	if a.Owner.Name != "" {
		if stands, err := a.stands(ctx, c, store); stands || err != nil {
			return err
		}
	}
	call, err := a.describe(ctx, c, d)
	if err != nil {
		return err
	}
	granted, err := store.Granted(call)
	if err != nil {
		return err
	}
	if granted != nil {
		c.Decision.Verdict, c.Decision.By, c.Decision.Approval = string(policy.Allow), "session", granted.Request
		return nil
	}
	if err := preview(ctx, c, &call); err != nil {
		return err // it would fail anyway: do not ask
	}
	r, err := a.person(ctx, c, store, call)
	if err != nil {
		return err
	}
	if r.State == approval.Used { // by another process
		return await(ctx, c, store, r)
	}
	return a.redeem(ctx, c, store, r, d)
}

// decision returns what a policy says about a call, and about what it has done later:
// the strictest.
func decision(p *policy.Policy, c *tool.Call) (policy.Decision, error) {
	requests, err := requestsOf(c)
	if err != nil {
		return policy.Decision{}, err
	}
	d := strictest(p, requests)
	if !c.Ask.IsZero() && d.Verdict != policy.Deny {
		d.Reasons = append([]fault.Text{c.Ask}, d.Reasons...)
		if d.Verdict == policy.Allow {
			d.Verdict, d.By, d.Rule = policy.Ask, policy.ByHook, nil
		}
	}
	return d, nil
}

// Settled reports whether the call comes with an approval that a person gave to it, as it is.
func (a *Approver) Settled(ctx context.Context, c *tool.Call) bool {
	id := cmp.Or(a.Approval, approval.Carried(ctx))
	if id == "" || approval.IsAnew(ctx) {
		return false
	}
	call, err := identify(c)
	if err != nil {
		return false
	}
	store, err := a.Approvals()
	if err != nil {
		return false
	}
	r, err := store.Get(id)
	return err == nil && r.For(call) && (r.State == approval.Approved || r.State == approval.Used)
}

func strictest(p *policy.Policy, requests []policy.Request) (d policy.Decision) {
	for i, q := range requests {
		if u := p.Decide(q); i == 0 || u.Verdict.Stricter(d.Verdict) {
			d = u
		}
	}
	return d
}

// rule returns the rule that would allow a call from now on; nil if a rule about the
// command alone does not.
func (a *Approver) rule(c *tool.Call) (*policy.Rule, error) {
	rule := c.Judgement.Rule
	if rule == nil {
		return nil, nil
	}
	p, err := a.Policy.With(policy.Given{Rule: *rule})
	if err != nil {
		return nil, err
	}
	d, err := decision(p, c)
	if err != nil || d.Verdict != policy.Allow {
		return nil, err
	}
	return rule, nil
}

// with decides about a call that comes with an approval. A call that was carried
// out under it is not carried out again, whatever the policy says by now. In a batch,
// other calls come with the approval, too: those that the policy allows need none.
func (a *Approver) with(ctx context.Context, c *tool.Call, d policy.Decision, id string) error {
	call, err := identify(c)
	if err != nil {
		return err
	}
	store, err := a.Approvals()
	if err != nil {
		return err
	}
	r, err := store.Get(id)
	same := err == nil && r.For(call)
	switch {
	case d.Verdict == policy.Deny:
		if !same {
			return d.Err()
		}
		// What is forbidden by now is not carried out by another process either.
		return errors.Join(d.Err(), store.Withdraw(ctx, r.ID))
	case d.Verdict == policy.Allow && !same:
		return nil
	case err != nil:
		return err
	case same && r.State == approval.Used:
		if !c.Env.Now().Before(r.Expires) {
			return r.Settled()
		}
		return await(ctx, c, store, r)
	case d.Verdict == policy.Allow && (r.State == approval.Pending || r.State == approval.Expired):
		return store.Withdraw(ctx, r.ID) // nobody need decide any more
	}
	return a.redeem(ctx, c, store, r, d)
}

// await notes on a call what it came to in the process that carries it out.
func await(ctx context.Context, c *tool.Call, store *approval.Store, r *approval.Request) (err error) {
	c.Decision.Approval, c.Decision.Verdict, c.Decision.By = r.ID, string(policy.Allow), "person"
	c.Kept, err = store.AwaitOutcome(ctx, r.ID)
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
		id := r.ID
		switch {
		case err != nil:
			return nil, err
		case answer.Decided && answer.Allow:
			r, err = a.allow(ctx, store, r, answer.Scope)
		case answer.Decided:
			r, err = store.Deny(ctx, id, "asked", answer.Reason)
		}
		if fault.Is(err, fault.ApprovalInvalid) { // somebody else decided meanwhile
			r, err = store.Get(id)
		}
		if err != nil {
			return nil, err
		}
	}
	if a.Wait > 0 && r.State == approval.Pending && !approval.Prompt(ctx) {
		if r, err = a.wait(ctx, store, r); err != nil {
			return nil, err
		}
	}
	switch r.State {
	case approval.Approved, approval.Used:
		return r, nil
	case approval.Expired:
		if a.Waiting != nil && len(r.Drifted) == 0 {
			c.Decision.Verdict, c.Decision.By = string(policy.Deny), "nobody"
			return nil, undecided()
		}
		return nil, r.Settled()
	case approval.Denied:
		c.Decision.Verdict, c.Decision.By = string(policy.Deny), "person"
		return nil, approval.Rejection(r.Reason)
	}
	return nil, r.Required(a.Lang)
}

// allow records that the person who was asked allows a request, and to what extent.
func (a *Approver) allow(ctx context.Context, store *approval.Store, r *approval.Request, scope approval.Scope) (*approval.Request, error) {
	switch {
	case scope == approval.Session:
		return store.ApproveSession(ctx, r.ID, "asked")
	case scope == approval.Always && a.Remember != nil && r.Rule != nil:
		if err := a.Remember(*r.Rule); err != nil {
			return nil, err
		}
	}
	return store.Approve(ctx, r.ID, "asked")
}

// redeem uses a person's decision up, and notes on the call what it allows. If another
// process was faster, the call comes to what it came to there.
func (a *Approver) redeem(ctx context.Context, c *tool.Call, store *approval.Store, r *approval.Request, d policy.Decision) error {
	c.Decision.Approval = r.ID
	call, err := a.describe(ctx, c, d) // anew: while a person thinks, files may change
	if err == nil {
		if d.Verdict == policy.Allow && r.For(call) {
			call.Binding = r.Binding // it would be allowed even if nobody had decided
		}
		var used *approval.Request
		if used, err = store.Redeem(ctx, r.ID, call); err == nil {
			c.ChangeSet = used.Effect
			c.Keep = func(o approval.Outcome) error { return store.Finish(used.ID, o) }
			c.Decision.Verdict, c.Decision.By = string(policy.Allow), "person"
			return nil
		}
	}
	if this, failed := identify(c); failed == nil {
		if now, failed := store.Get(r.ID); failed == nil && now.State == approval.Used && now.For(this) {
			return await(ctx, c, store, now)
		}
	}
	return err
}
