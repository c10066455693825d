package guard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// Authority decides about calls: by the policy, or by a person where the policy
// asks for one. It carries nothing out.
type Authority struct {
	Policy    *policy.Policy
	Approvals func() (*approval.Store, error)
	Lang      fault.Lang // of what a person is shown

	// Approval is the id of a decision that the call is made with; "" is none.
	Approval string
	// Ask asks a person who is there to answer at once; nil when nobody is.
	Ask func(context.Context, *approval.Request) (approval.Answer, error)
	// Wait is how long to wait for somebody to decide elsewhere.
	Wait time.Duration
}

// Decide is nil for a call that may be carried out.
func (a *Authority) Decide(ctx context.Context, c *tool.Call) error {
	request, err := requestOf(c)
	if err != nil {
		return err
	}
	d := a.Policy.Decide(request)
	if c.Tool.PresetOf != "" { // what holds for a tool holds for it under another name
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
		return err // it would fail all the same: nobody need be asked
	}
	r, err := a.person(ctx, c, store, call)
	if err != nil {
		return err
	}
	// While a person thinks, what they think about may change.
	now, err := a.describe(ctx, c, d)
	if err != nil {
		return err
	}
	if err = redeem(ctx, c, store, r.ID, now); fault.Is(err, fault.ApprovalStale) {
		// The answer was about this moment: it is none to the same call later.
		err = errors.Join(err, store.Withdraw(ctx, r.ID))
	}
	return err
}

// preview has the tool show what the call would do.
func preview(ctx context.Context, c *tool.Call, call *approval.Call) (err error) {
	shown := c.Silent() // the warnings are given when the call runs
	call.Preview, err = c.Tool.Preview(ctx, shown)
	call.Effect = shown.ChangeSet
	return err
}

// person puts the call before whoever can decide, and gives the decision if the
// call may be carried out.
func (a *Authority) person(ctx context.Context, c *tool.Call, store *approval.Store, call approval.Call) (*approval.Request, error) {
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

// redeem uses a person's decision up, and hands what it is about to the call.
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

// requestOf is the call as the policy sees it.
func requestOf(c *tool.Call) (policy.Request, error) {
	q := policy.Request{Tool: c.Tool.Name, Risk: c.Tool.Risk, Project: c.Project(), Web: c.Tool.Web, Hosts: c.Tool.Hosts(c)}
	for _, p := range c.Paths {
		path := policy.Path{Path: p.Real, Use: p.Use}
		if path.Use != schema.ReadPath {
			root, err := c.Env.Root()
			if err != nil {
				return q, err
			}
			info, err := root.Lstat(p.Real)
			path.Tree = err == nil && info.IsDir()
		}
		q.Paths = append(q.Paths, path)
	}
	if c.Judgement != nil {
		judged(&q, c.Judgement)
	}
	return q, nil
}

// describe is the call as a person decides about it, but for its preview, and
// what the decision is bound to.
func (a *Authority) describe(ctx context.Context, c *tool.Call, d policy.Decision) (approval.Call, error) {
	args, err := schema.Marshal(c.Tool.Schema().Values(c.Args)) // without what is fixed: the call is made with these again
	if err != nil {
		return approval.Call{}, err
	}
	root, err := c.Env.Root()
	if err != nil {
		return approval.Call{}, err
	}
	revision, err := a.Policy.Revision()
	if err != nil {
		return approval.Call{}, err
	}
	call := approval.Call{
		Tool: c.Tool.Name, Args: args, Risk: c.Risk(), Session: c.Env.Session,
		Binding: approval.Binding{Dir: root.Dir(), DirID: root.ID(), Policy: revision, Program: c.Tool.Digest},
	}
	for _, r := range d.Reasons {
		call.Reasons = append(call.Reasons, approval.WordsOf(r))
	}
	if j := c.Judgement; j != nil {
		for _, r := range j.Reasons {
			call.Reasons = append(call.Reasons, approval.WordsOf(r))
		}
		if err := pin(ctx, &call.Binding, j); err != nil {
			return approval.Call{}, err
		}
	}
	for _, p := range c.Paths {
		if p.Use == schema.ReadPath {
			continue
		}
		sha, err := preimage(c.Env, p.Real)
		if err != nil {
			return approval.Call{}, err
		}
		call.Binding.Targets = append(call.Binding.Targets, approval.Target{Path: p.Real, SHA: sha})
	}
	return call, nil
}

// pin binds a decision to what the judgement of the call names.
func pin(ctx context.Context, b *approval.Binding, j *tool.Judgement) error {
	if j.Pin == nil {
		return nil
	}
	pins, err := j.Pin(ctx)
	if err != nil {
		return err
	}
	b.Program = pins.Program
	for _, t := range pins.Targets {
		b.Targets = append(b.Targets, approval.Target{Path: t.Path, SHA: t.SHA})
	}
	return nil
}

// preimage is the SHA-256 of a file's bytes, "" where there is no file.
func preimage(env *tool.Env, real string) (string, error) {
	root, err := env.Root()
	if err != nil {
		return "", err
	}
	info, err := root.Lstat(real)
	if fault.Is(err, fault.NotFound) {
		return "", nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return "", err
	}
	f, err := root.Open(real)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fault.System(err, real)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
