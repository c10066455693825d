package host

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// Allow records that the person allows a request, and to what extent. A rule is written
// before the request is approved: if that fails, nothing was decided.
func (h *Host) Allow(ctx context.Context, store *approval.Store, id string, scope approval.Scope) (*approval.Request, error) {
	switch scope {
	case approval.Once:
	case approval.Session:
		return store.ApproveSession(ctx, id, Person())
	case approval.Always:
		r, err := store.Get(id)
		switch {
		case err != nil:
			return nil, err
		case r.State != approval.Pending:
			return nil, r.Settled()
		case r.Rule == nil:
			return nil, fault.New(fault.InvalidArguments, fault.T("no rule can say what this call does: its words do not tell all of it")).
				WithHint(fault.T("helve approve %[1]s allows it once, helve approve %[1]s --session for its session", r.ID))
		}
		if err := h.Remember(*r.Rule); err != nil {
			return nil, err
		}
	default:
		return nil, fault.New(fault.InvalidArguments, fault.T("scope %q: want %s or %s, or none", string(scope), string(approval.Session), string(approval.Always)))
	}
	return store.Approve(ctx, id, Person())
}

// Deny records that the person forbids a request, with their words for the model.
func (h *Host) Deny(ctx context.Context, store *approval.Store, id, reason string) (*approval.Request, error) {
	return store.Deny(ctx, id, Person(), reason)
}

// CarryOut makes the call of a request that the person has allowed, unless whoever asked
// has begun to. Either way it returns what the call came to. The error is for a call that
// cannot be made at all.
func (h *Host) CarryOut(ctx context.Context, r *approval.Request) (*tool.Tool, guard.Outcome, error) {
	o := h.Options
	o.Approval, o.Session = r.ID, r.Session
	env, tools, err := h.as(o).Env()
	if err != nil {
		return nil, guard.Outcome{}, err
	}
	t, err := tools.Ours().Find(r.Tool)
	if err != nil {
		return nil, guard.Outcome{}, err
	}
	return t, guard.Run(ctx, env, t, r.Args), nil
}

// as returns the host of another call of the run, in the same workspace: what h has
// opened, it uses, and only h closes it.
func (h *Host) as(o Options) *Host {
	return &Host{
		Options: o, Dirs: h.Dirs, roots: h.roots, stores: h.stores, servers: h.servers, browsers: h.browsers, caller: h.caller, owner: h.owner,
		waiting: h.waiting, used: h.used,
	}
}
