package spawn

import (
	"context"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/lasting"
)

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	jobs, err := tool.Service[*agent.Jobs](call.Home)
	if err != nil {
		return Result{}, err
	}
	spawner, err := tool.Service[agent.Spawner](call.Home)
	if err != nil {
		return Result{}, err
	}
	j, existing, err := start(ctx, call, jobs, spawner, a)
	if err != nil {
		return Result{}, err
	}
	lasting.Warn(call)
	if existing {
		call.WarnDone(fault.T("job %s does the same already: nothing was added", j.ID))
	}
	if a.Wait {
		// A run that is tried again finds the job of its first attempt.
		own := !existing || j.Origin.Run != "" && j.Origin.Run == call.Home.Run
		if own {
			agent.Followed(ctx, j.ID)
		}
		if j, err = await(ctx, call, jobs, j, own); err != nil {
			return Result{}, err
		}
	}
	r := Show(&j)
	r.Existing = existing
	return r, nil
}

// start adds the job of a call, and sees that somebody works on it.
func start(ctx context.Context, call *tool.Call, jobs *agent.Jobs, spawner agent.Spawner, a Args) (j agent.Job, existing bool, err error) {
	limited, cancel := context.WithTimeout(ctx, starting)
	defer cancel()
	if err := alone(limited, call.Home); err != nil {
		return j, false, err
	}
	j = compose(call, a)
	if err := spawner.Prepare(limited, &j); err != nil {
		return j, false, err
	}
	if j, existing, err = jobs.Add(limited, j); err != nil {
		return j, false, err
	}
	failed := spawner.Start(limited, j)
	switch {
	case failed != nil && existing: // whoever added it may yet see to it
	case failed != nil:
		j, failed = abandon(ctx, jobs, j, failed)
	default:
		if now, err := jobs.Get(limited, j.ID); err == nil { // else it is known as it was added
			j = now
		}
	}
	return j, existing, failed
}

// alone refuses what could make sub-agents without end: calls of a sub-agent, and of
// any program that helve has started. What a job of the schedule does comes from
// helve itself, and is none of these.
func alone(ctx context.Context, env *tool.Env) error {
	if err := agent.Outside(ctx, env, true, fault.T("spawn another one")); err != nil {
		return err
	}
	if approval.StartedByHelve(env.Nested) {
		return fault.New(fault.Denied, fault.T("a process that helve started may not spawn sub-agents")).
			WithHint(fault.T("do the work yourself, or call the tool spawn instead of running helve in a command"))
	}
	return nil
}

// compose returns the job of a call. Its conversation fills in missing arguments, and
// then the settings.
func compose(call *tool.Call, a Args) agent.Job {
	env := call.Home
	return agent.Job{
		Label: a.Label, Task: a.Task, Runtime: a.Agent, Labels: a.Labels, OnLost: a.OnLost, Depth: 1, ReadOnly: a.ReadOnly || env.ReadOnly, Lang: env.Lang,
		Project: call.Env.Project,
		Limits:  agent.Limits{Iterations: a.MaxIterations, Timeout: a.Timeout, Tokens: a.MaxTokens},
		Origin:  agent.Origin{Session: env.Session, Channel: env.Channel, To: env.Chat, Turn: env.Turn, Run: env.Run},
	}
}

// abandon ends a job that nobody could be found for, so that it does not stay in the
// queue until somebody starts a worker for another reason. If somebody has it all the
// same, nothing has failed.
func abandon(ctx context.Context, jobs *agent.Jobs, j agent.Job, why error) (agent.Job, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ending)
	defer cancel()
	now, err := jobs.Get(ctx, j.ID)
	if err == nil && !now.Queued {
		return now, nil
	}
	if err == nil {
		_, err = jobs.Cancel(ctx, j.ID)
	}
	if err != nil {
		e := fault.As(why)
		return j, fault.New(e.Code, fault.T("%s; job %s is still in the queue: %s", e.Message, j.ID, fault.As(err).Message)).
			WithHint(fault.T("end it with helve spawn cancel %s", j.ID)).Because(why)
	}
	return j, why
}
