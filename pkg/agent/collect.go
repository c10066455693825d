package agent

import (
	"context"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Keep is the default age at which [Jobs.Collect] forgets a job that has ended.
const Keep = 7 * 24 * time.Hour

// batch limits the number of jobs forgotten in one transaction: each has a few keys.
const batch = 50

// Collect forgets jobs that ended longer ago than age, and returns them as List does. A
// job whose record is damaged does not say when it ended: it goes with an age of 0.
func (j *Jobs) Collect(ctx context.Context, age time.Duration) (forgotten []Job, err error) {
	all, err := j.List(ctx)
	if err != nil {
		return nil, err
	}
	before := j.clock().Add(-age)
	all = slices.DeleteFunc(all, func(job Job) bool { return !job.old(before, age) })
	for some := range slices.Chunk(all, batch) {
		var gone []Job
		err := j.store.Update(ctx, func(tx store.Tx) error {
			gone = nil
			for i := range some {
				ok, err := forget(tx, some[i].ID, before, age)
				if err != nil {
					return err
				}
				if ok {
					gone = append(gone, some[i])
				}
			}
			return nil
		})
		if err != nil {
			return forgotten, err
		}
		forgotten = append(forgotten, gone...)
	}
	return forgotten, j.tidyQueue(ctx)
}

// old reports whether a job is to be forgotten.
func (j *Job) old(before time.Time, age time.Duration) bool {
	if j.EndedAt.IsZero() {
		return age <= 0 && j.Fault != nil && j.Fault.Code == fault.BadDocument
	}
	return j.Status.Final() && !j.EndedAt.After(before)
}

// forget removes what is kept of a job, if that is still to be.
func forget(tx store.Tx, id string, before time.Time, age time.Duration) (bool, error) {
	e, err := tx.Get(jobKeys + id)
	if err != nil || e.Revision == 0 {
		return false, err
	}
	kept, unread := decode(id, e.Value)
	if unread != nil {
		kept.Job = broken(id, e.Value, unread)
	}
	if !kept.old(before, age) {
		return false, nil
	}
	keys := []string{jobKeys + id, taskKeys + id, resultKeys + id}
	if whole, _, err := read(tx, id); err == nil {
		same := whole.sameKey()
		e, err := tx.Get(same)
		if err != nil {
			return false, err
		}
		if string(e.Value) == id {
			keys = append(keys, same)
		}
	} else if !unreadable(err) {
		return false, err
	}
	for _, key := range keys {
		if err := tx.Delete(key); err != nil {
			return false, err
		}
	}
	return true, nil
}

// tidyQueue removes what is in the queue of jobs that are not.
func (j *Jobs) tidyQueue(ctx context.Context) error {
	stray := func(r store.Reader) (keys []string, err error) {
		waiting, err := r.List(queueKeys)
		if err != nil {
			return nil, err
		}
		for _, e := range waiting {
			job, found, err := read(r, queuedID(e.Key))
			switch {
			case unreadable(err):
			case err != nil:
				return nil, err
			case !found || !job.Queued || job.queueKey() != e.Key:
				keys = append(keys, e.Key)
			}
		}
		return keys[:min(len(keys), store.MaxWrites)], nil
	}
	var keys []string
	err := j.store.View(ctx, func(r store.Reader) (err error) {
		keys, err = stray(r)
		return err
	})
	if err != nil || len(keys) == 0 {
		return err
	}
	return j.store.Update(ctx, func(tx store.Tx) error {
		keys, err := stray(tx)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := tx.Delete(key); err != nil {
				return err
			}
		}
		return nil
	})
}
