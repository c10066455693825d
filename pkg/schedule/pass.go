package schedule

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/state/store"
)

// pass does all that is to be done now, as far as there is room for runs, and returns
// when there will be more to do; zero is never. Runs that it starts end with runs.
// awake is since when the scheduler has been awake.
func (s *Scheduler) pass(ctx, runs context.Context, now, awake time.Time) (wake time.Time, err error) {
	var seen remains
	err = s.opt.Store.View(ctx, func(r store.Reader) (err error) {
		seen, err = s.look(r)
		return err
	})
	if err == nil {
		err = s.endDead(ctx, seen, now)
	}
	if err != nil {
		return time.Time{}, err
	}
	for {
		todo, wake := s.todo(now, awake)
		progress := false
		for _, id := range todo {
			if s.count() >= s.opt.Parallel {
				return wake, nil // the end of a run wakes
			}
			changed, err := s.take(ctx, runs, id, now, awake)
			if err != nil && !passing(err) && ctx.Err() == nil {
				s.trouble(err) // of this job, and the others go on
				k := s.jobs[id]
				k.quiet = never
				s.jobs[id] = k
				continue
			}
			if err != nil {
				return time.Time{}, err
			}
			progress = progress || changed
		}
		if !progress {
			return wake, nil
		}
	}
}

// todo returns the jobs that have something to do, that which came first in front, and
// when another one will have.
func (s *Scheduler) todo(now, awake time.Time) (ids []string, wake time.Time) {
	type work struct {
		id string
		at time.Time
	}
	var all []work
	for id, k := range s.jobs {
		if k.quiet.After(now) {
			if k.quiet != never {
				wake = sooner(wake, k.quiet)
			}
			continue
		}
		todo, at := k.job.work(now, awake)
		if !s.takes(&k.job) {
			todo, at = false, time.Time{}
		}
		if todo {
			all = append(all, work{id, at})
			continue
		}
		wake = sooner(wake, at)
		if k.quiet = at; at.IsZero() {
			k.quiet = never
		}
		s.jobs[id] = k
	}
	slices.SortFunc(all, func(a, b work) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return strings.Compare(a.id, b.id)
	})
	for _, w := range all {
		ids = append(ids, w.id)
	}
	return ids, wake
}

// never is a time that does not come.
var never = time.Unix(1<<40, 0)

// take claims what is to be done about a job, and starts it.
func (s *Scheduler) take(ctx, runs context.Context, id string, now, awake time.Time) (changed bool, err error) {
	var c claimed
	err = s.opt.Store.Update(ctx, func(tx store.Tx) (err error) {
		c, err = s.claim(tx, id, now, awake)
		return err
	})
	if err != nil {
		if c.run != nil {
			s.doubt[c.run.ID()] = c.run.Attempt
		}
		return false, err
	}
	if c.job.ID == "" { // it was removed
		delete(s.jobs, id)
		return false, nil
	}
	s.jobs[id] = known{job: c.job}
	for _, run := range c.noted {
		s.report(run)
	}
	if c.run != nil {
		delete(s.doubt, c.run.ID())
		s.start(runs, c.job, *c.run)
	}
	return c.changed, nil
}

// endDead ends the runs of dead schedulers, and removes their records.
func (s *Scheduler) endDead(ctx context.Context, seen remains, now time.Time) error {
	for _, id := range seen.jobs {
		err := s.endOrphans(ctx, id, now)
		if err != nil && (passing(err) || ctx.Err() != nil) {
			return err
		}
		s.trouble(err) // of this job, and the others go on
	}
	if len(seen.dead) == 0 {
		return nil
	}
	return s.opt.Store.Update(ctx, func(tx store.Tx) error {
		for _, key := range seen.dead {
			if err := tx.Delete(key); err != nil {
				return err
			}
		}
		return nil
	})
}

// endOrphans ends the runs of a job whose processes have died.
func (s *Scheduler) endOrphans(ctx context.Context, id string, now time.Time) error {
	var lost []Run
	err := s.opt.Store.Update(ctx, func(tx store.Tx) (err error) {
		lost, err = s.lose(tx, id, now)
		return err
	})
	if err != nil {
		return err
	}
	for _, run := range lost {
		s.report(run)
	}
	return s.opt.Store.View(ctx, func(r store.Reader) error {
		job, found, err := readJob(r, id)
		if found {
			s.jobs[id] = known{job: job}
		} else {
			delete(s.jobs, id)
		}
		return err
	})
}
