package approval

import (
	"context"
	"iter"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
)

// interval is how often a process looks whether another has decided.
const interval = 200 * time.Millisecond

// Wait returns a request once it no longer waits for a person: decided, expired,
// or used. It looks every [interval], as another process decides. The
// error is that of the context, or of the request.
func (s *Store) Wait(ctx context.Context, id string) (*Request, error) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		r, err := s.Get(id)
		if err != nil || r.State != Pending {
			return r, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// Watch gives every request that is remembered, and from then on each that is
// new or has changed its state, until the context or the caller ends it. An error
// ends it too.
func (s *Store) Watch(ctx context.Context) iter.Seq2[*Request, error] {
	return func(yield func(*Request, error) bool) {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		seen := map[string]State{}
		for {
			requests, err := s.List()
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range requests {
				r := &requests[i]
				if seen[r.ID] == r.State {
					continue
				}
				seen[r.ID] = r.State
				if !yield(r, nil) {
					return
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}
}

// Required is the fault of a call that now waits for a person, with what a caller
// needs to go on and the reasons in one language.
func (r *Request) Required(lang fault.Lang) *fault.Error {
	reasons := make([]string, len(r.Reasons))
	for i, why := range r.Reasons {
		reasons[i] = why.In(lang)
	}
	type details struct {
		ID      string      `json:"id"`
		Expires time.Time   `json:"expires_at"`
		Risk    policy.Risk `json:"risk"`
		Reasons []string    `json:"reasons"`
		Preview string      `json:"preview,omitzero"`
	}
	return fault.New(fault.ApprovalRequired, fault.T("a person must decide: %s", "需要用户决定：%s", strings.Join(reasons, "; "))).
		WithHint(fault.T("ask the person to run: helve approve %s", "请用户执行：helve approve %s", r.ID)).
		WithDetails(struct {
			Approval details `json:"approval"`
		}{details{r.ID, r.Expires, r.Risk, reasons, Visible(r.Preview)}})
}
