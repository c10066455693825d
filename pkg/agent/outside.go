package agent

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/tool"
)

// Outside refuses what no sub-agent may do, such as "send messages", to a call of one:
// by the environment of this process, or by those of its ancestors, which it cannot drop as
// it can a variable. With workers, whatever is below a process that a job is carried out
// in counts as well, if the world has jobs.
func Outside(ctx context.Context, env *tool.Env, workers bool, what fault.Text) error {
	var pids []int
	if workers {
		var err error
		if pids, err = workersOf(ctx, env); err != nil {
			return err
		}
	}
	if !approval.InAgent(env.Agent, pids) {
		return nil
	}
	return fault.New(fault.Denied, fault.T("a sub-agent may not %s", what)).
		WithHint(fault.T("do the task yourself, and say in your result what is left to be done by others"))
}

// workersOf returns the workers of the jobs of a world; none if it has no jobs.
func workersOf(ctx context.Context, env *tool.Env) ([]int, error) {
	jobs, err := tool.Service[*Jobs](env)
	if fault.Is(err, fault.Unsupported) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return jobs.Workers(ctx)
}

// Workers returns the processes of this machine that jobs are carried out in.
func (j *Jobs) Workers(ctx context.Context) (pids []int, err error) {
	machine := process.Machine()
	if machine == "" { // then process numbers say nothing
		return nil, nil
	}
	err = j.store.View(ctx, func(r store.Reader) error {
		pids = nil
		s, err := readSlots(r, machine)
		if err != nil {
			return err
		}
		for _, id := range s.Jobs {
			one, found, err := read(r, id)
			if err != nil && !unreadable(err) {
				return err
			}
			if err == nil && found && one.runs() {
				pids = append(pids, one.Worker.Process.PID)
			}
		}
		return nil
	})
	return pids, err
}
