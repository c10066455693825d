package agent

import (
	"context"
	"errors"
	"slices"

	"github.com/helve-dev/helve/pkg/state/store"
)

// Reap ends the jobs whose workers have died: as lost, as canceled if somebody has asked
// for that, or by their OnLost back into the queue. It returns them as they are then.
// Those of other machines count as dead when they have not written for a time. What
// stands in the way of one job does not keep it from the others. While no job runs, Reap
// only reads.
func (j *Jobs) Reap(ctx context.Context) (reaped []Job, err error) {
	var dead []Job
	var stale []stay
	err = j.store.View(ctx, func(r store.Reader) error {
		dead, stale = nil, nil
		all, err := running(r)
		if err != nil {
			return err
		}
		for _, s := range all {
			for _, id := range s.Jobs {
				job, found, err := read(r, id)
				switch {
				case unreadable(err) || err == nil && (!found || !job.runs() || job.Worker.place() != s.Place):
					stale = append(stale, stay{s.Place, id})
				case err != nil:
					return err
				case j.died(&job):
					dead = append(dead, job)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var failed []error
	for i := range dead {
		ended, mine, err := j.Finish(ctx, dead[i].ID, dead[i].Worker.ID, Outcome{Status: Lost})
		if mine {
			reaped = append(reaped, ended)
		}
		failed = append(failed, err)
	}
	if len(stale) > 0 {
		failed = append(failed, j.tidy(ctx, stale))
	}
	return reaped, errors.Join(failed...)
}

// stay is a job among those that run on a machine.
type stay struct{ place, id string }

// tidy takes jobs that do not run, or cannot be read, from those of their machines: they
// would count for ever.
func (j *Jobs) tidy(ctx context.Context, stale []stay) error {
	return j.store.Update(ctx, func(tx store.Tx) error {
		for _, at := range stale {
			job, found, err := read(tx, at.id)
			if err != nil && !unreadable(err) {
				return err
			}
			if err == nil && found && job.runs() && job.Worker.place() == at.place {
				continue
			}
			s, err := readSlots(tx, at.place)
			if err != nil {
				return err
			}
			s.Jobs = slices.DeleteFunc(s.Jobs, func(id string) bool { return id == at.id })
			if err := s.put(tx); err != nil {
				return err
			}
		}
		return nil
	})
}
