package approval

import (
	"context"
	"errors"
)

// Approve records that a person, by, allows a pending request.
func (s *Store) Approve(ctx context.Context, id, by string) (*Request, error) {
	return s.change(ctx, id, func(r *Request) error {
		if r.State != Pending {
			return r.settled()
		}
		r.State, r.DecidedBy, r.DecidedAt = Approved, by, s.dir.Now().UTC()
		return nil
	})
}

// Deny records that a person, by, forbids a request that is not used yet, and why,
// in their own words.
func (s *Store) Deny(ctx context.Context, id, by, reason string) (*Request, error) {
	return s.change(ctx, id, func(r *Request) error {
		if r.State != Pending && r.State != Approved {
			return r.settled()
		}
		r.State, r.DecidedBy, r.DecidedAt, r.Reason = Denied, by, s.dir.Now().UTC(), reason
		return nil
	})
}

// Redeem uses an approval up for a call. Only one caller gets no error, and may then
// run the call. The use is on the disk before Redeem returns.
//
// The errors are approval_stale, which lists what has changed and leaves the
// approval usable; rejected, with the person's words; approval_required while nobody
// has decided; and approval_invalid for a request that is unknown, used or expired.
func (s *Store) Redeem(ctx context.Context, id string, now Call) (*Request, error) {
	return s.change(ctx, id, func(r *Request) error {
		switch r.State {
		case Denied:
			return Rejection(r.Reason)
		case Pending:
			return r.undecided()
		case Approved:
		default:
			return r.settled()
		}
		if drifts := r.drifted(now); len(drifts) > 0 {
			return stale(drifts)
		}
		r.State, r.UsedAt = Used, s.dir.Now().UTC()
		return nil
	})
}

// Withdraw makes a pending or approved request expire at once, so that the same
// call asks again.
func (s *Store) Withdraw(ctx context.Context, id string) error {
	_, err := s.change(ctx, id, func(r *Request) error {
		if r.State == Pending || r.State == Approved {
			r.State, r.Expires = Expired, s.dir.Now().UTC()
		}
		return nil
	})
	return err
}

// change applies a change to a request under the lock.
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
