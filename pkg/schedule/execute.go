package schedule

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Why an attempt is canceled.
var (
	errEnding = errors.New("the scheduler has ended")
	errTaken  = errors.New("the run is another scheduler's now")
)

// endTries limits the time for writing an attempt's end after the scheduler was to end:
// then the run counts as lost.
const endTries = 5 * time.Second

// start carries out a run that was claimed. ctx ends when the run must not go on.
func (s *Scheduler) start(ctx context.Context, job Job, run Run) {
	ctx, cancel := context.WithCancelCause(ctx)
	s.mu.Lock()
	id, mine := run.ID(), &attempt{run, cancel}
	if before := s.running[id]; before != nil { // it was taken away, and has come back
		before.cancel(errTaken)
	}
	s.running[id] = mine
	s.started++
	s.mu.Unlock()
	go func() {
		defer cancel(nil)
		o := s.execute(ctx, &job, run)
		if !errors.Is(context.Cause(ctx), errTaken) {
			s.finish(ctx, run, o)
		}
		s.mu.Lock()
		if s.running[id] == mine {
			delete(s.running, id)
		}
		s.mu.Unlock()
		s.ring()
	}()
}

// ring wakes the goroutine that looks for work.
func (s *Scheduler) ring() {
	select {
	case s.done <- struct{}{}:
	default:
	}
}

// execute carries out an attempt.
func (s *Scheduler) execute(ctx context.Context, job *Job, run Run) outcome {
	limit := time.Duration(job.Timeout) * time.Second
	within, cancel := context.WithTimeoutCause(ctx, limit, context.DeadlineExceeded)
	defer cancel()
	o, err := s.condition(within, job, run)
	switch {
	case err != nil || o.status == Skipped:
	case job.Action.Message != "":
		o.output = job.Action.Message
	default:
		o.output, err = s.call(within, job, job.Action, run)
	}
	switch {
	case o.status == Skipped:
	case err == nil:
		o.status = OK
	case errors.Is(context.Cause(ctx), errEnding):
		o.status, o.error, o.again = Failed, job.say(fault.T("it was canceled: the scheduler has ended")), true
	case within.Err() != nil:
		o.status, o.error = Timeout, job.say(fault.T("it did not end within %s", limit))
	default:
		o.status, o.error = Failed, job.say(fault.As(err).Message)
		if fault.Is(err, fault.Timeout) {
			o.status = Timeout
		}
	}
	return o
}

// condition checks the condition of the job, if it has one. If it does not hold, the
// outcome is a skipped run; an error means that no time is left.
func (s *Scheduler) condition(ctx context.Context, job *Job, run Run) (outcome, error) {
	if job.When == nil {
		return outcome{}, nil
	}
	output, err := s.call(ctx, job, Action{Call: &job.When.Call}, run)
	if ctx.Err() != nil {
		return outcome{}, context.Cause(ctx)
	}
	seen := digest([]byte(output))
	switch {
	case err != nil:
		return outcome{status: Skipped, error: job.say(fault.T("its condition failed: %s", fault.As(err).Message))}, nil
	case strings.TrimSpace(output) == "":
		return outcome{status: Skipped, error: job.say(fault.T("its condition returned nothing"))}, nil
	case job.When.Changed && seen == job.State.Seen:
		return outcome{status: Skipped, error: job.say(fault.T("its condition returned the same as before"))}, nil
	}
	return outcome{seen: seen}, nil
}

// call calls the runner. If that panics, the run has failed, and the scheduler goes on.
func (s *Scheduler) call(ctx context.Context, job *Job, action Action, run Run) (output string, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.trouble(fault.New(fault.Internal, fault.T("run %s panicked: %v\n%s", run.ID(), p, debug.Stack())))
			err = fault.New(fault.Internal, fault.T("internal error: %v", p)).
				WithHint(fault.T("this is a bug in helve; please report it"))
		}
	}()
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	return s.opt.Runner(ctx, *job, action, run)
}

// finish writes the end of an attempt. While the store cannot be reached it tries again,
// until the scheduler is to end and some more seconds.
func (s *Scheduler) finish(ctx context.Context, run Run, o outcome) {
	var enough <-chan time.Time
	for wait := time.Second; ; wait = min(2*wait, longestRetry) {
		var ended Run
		var mine bool
		err := s.opt.Store.Update(context.WithoutCancel(ctx), func(tx store.Tx) (err error) {
			ended, mine, err = s.end(tx, run, o, s.now())
			return err
		})
		if err == nil {
			if mine {
				s.report(ended)
			}
			return
		}
		s.trouble(fmt.Errorf("run %s: %w", run.ID(), err))
		if !passing(err) {
			return
		}
		select {
		case <-time.After(wait):
			continue
		case <-ctx.Done():
		}
		if enough == nil {
			enough = time.After(endTries)
		}
		select {
		case <-enough:
			return
		case <-time.After(time.Second):
		}
	}
}

// passing reports whether a failure of the store may pass, such as a full disk.
func passing(err error) bool {
	return fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Timeout) || fault.Is(err, fault.Locked) || fault.Is(err, fault.IOError)
}
