package schedule

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// What is kept of runs that have ended.
const (
	keptRuns    = 100 // of a job
	keptFor     = 30 * 24 * time.Hour
	keptRemoved = 200 // jobs that are gone
	pruneEvery  = 16  // runs of a job; so the price of a run stays small
	pruneAtOnce = 64  // runs
)

// History returns the runs of a job, or of all jobs if ref is "", the latest first, at
// most limit. A job that is gone is named by its ID. The fault is not_found.
func (s *Jobs) History(ctx context.Context, ref string, limit int) (runs []Run, err error) {
	err = s.store.View(ctx, func(r store.Reader) error {
		prefix := runKeys
		if ref != "" {
			if prefix, err = s.runsOf(r, ref); err != nil {
				return err
			}
		}
		runs, err = runsBelow(r, prefix)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(runs, func(a, b Run) int { return b.ScheduledAt.Compare(a.ScheduledAt) })
	return runs[:min(len(runs), limit)], nil
}

// runsOf returns the prefix of the runs of a job that is there, or was.
func (s *Jobs) runsOf(r store.Reader, ref string) (string, error) {
	if prefix := runKeys + ref + "/"; store.CheckPrefix(prefix) == nil {
		if entries, err := r.List(prefix); err != nil || len(entries) > 0 {
			return prefix, err
		}
	}
	job, err := find(r, ref)
	return runKeys + job.ID + "/", err
}

func runsBelow(r store.Reader, prefix string) ([]Run, error) {
	entries, err := r.List(prefix)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(entries))
	for i, e := range entries {
		runs[i], _ = decodeRun(e)
	}
	return runs, nil
}

// prune removes runs of a job that are too old or too many. It does little at a time.
func (j *Job) prune(tx store.Tx, now time.Time) error {
	if j.State.Ended++; j.State.Ended < pruneEvery {
		return nil
	}
	j.State.Ended = 0
	entries, err := tx.List(runKeys + j.ID + "/")
	if err != nil {
		return err
	}
	most, removed := max(0, len(entries)-keptRuns), 0
	for i, e := range entries { // the oldest first
		run, _ := decodeRun(e)
		old := run.Status.Final() && now.Sub(run.ScheduledAt) > keptFor
		if i >= most && !old || removed == pruneAtOnce {
			break
		}
		if !run.Status.Final() {
			continue
		}
		if err := tx.Delete(e.Key); err != nil {
			return err
		}
		removed++
	}
	return nil
}

// forget lets the same be added again.
func (j *Job) forget(tx store.Tx) error {
	if j.Added == "" {
		return nil
	}
	key := addedKeys + j.Added
	j.Added = ""
	e, err := tx.Get(key)
	if err != nil || string(e.Value) != j.ID {
		return err
	}
	return tx.Delete(key)
}

// remove removes a job. Its runs are kept for a while, and those of one that was
// removed long ago are not any more.
func remove(tx store.Tx, j *Job, now time.Time) error {
	gone := *j
	if err := gone.forget(tx); err != nil {
		return err
	}
	if err := tx.Delete(jobKeys + j.ID); err != nil {
		return err
	}
	before, err := tx.List(removedKeys)
	if err != nil {
		return err
	}
	for _, e := range before[:min(2, len(before))] { // the oldest; one is added, so two suffice
		at, id, _ := strings.Cut(strings.TrimPrefix(e.Key, removedKeys), "@")
		if len(before) < keptRemoved && at > now.Add(-keptFor).UTC().Format(slotLayout) {
			break
		}
		runs, err := tx.List(runKeys + id + "/")
		if err != nil {
			return err
		}
		for _, r := range runs {
			if err := tx.Delete(r.Key); err != nil {
				return err
			}
		}
		if err := tx.Delete(e.Key); err != nil {
			return err
		}
	}
	return tx.Put(removedKeys+now.UTC().Format(slotLayout)+"@"+j.ID, nil)
}

// drop gives up the runs of the job that wait for their turn, but those that a person
// asked for.
func (j *Job) drop(tx store.Tx, now time.Time) error {
	var kept []Waiting
	for _, w := range j.State.Queue {
		if w.Manual {
			kept = append(kept, w)
			continue
		}
		run, found, err := readRun(tx, j.ID, w.At)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		run.Status, run.EndedAt, run.Error = Skipped, now, cmp.Or(run.Error, j.say(fault.T("the job was disabled")))
		if err := putRun(tx, &run); err != nil {
			return err
		}
	}
	j.State.Queue = kept
	return nil
}
