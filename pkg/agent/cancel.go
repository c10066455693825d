package agent

import (
	"context"

	"github.com/helve-dev/helve/pkg/state/store"
)

// Cancel ends a job of the queue at once, and asks the worker of another one to end it;
// if that has died, it is ended at once as well. A job that has ended is returned as it
// is. The faults are those of Get.
func (j *Jobs) Cancel(ctx context.Context, id string) (canceled Job, err error) {
	err = j.store.Update(ctx, func(tx store.Tx) error {
		job, err := find(tx, id)
		if err != nil {
			return err
		}
		switch {
		case job.Status.Final():
		case job.Worker == nil || j.died(&job):
			err = j.end(tx, &job, Outcome{Status: Canceled})
		case !job.Canceling:
			job.Canceling = true
			err = put(tx, &job)
		}
		canceled = job
		return err
	})
	if err != nil {
		return Job{}, err
	}
	return canceled, nil
}
