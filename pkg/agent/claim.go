package agent

import (
	"context"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Claim gives a worker the oldest job of the queue that takes accepts, or nil; takes may
// be called several times for a job. It gives none while limit jobs or more run on the
// worker's machine, and none whose Labels the worker does not all have. Those whose
// workers have died count until [Jobs.Reap] has seen it.
func (j *Jobs) Claim(ctx context.Context, w Worker, limit int, takes func(*Job) bool) (claimed *Job, err error) {
	if w.ID == "" {
		return nil, fault.New(fault.Internal, fault.T("a worker without an ID claims a job"))
	}
	w.Labels = slices.Clone(w.Labels)
	err = j.store.Update(ctx, func(tx store.Tx) error {
		claimed = nil
		s, err := readSlots(tx, w.place())
		if err != nil || len(s.Jobs) >= limit {
			return err
		}
		job, key, err := oldest(tx, &w, takes)
		if err != nil || job == nil {
			return err
		}
		now := j.clock()
		job.Queued, job.Worker, job.Attempt = false, &w, job.Attempt+1
		job.StartedAt, job.Beat = now, now
		if err := tx.Delete(key); err != nil {
			return err
		}
		s.Jobs = append(s.Jobs, job.ID)
		if err := s.put(tx); err != nil {
			return err
		}
		claimed = job
		return put(tx, job)
	})
	if err != nil {
		return nil, err
	}
	return claimed, nil
}

// oldest returns the job of the queue that a worker is to have, and its key there.
func oldest(r store.Reader, w *Worker, takes func(*Job) bool) (*Job, string, error) {
	waiting, err := r.List(queueKeys)
	if err != nil {
		return nil, "", err
	}
	for _, e := range waiting {
		job, found, err := read(r, queuedID(e.Key))
		switch {
		case unreadable(err) || err == nil && (!found || !job.Queued || job.queueKey() != e.Key):
			continue // Collect tidies it up
		case err != nil:
			return nil, "", err
		}
		if w.has(job.Labels) && (takes == nil || takes(&job)) {
			return &job, e.Key, nil
		}
	}
	return nil, "", nil
}

// has reports whether a worker has all labels.
func (w *Worker) has(labels []string) bool {
	return !slices.ContainsFunc(labels, func(l string) bool { return !slices.Contains(w.Labels, l) })
}
