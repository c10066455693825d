package agent

import (
	"context"
	"slices"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
)

// maxQueued limits the number of jobs that wait for a worker.
const maxQueued = 1000

// Add puts a job in the queue: it gives it an ID, and CreatedAt. A session that has the
// same task, for the same runtime and in the same project, with a job that has not ended
// gets that one: existing is true. One that somebody has canceled does not count, and none
// whose worker has died, unless it is to run again. The
// faults are invalid_arguments, rate_limited if too many wait, and those of the store.
func (j *Jobs) Add(ctx context.Context, job Job) (added Job, existing bool, err error) {
	if job, err = job.asNew(); err != nil {
		return Job{}, false, err
	}
	err = j.store.Update(ctx, func(tx store.Tx) error {
		added, existing = job, false
		same := job.sameKey()
		before, err := ongoing(tx, same)
		if err != nil {
			return err
		}
		if before != nil && !j.lost(before) {
			added, existing = *before, true
			return nil
		}
		waiting, err := tx.List(queueKeys)
		if err != nil {
			return err
		}
		if len(waiting) >= maxQueued {
			return fault.New(fault.RateLimited, fault.T("%d sub-agents wait for their turn already", len(waiting))).
				WithHint(fault.T("wait for some to end, or cancel those that are not needed: helve spawn list, helve spawn cancel ID"))
		}
		added.CreatedAt = j.clock()
		if added.ID, err = freeID(tx, added.Label, added.Task); err != nil {
			return err
		}
		return enqueue(tx, &added, same)
	})
	if err != nil {
		return Job{}, false, err
	}
	return added, existing, nil
}

// ongoing returns the job that a key of sameKeys names, if it goes on.
func ongoing(r store.Reader, same string) (*Job, error) {
	e, err := r.Get(same)
	if err != nil || e.Revision == 0 {
		return nil, err
	}
	before, found, err := read(r, string(e.Value))
	switch {
	case unreadable(err):
		return nil, nil
	case err != nil || !found || before.Status.Final() || before.Canceling:
		return nil, err
	}
	return &before, nil
}

// lost reports whether a job only waits for somebody to say that it is lost.
func (j *Jobs) lost(of *Job) bool { return j.died(of) && !of.reruns() }

// unreadable reports whether a job is there whose record cannot be read.
func unreadable(err error) bool {
	return fault.Is(err, fault.BadDocument) || fault.Is(err, fault.Unsupported)
}

// enqueue writes a job that is new.
func enqueue(tx store.Tx, j *Job, same string) error {
	if len(j.Task) > maxHead {
		if err := tx.Put(taskKeys+j.ID, []byte(j.Task)); err != nil {
			return err
		}
	}
	if err := tx.Put(same, []byte(j.ID)); err != nil {
		return err
	}
	if err := tx.Put(j.queueKey(), nil); err != nil {
		return err
	}
	return put(tx, j)
}

// freeID returns an ID of a label, or of a task, that no job has, and that no message
// speaks of: the message of a job that was forgotten may still be there.
func freeID(r store.Reader, label, task string) (string, error) {
	name := label
	if name == "" {
		name = begin(task, maxHead)
	}
	for range 100 {
		id := state.ShortID(name)
		e, err := r.Get(jobKeys + id)
		if err != nil {
			return "", err
		}
		told, err := bus.Has(r, FinalMessage(id))
		if err != nil || e.Revision == 0 && !told {
			return id, err
		}
	}
	return "", fault.New(fault.Conflict, fault.T("no ID is free for a job with the label %q", label)).
		WithHint(fault.T("pass another label"))
}

// asNew returns the job as one that nobody has begun, with its defaults.
func (j Job) asNew() (Job, error) {
	j.Limits = j.Limits.withDefaults()
	if j.Runtime == "" {
		j.Runtime = Builtin
	}
	if j.Origin.Session == "" {
		j.Origin.Session = defaultSession
	}
	if j.Depth == 0 {
		j.Depth = 1
	}
	j.Labels = slices.Clone(j.Labels)
	slices.Sort(j.Labels)
	j.Labels = slices.Compact(j.Labels)
	n := Job{
		Label: j.Label, Task: j.Task, Runtime: j.Runtime, Model: j.Model, BaseURL: j.BaseURL, Limits: j.Limits, Labels: j.Labels,
		OnLost: j.OnLost, Depth: j.Depth, Origin: j.Origin, Root: j.Root, Project: j.Project, Config: j.Config,
		ReadOnly: j.ReadOnly, Lang: j.Lang, Status: Working, Queued: true,
	}
	return n, n.checkNew()
}

// defaultSession is the session of a caller that names none.
const defaultSession = "default"

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		limit *int
		value int
	}{{&l.Iterations, DefaultIterations}, {&l.Timeout, DefaultTimeout}, {&l.Context, DefaultContext}} {
		if *d.limit == 0 {
			*d.limit = d.value
		}
	}
	if l.Tokens == 0 {
		l.Tokens = DefaultTokens
	}
	return l
}
