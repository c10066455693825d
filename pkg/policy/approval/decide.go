package approval

import (
	"context"
	"errors"
)

// Approve records that a person, by, allows a pending request.
func (s *Store) Approve(ctx context.Context, id, by string) (*Request, error) {
	return s.change(ctx, id, func(r *Request) error {
		if r.State != Pending {
			return r.Settled()
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
			return r.Settled()
		}
		r.State, r.DecidedBy, r.DecidedAt, r.Reason = Denied, by, s.dir.Now().UTC(), reason
		return nil
	})
}

// Redeem uses an approval up for a call. Only one caller gets no error, and may then
// run the call and report to [Store.Finish]. The use is on the disk before Redeem
// returns.
//
// The errors are approval_stale, which lists what has changed; rejected, with the
// person's words; approval_required while nobody has decided; and approval_invalid
// for a request that is unknown, used or expired. A decision that is stale is spent:
// it counts no more, even if everything becomes again what it was. Only another call
// leaves it as it is, since the person decided nothing about that.
func (s *Store) Redeem(ctx context.Context, id string, now Call) (r *Request, err error) {
	unlock, err := s.dir.Lock(ctx, lockKey)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if r, err = s.Get(id); err != nil {
		return nil, err
	}
	drifts := r.drifted(now)
	if !r.For(now) {
		return nil, stale(drifts)
	}
	switch r.State {
	case Denied:
		return nil, Rejection(r.Reason)
	case Pending:
		return nil, r.undecided()
	case Approved:
	default:
		return nil, r.Settled()
	}
	if len(drifts) > 0 {
		r.State, r.Drifted, r.Expires = Expired, drifts, s.dir.Now().UTC()
		return nil, errors.Join(stale(drifts), s.put(r))
	}
	return r, s.use(r)
}

// use marks a request as used, and holds it until [Store.Finish]. If this process
// dies before, others see that nobody holds it. The caller holds the lock.
func (s *Store) use(r *Request) error {
	release, free, err := s.dir.Claim(runKey(r.ID))
	if err != nil {
		return err
	}
	if !free { // which no approved request is
		return r.Settled()
	}
	r.State, r.UsedAt = Used, s.dir.Now().UTC()
	if err := s.put(r); err != nil {
		return errors.Join(err, release())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		s.running = map[string]func() error{}
	}
	s.running[r.ID] = release
	return nil
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

// Lapse makes a request that nobody has decided about expire at once. It returns the
// request as it is then: of one that was decided about, the decision.
func (s *Store) Lapse(ctx context.Context, id string) (*Request, error) {
	return s.change(ctx, id, func(r *Request) error {
		if r.State == Pending {
			r.State, r.Expires = Expired, s.dir.Now().UTC()
		}
		return nil
	})
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
