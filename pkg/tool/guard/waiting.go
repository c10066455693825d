package guard

import (
	"context"
	"errors"

	"github.com/helve-dev/helve/pkg/policy/approval"
)

// wait waits for a person to decide about a request elsewhere, and returns it as it is
// then.
func (a *Approver) wait(ctx context.Context, store *approval.Store, r *approval.Request) (*approval.Request, error) {
	waiting, cancel := context.WithTimeout(ctx, a.Wait)
	defer cancel()
	if a.Waiting != nil {
		return a.tell(ctx, waiting, store, r)
	}
	if decided, err := store.Wait(waiting, r.ID); err == nil {
		r = decided
	} else if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return r, nil
}

// tell is wait while somebody knows of it. What is not decided when waiting is over, for
// whatever reason, expires: nobody would make the call that a person then allows.
func (a *Approver) tell(ctx, waiting context.Context, store *approval.Store, r *approval.Request) (_ *approval.Request, err error) {
	last := context.WithoutCancel(ctx) // what is left to do when ctx is done
	end, err := a.Waiting(ctx, r)
	if err != nil {
		return nil, errors.Join(err, store.Withdraw(last, r.ID))
	}
	decided, err := store.Wait(waiting, r.ID)
	if err != nil {
		decided, err = store.Lapse(last, r.ID)
	}
	if ended := end(); ended != nil {
		return nil, errors.Join(ended, store.Withdraw(last, r.ID))
	}
	if ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), store.Withdraw(last, r.ID))
	}
	return decided, err
}
