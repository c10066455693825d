package approval

import (
	"context"
	"iter"
	"time"

	"github.com/helve-dev/helve/pkg/state"
)

// interval is the time between two checks whether another process has decided.
const interval = 200 * time.Millisecond

// Wait returns a request once it is no longer pending. It looks every [interval], since
// another process decides. It returns the error of the context or of Get.
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

// Watch yields every request that is kept, and then each that is new or has changed
// its state, until the context ends, the caller stops, or there is an error.
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

// Known returns the workspaces with state below base that ever had a request.
func Known(base string) ([]string, error) {
	all, err := state.Workspaces(base, recordDir)
	var roots []string
	for _, w := range all {
		if w.Has {
			roots = append(roots, w.Root)
		}
	}
	return roots, err
}
