package schedule

import (
	"context"
	"time"
)

const (
	maxSleep     = time.Minute
	followEvery  = time.Second     // a scheduler that does not lead looks whether somebody does
	longestRetry = 5 * time.Second // of a store that cannot be reached
	settling     = 50 * time.Millisecond
	stepBack     = 2 * time.Second  // of the clock, that is noticed
	overslept    = 30 * time.Second // and it was not only slow: it was suspended, or the clock was set forward
)

// Run runs jobs at their times until ctx ends. Of several schedulers that run, one
// leads and starts the runs; another one takes over when it ends or dies. When ctx
// ends, runs that go on have the grace of the options to end, then they are canceled.
//
// A store that cannot be reached is reported as trouble, and tried again. The error is
// one of the store that does not pass.
func (s *Scheduler) Run(ctx context.Context) error {
	runs, cancel, err := s.open(ctx, kindRun)
	if err != nil {
		return err
	}
	defer cancel(nil)
	err = s.loop(ctx, runs)
	s.wait(cancel)
	return s.close(ctx, err)
}

// loop looks for work until ctx ends, or the store fails for good.
func (s *Scheduler) loop(ctx, runs context.Context) error {
	watching, stop := context.WithCancel(ctx)
	defer stop()
	changed := s.listen(watching)
	awake := s.now()
	wall, steady := awake, time.Now()
	retry := time.Second
	for ctx.Err() == nil {
		now := s.now()
		slept := time.Since(steady)
		if gone := now.Sub(wall) - slept; gone > overslept || gone < -stepBack {
			if awake = now; gone < 0 {
				awake = now.Add(-slept) // the last look, by the clock as it is now
			}
			for id, k := range s.jobs {
				k.quiet = time.Time{}
				s.jobs[id] = k
			}
		}
		wall, steady = now, time.Now()

		wake, leads, err := s.round(ctx, runs, now, awake)
		if err != nil && ctx.Err() == nil {
			s.trouble(err)
			if !passing(err) {
				return err
			}
			s.pause(ctx, retry, nil)
			retry = min(2*retry, longestRetry)
			continue
		}
		if !leads {
			s.pause(ctx, followEvery, nil)
			continue
		}
		sleep := maxSleep
		if !wake.IsZero() {
			sleep = min(sleep, max(0, wake.Sub(s.now())))
		}
		retry = time.Second
		if changed == nil {
			changed, sleep = s.listen(watching), min(sleep, followEvery)
		}
		before := s.now()
		// The changes of the store that come together, such as those of this pass, are one.
		first := min(sleep, settling)
		if s.pause(ctx, first, nil) == passed && s.pause(ctx, sleep-first, changed) == closed {
			changed = nil
		}
		// Where the steady clock goes on during a suspension, it was only a long sleep.
		if now := s.now(); now.Sub(before) > sleep+overslept {
			awake = now
		}
	}
	return nil
}

// round takes the lead, if nobody has it, and does what is to be done.
func (s *Scheduler) round(ctx, runs context.Context, now, awake time.Time) (wake time.Time, leads bool, err error) {
	if leads, err = s.lead(ctx); err != nil || !leads {
		return time.Time{}, false, err
	}
	wake, err = s.pass(ctx, runs, now, awake)
	return wake, err == nil, err
}

// listen watches the store for changes; nil if that fails now, which the next look at the
// store reports.
func (s *Scheduler) listen(ctx context.Context) <-chan struct{} {
	changed, err := s.opt.Store.Watch(ctx)
	if err != nil {
		s.trouble(err)
		return nil
	}
	return changed
}

// ending is the cause of the end of a pause.
type ending int

const (
	passed ending = iota // its time
	woken                // a run that ended, a change of the store, the end of ctx
	closed               // the channel was closed
)

// pause waits for a time, the end of a run or of ctx, or a change.
func (s *Scheduler) pause(ctx context.Context, limit time.Duration, changed <-chan struct{}) ending {
	if limit <= 0 {
		return passed
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-timer.C:
		return passed
	case _, ok := <-changed:
		if !ok {
			return closed
		}
	case <-s.done:
	case <-ctx.Done():
	}
	return woken
}
