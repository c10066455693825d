package approval

import (
	"context"
	"errors"

	"github.com/helve-dev/helve/pkg/fault"
)

// Approve notes that a person, by, allows a request that waits.
func (s *Store) Approve(ctx context.Context, id, by string) (*Request, error) {
	return s.change(ctx, id, func(r *Request) error {
		if r.State != Pending {
			return r.settled()
		}
		r.State, r.DecidedBy, r.DecidedAt = Approved, by, s.dir.Now().UTC()
		return nil
	})
}

// Deny notes that a person, by, forbids a request that was not carried out yet,
// and why, in their own words.
func (s *Store) Deny(ctx context.Context, id, by, reason string) (*Request, error) {
	return s.change(ctx, id, func(r *Request) error {
		if r.State != Pending && r.State != Approved {
			return r.settled()
		}
		r.State, r.DecidedBy, r.DecidedAt, r.Reason = Denied, by, s.dir.Now().UTC(), reason
		return nil
	})
}

// Redeem uses an approval up for the call at hand; whoever gets no error, and
// nobody else ever, may carry the call out. It is used up on the disk before
// Redeem returns: a process that dies right after it has lost it.
//
// The errors are approval_stale with the list of [Drift], after which the request
// can still be used if things become again what they were; rejected with the
// person's words; approval_required while nobody has decided; and
// approval_invalid for one that is unknown, used or expired.
func (s *Store) Redeem(ctx context.Context, id string, now Call) (*Request, error) {
	return s.change(ctx, id, func(r *Request) error {
		switch r.State {
		case Denied:
			return Rejection(r.Reason)
		case Pending:
			return fault.New(fault.ApprovalRequired, fault.T("nobody has decided about %s yet", "尚无人对 %s 作出决定", r.ID)).
				WithHint(fault.T("wait for the person: helve approve %s", "请等待用户执行：helve approve %s", r.ID))
		case Approved:
		default:
			return r.settled()
		}
		if drifts := r.Drifted(now); len(drifts) > 0 {
			return stale(drifts)
		}
		r.State, r.UsedAt = Used, s.dir.Now().UTC()
		return nil
	})
}

// Withdraw lets a request expire at once, so that the same call is asked about
// anew. One that is used, denied or expired stays what it is.
func (s *Store) Withdraw(ctx context.Context, id string) error {
	_, err := s.change(ctx, id, func(r *Request) error {
		if r.State == Pending || r.State == Approved {
			r.State, r.Expires = Expired, s.dir.Now().UTC()
		}
		return nil
	})
	return err
}

// change applies a change to a record that no other process changes meanwhile.
func (s *Store) change(ctx context.Context, id string, apply func(*Request) error) (r *Request, err error) {
	unlock, err := s.dir.Lock(ctx, lockKey)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if r, err = s.Get(id); err != nil {
		return nil, err
	}
	if err := apply(r); err != nil {
		return nil, err
	}
	return r, s.put(r)
}

// Rejection is the fault of a call that a person denied, with their words.
func Rejection(reason string) *fault.Error {
	e := fault.New(fault.Rejected, fault.T("the user rejected this change", "用户拒绝了此更改"))
	if reason != "" {
		e.Message = fault.T("the user rejected this change: %s", "用户拒绝了此更改：%s", reason)
	}
	return e.WithHint(fault.T("do not make this call again; do what the user wants instead", "请勿重复此调用；请按用户的意愿处理")).
		WithDetails(struct {
			Reason string `json:"reason"`
		}{reason})
}

// settled is the fault of a request that can no longer be decided or used.
func (r *Request) settled() error {
	var why fault.Text
	switch r.State {
	case Used:
		why = fault.T("%s has been used", "%s 已被使用", r.ID)
	case Expired:
		why = fault.T("%s has expired", "%s 已过期", r.ID)
	case Denied:
		why = fault.T("%s has been denied", "%s 已被拒绝", r.ID)
	default:
		why = fault.T("%s has been approved", "%s 已被批准", r.ID)
	}
	return fault.New(fault.ApprovalInvalid, why).
		WithHint(fault.T("make the call again to ask anew", "请重新发起调用以再次请求"))
}

func stale(drifts []Drift) error {
	texts := make([]fault.Text, len(drifts))
	for i, d := range drifts {
		switch d.What {
		case "tool":
			texts[i] = fault.T("it was given for another tool", "它是为另一个工具批准的")
		case "args":
			texts[i] = fault.T("the arguments are others", "参数已不同")
		case "dir":
			texts[i] = fault.T("the working directory is another one", "工作目录已不同")
		case "policy":
			texts[i] = fault.T("the policy has changed", "策略已更改")
		case "program":
			texts[i] = fault.T("the program is another one", "程序已不同")
		default:
			texts[i] = fault.T("%s has changed", "%s 已更改", d.Path)
		}
	}
	return fault.New(fault.ApprovalStale, fault.T("the approval no longer fits: %s", "批准已不再适用：%s", fault.Join(texts, "; ", "；"))).
		WithHint(fault.T("make the call again to ask anew", "请重新发起调用以再次请求")).
		WithDetails(struct {
			Drifted []Drift `json:"drifted"`
		}{drifts})
}
