package spawn

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// ending limits the time to end a job, or to write that it has ended.
const ending = 15 * time.Second

// await returns the job once it has ended or, with the time up that it may take, as it is
// then: it goes on. One that a person must decide about is returned after the time that
// calls wait for a person; see [tool.Env.Patience]. Nobody reads what the run of a job of
// the schedule returns before its end, so that it waits on. A call that is canceled takes its own
// job with it, which nobody wants any more; one that another call has spawned goes on.
func await(ctx context.Context, call *tool.Call, jobs *agent.Jobs, j agent.Job, own bool) (agent.Job, error) {
	most := time.Duration(j.Limits.Timeout)*time.Second + ending
	limited, cancel := context.WithTimeout(ctx, call.Home.Within(most))
	defer cancel()
	patience := call.Home.Patience
	if call.Home.Run != "" {
		patience = most
	}
	now, err := decided(limited, jobs, j.ID, patience)
	switch {
	case ctx.Err() == nil || err == nil && now.Status.Final():
		return now, err
	case own:
		return now, stop(ctx, jobs, j.ID)
	}
	return now, fault.New(fault.Canceled, fault.T("the call was canceled; job %s goes on, as another call has spawned it", j.ID)).
		WithHint(fault.T("its result comes as a message; helve spawn cancel %s ends it", j.ID))
}

// decided waits for the end of a job, and for patience when a person must decide.
func decided(ctx context.Context, jobs *agent.Jobs, id string, patience time.Duration) (agent.Job, error) {
	for {
		j, err := jobs.Wait(ctx, id, true)
		if err != nil || j.Status != agent.InputRequired || patience <= 0 || ctx.Err() != nil {
			return j, err
		}
		asking, cancel := context.WithTimeout(ctx, patience)
		j, err = jobs.Wait(asking, id, false)
		cancel()
		if err != nil || j.Status != agent.Working || ctx.Err() != nil {
			return j, err
		}
	}
}

// stop ends the job of a call that was canceled, and returns what the call failed with.
func stop(ctx context.Context, jobs *agent.Jobs, id string) error {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), ending)
	defer cancel()
	now, err := jobs.Cancel(limited, id)
	switch {
	case err != nil:
		return fault.New(fault.Canceled, fault.T("the call was canceled, and job %s goes on: %s", id, fault.As(err).Message)).
			WithHint(fault.T("end it with helve spawn cancel %s", id)).Because(err)
	case now.Status.Final() && now.Status != agent.Canceled:
		return fault.New(fault.Canceled, fault.T("the call was canceled when job %s had ended: %s", id, string(now.Status))).
			WithHint(fault.T("see helve spawn status %s", id))
	}
	return fault.New(fault.Canceled, fault.T("the call was canceled, and with it job %s", id)).
		WithHint(fault.T("spawn it again if it is still wanted"))
}
