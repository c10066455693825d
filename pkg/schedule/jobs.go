package schedule

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Jobs are the jobs of a store. Its methods may be called from several goroutines.
type Jobs struct {
	store store.Store
	now   func() time.Time
}

// NewJobs returns the jobs of a store. now is the clock.
func NewJobs(s store.Store, now func() time.Time) *Jobs { return &Jobs{s, now} }

// Add adds a job, with its defaults, and returns it. Its ID, times and state are given
// to it. If the same was added in the same session, and is still enabled, nothing is
// added and existing is true. The faults are invalid_arguments, and out_of_range if
// there are maxJobs.
func (s *Jobs) Add(ctx context.Context, job Job) (added Job, existing bool, err error) {
	now := s.clock()
	same, err := job.fingerprint()
	if err != nil {
		return Job{}, false, err
	}
	job = job.withDefaults()
	job.Enabled, job.Reason, job.CreatedAt, job.UpdatedAt, job.Problem = true, "", now, time.Time{}, nil
	job.State, job.Added = State{Cursor: now}, same
	if err := job.checkNew(now); err != nil {
		return Job{}, false, err
	}
	err = s.store.Update(ctx, func(tx store.Tx) error {
		added, existing = job, false
		entry, err := tx.Get(addedKeys + same)
		if err != nil {
			return err
		}
		if entry.Revision != 0 {
			before, found, err := readJob(tx, string(entry.Value))
			if err != nil {
				return err
			}
			if found && before.Enabled {
				added, existing = before, true
				return nil
			}
		}
		all, err := tx.List(jobKeys)
		if err != nil {
			return err
		}
		if len(all) >= maxJobs {
			return fault.New(fault.OutOfRange, fault.T("there are %d jobs already", len(all))).
				WithHint(fault.T("remove those that are not needed: cron list, cron remove"))
		}
		if added.ID, err = freeID(tx, job.Name); err != nil {
			return err
		}
		if err := tx.Put(addedKeys+same, []byte(added.ID)); err != nil {
			return err
		}
		return putJob(tx, &added)
	})
	if err != nil {
		return Job{}, false, err
	}
	return added, existing, nil
}

// clock returns the time as it is kept: in UTC, to the millisecond.
func (s *Jobs) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// Get returns a job by its ID, or by its name if only one has it. The fault is
// not_found.
func (s *Jobs) Get(ctx context.Context, ref string) (job Job, err error) {
	err = s.store.View(ctx, func(r store.Reader) error {
		job, err = find(r, ref)
		return err
	})
	return job, err
}

// List returns all jobs, the oldest first. One that cannot be used has a Problem.
func (s *Jobs) List(ctx context.Context) (jobs []Job, err error) {
	err = s.store.View(ctx, func(r store.Reader) error {
		jobs, err = list(r)
		return err
	})
	return jobs, err
}

// Active returns the jobs with runs that go on.
func (s *Jobs) Active(ctx context.Context) (jobs []Job, err error) {
	err = s.store.View(ctx, func(r store.Reader) error {
		jobs = nil
		entries, err := r.List(jobKeys)
		for _, e := range entries {
			// Quotes in a text are escaped, so that only a member has this name.
			if !bytes.Contains(e.Value, []byte(`"active":`)) {
				continue
			}
			if j := decodeJob(strings.TrimPrefix(e.Key, jobKeys), e.Value); len(j.State.Active) > 0 {
				jobs = append(jobs, j)
			}
		}
		return err
	})
	return jobs, err
}

func list(r store.Reader) ([]Job, error) {
	jobs, err := store.Records(r, jobKeys, decodeJob)
	slices.SortStableFunc(jobs, func(a, b Job) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return jobs, err
}

// find returns a job by its ID or its name.
func find(r store.Reader, ref string) (Job, error) {
	if job, found, err := readJob(r, ref); found || err != nil {
		return job, err
	}
	all, err := list(r)
	if err != nil {
		return Job{}, err
	}
	var named, names []string
	var job Job
	for _, j := range all {
		names = append(names, j.ID)
		if j.Name != "" {
			names = append(names, j.Name)
		}
		if j.Name == ref {
			named, job = append(named, j.ID), j
		}
	}
	if len(named) == 1 {
		return job, nil
	}
	none := fault.New(fault.NotFound, fault.T("there is no job %q", ref)).
		WithHint(fault.T("cron list lists the jobs"))
	if like := similar.Name(ref, names); like != "" {
		none.WithHint(fault.T("did you mean %s? cron list lists the jobs", like))
	}
	if len(named) > 1 {
		none = fault.New(fault.NotFound, fault.T("several jobs are named %q", ref)).
			WithHint(fault.T("name one by its id: %s", strings.Join(named, ", ")))
	}
	return Job{}, none
}

// Update changes a job: change is given a copy, and may run several times. What a
// caller may not change, such as the ID and the state, stays. With another timing, or
// when it is enabled, only slots from now on count.
func (s *Jobs) Update(ctx context.Context, ref string, change func(*Job) error) (job Job, err error) {
	err = s.store.Update(ctx, func(tx store.Tx) error {
		now := s.clock()
		before, err := find(tx, ref)
		if err != nil {
			return err
		}
		if before.Problem != nil {
			return before.Problem
		}
		if job, err = clone(before); err != nil {
			return err
		}
		if err := change(&job); err != nil {
			return err
		}
		job = job.withDefaults()
		job.ID, job.CreatedAt, job.UpdatedAt, job.State = before.ID, before.CreatedAt, now, before.State
		if err := job.forget(tx); err != nil {
			return err
		}
		timed, err := equal(before.Timing, job.Timing)
		if err != nil {
			return err
		}
		if job.Enabled && (!timed || !before.Enabled) {
			job.State.Cursor, job.State.Failures, job.State.Runs, job.Reason = now, 0, 0, ""
		}
		if job.Enabled {
			err = job.checkNew(now)
		} else {
			err = job.check()
		}
		if err != nil {
			return err
		}
		if before.Enabled && !job.Enabled {
			if err := job.drop(tx, now); err != nil {
				return err
			}
		}
		return putJob(tx, &job)
	})
	if err != nil {
		return Job{}, err
	}
	return job, nil
}

// Enable enables a job. Slots that passed meanwhile do not count.
func (s *Jobs) Enable(ctx context.Context, ref string) (Job, error) {
	return s.Update(ctx, ref, func(j *Job) error { j.Enabled = true; return nil })
}

// Disable disables a job, and says why. A run that goes on ends as it will.
func (s *Jobs) Disable(ctx context.Context, ref, reason string) (Job, error) {
	return s.Update(ctx, ref, func(j *Job) error { j.Enabled, j.Reason = false, reason; return nil })
}

// Remove removes a job and returns what it was. Its runs are kept for a while. A run
// that goes on ends as it will.
func (s *Jobs) Remove(ctx context.Context, ref string) (job Job, err error) {
	err = s.store.Update(ctx, func(tx store.Tx) error {
		if job, err = find(tx, ref); err != nil {
			return err
		}
		return remove(tx, &job, s.clock())
	})
	return job, err
}

// RunNow has a job run once, also if it is disabled, as soon as a scheduler gets to it.
// The run is returned as it is queued.
func (s *Jobs) RunNow(ctx context.Context, ref string) (run Run, err error) {
	err = s.store.Update(ctx, func(tx store.Tx) error {
		job, err := find(tx, ref)
		if err != nil {
			return err
		}
		if job.Problem != nil {
			return job.Problem
		}
		if len(job.State.Queue) >= maxQueue {
			return fault.New(fault.RateLimited, fault.T("%d runs of job %s wait already", len(job.State.Queue), job.ID)).
				WithHint(fault.T("start a scheduler: helve cron run"))
		}
		at := s.clock()
		for {
			entry, err := tx.Get(runKey(job.ID, at))
			if err != nil {
				return err
			}
			if entry.Revision == 0 && at.Nanosecond() != 0 { // slots are at whole seconds
				break
			}
			at = at.Add(time.Millisecond)
		}
		run = Run{Job: job.ID, ScheduledAt: at, Status: Queued, Attempt: 1, Manual: true}
		job.State.Queue = append(job.State.Queue, Waiting{At: at, Attempt: 1, Manual: true})
		if err := putRun(tx, &run); err != nil {
			return err
		}
		return putJob(tx, &job)
	})
	if err != nil {
		return Run{}, err
	}
	return run, nil
}

// clone returns a deep copy of a job.
func clone(j Job) (out Job, err error) {
	data, err := json.Marshal(j)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	return out, err
}
