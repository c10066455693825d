package agent

import (
	"context"
	"time"
)

const (
	// reapEvery is the time between two checks of a waiter whether the worker has died:
	// nobody else may be there to write it.
	reapEvery = 2 * time.Second
	// lastLook bounds the look of a waiter whose time is over.
	lastLook = 10 * time.Second
)

// Wait returns a job when it has ended or, with input, needs a decision. When ctx is done
// it returns the job as it is, without an error. A job whose worker dies meanwhile ends as
// by [Jobs.Reap]. The faults are those of Get.
func (j *Jobs) Wait(ctx context.Context, id string, input bool) (Job, error) {
	changed, err := j.store.Watch(ctx)
	if err != nil {
		return Job{}, err
	}
	timer := time.NewTicker(reapEvery)
	defer timer.Stop()
	for {
		job, err := j.Get(ctx, id)
		switch {
		case err != nil && ctx.Err() != nil:
			return j.look(ctx, id)
		case err != nil:
			return Job{}, err
		case job.Status.Final() || input && job.Status == InputRequired:
			return job, nil
		}
		id = job.ID // others that begin alike may come
		if j.died(&job) {
			if _, _, err := j.Finish(ctx, id, job.Worker.ID, Outcome{Status: Lost}); err != nil && ctx.Err() == nil {
				return Job{}, err
			}
			continue
		}
		select {
		case _, open := <-changed:
			if !open {
				return j.look(ctx, id)
			}
		case <-timer.C:
		case <-ctx.Done():
			return j.look(ctx, id)
		}
	}
}

// look is Get for a caller whose time is over.
func (j *Jobs) look(ctx context.Context, id string) (Job, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
	defer cancel()
	return j.Get(ctx, id)
}
