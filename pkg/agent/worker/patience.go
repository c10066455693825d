package worker

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
)

// longestPause is between two attempts to write.
const longestPause = time.Minute

// passing reports whether a failure of the store may pass.
func passing(err error) bool {
	for _, code := range []fault.Code{fault.IOError, fault.Locked, fault.Unavailable, fault.Timeout} {
		if fault.Is(err, code) {
			return true
		}
	}
	return false
}

// patiently does something with the store until it succeeds, fails for good, ctx ends, or
// p.Give is over: a disk is full until somebody makes room.
func (p pace) patiently(ctx context.Context, do func(context.Context) error) error {
	until := time.Now().Add(p.Give)
	for pause := p.Retry; ; pause = min(2*pause, longestPause) {
		err := do(ctx)
		if err == nil || !passing(err) || time.Now().After(until) {
			return err
		}
		if rest(ctx, pause); ctx.Err() != nil {
			return err
		}
	}
}

// finish writes the end of a job, with patience.
func (p pace) finish(ctx context.Context, jobs *agent.Jobs, id, worker string, o agent.Outcome) error {
	return p.patiently(ctx, func(ctx context.Context) error {
		_, _, err := jobs.Finish(ctx, id, worker, o)
		return err
	})
}

// follow calls see with a job as it is, and again after changes, until ctx ends.
func (p pace) follow(ctx context.Context, jobs *agent.Jobs, id string, see func(*agent.Job)) {
	changed, err := jobs.Watch(ctx)
	if err != nil {
		changed = nil // the ticker remains
	}
	again := time.NewTicker(p.Beat)
	defer again.Stop()
	for ctx.Err() == nil {
		job, err := jobs.Get(ctx, id)
		if err == nil {
			see(&job)
			select {
			case <-changed: // is closed when ctx ends
			case <-again.C:
			case <-ctx.Done():
			}
		}
		rest(ctx, p.Look) // others change much
	}
}

// rest waits for a time, or until ctx ends.
func rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
