package schedule

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/state/store"
)

// Tick runs what is due now, waits for it, and returns the runs that have ended or will
// be tried again, and the slots that do not run. It is for those who call it every minute or so. When ctx ends, runs
// have the grace of the options to end.
func (s *Scheduler) Tick(ctx context.Context) ([]Run, error) {
	runs, cancel, err := s.open(ctx, kindTick)
	if err != nil {
		return nil, err
	}
	defer cancel(nil)
	now := s.now()
	for ctx.Err() == nil {
		before := s.begun()
		if _, err = s.pass(ctx, runs, now, now); err != nil {
			break
		}
		if s.begun() == before && s.count() == 0 {
			break
		}
		s.pause(ctx, maxSleep, nil)
	}
	if ctx.Err() != nil {
		err = nil // that it was to end is no failure
	}
	s.wait(cancel)
	err = s.close(ctx, err)
	return s.ended, err
}

// begun returns how many runs this scheduler has started.
func (s *Scheduler) begun() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.started
}

// RunNow runs a job now, also if it is disabled, and waits for the end of the run. If
// another run goes on and the job does not run in parallel, it waits for that. A run
// that has failed and will be tried again is returned as queued, with the error.
//
// The fault for a job of another host's workspace is outside_workspace.
func (s *Scheduler) RunNow(ctx context.Context, ref string) (run Run, err error) {
	jobs := NewJobs(s.opt.Store, s.opt.Now)
	job, err := jobs.Get(ctx, ref)
	if err != nil {
		return Run{}, err
	}
	if job.Problem == nil && !s.takes(&job) {
		return Run{}, job.Elsewhere()
	}
	queued, err := jobs.RunNow(ctx, ref)
	if err != nil {
		return Run{}, err
	}
	runs, cancel, err := s.open(ctx, kindTick)
	if err != nil {
		return Run{}, err
	}
	defer cancel(nil)
	run, err = s.follow(ctx, runs, queued)
	s.wait(cancel)
	return run, s.close(ctx, err)
}

// follow carries out a run that is queued, unless another scheduler does, and waits for
// its end.
func (s *Scheduler) follow(ctx, runs context.Context, queued Run) (run Run, err error) {
	for {
		err := s.opt.Store.View(ctx, func(r store.Reader) error {
			read, found, err := readRun(r, queued.Job, queued.ScheduledAt)
			if found {
				run = read
			}
			return err
		})
		if err != nil || run.Status.Final() || run.Status == Queued && run.Error != "" {
			return run, err
		}
		if run.Status == Queued {
			if err := s.takeQueued(ctx, runs, queued); err != nil {
				return run, err
			}
		}
		s.pause(ctx, time.Second, nil)
		if ctx.Err() != nil {
			return run, context.Cause(ctx)
		}
	}
}

// takeQueued starts the queued run if its turn has come.
func (s *Scheduler) takeQueued(ctx, runs context.Context, queued Run) error {
	now := s.now()
	var c claimed
	err := s.opt.Store.Update(ctx, func(tx store.Tx) error {
		c = claimed{}
		job, found, err := readJob(tx, queued.Job)
		if err != nil || !found || job.Problem != nil {
			return err
		}
		at, ok := job.ready(now)
		if !ok || !job.State.Queue[at].At.Equal(queued.ScheduledAt) {
			return nil
		}
		c.job = job
		return s.beginQueued(tx, &c, at, now)
	})
	if c.run == nil {
		return err
	}
	if err != nil {
		s.doubt[c.run.ID()] = c.run.Attempt
		return err
	}
	delete(s.doubt, c.run.ID())
	s.start(runs, c.job, *c.run)
	return nil
}
