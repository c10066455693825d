package exec

import (
	"context"
	"strings"

	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
)

// background starts the command as a job and returns.
func (r *request) background(ctx context.Context, env *tool.Env, temp string) (Result, error) {
	c, profile, err := r.command(env, temp)
	if err != nil {
		return Result{}, err
	}
	box, err := sandbox.New(profile, r.support, r.tier) // only to tell what is enforced; the job makes its own
	if err != nil {
		return Result{}, err
	}
	dir, err := env.State()
	if err != nil {
		return Result{}, err
	}
	line := r.args.Command
	if line == "" {
		line = strings.Join(r.args.Argv, " ")
	}
	started, err := job.NewStore(dir).Start(ctx, r.machine.Program, job.Spec{
		Record: job.Record{Command: line, Cwd: r.args.Cwd, Session: env.Session, Risk: string(env.Judged.Risk), Temp: profile.Temp},
		Argv:   c.Argv, Dir: c.Dir, Env: c.Env, Stdin: r.args.Stdin, Idle: c.Idle,
		Profile: profile, Support: r.support, Tier: r.tier, Root: r.root.Dir(),
	})
	if err != nil {
		return Result{}, err
	}
	res := Result{
		Risk: env.Judged.Risk, Flags: env.Judged.Flags, Reasons: []string{}, Sandbox: box.Report(),
		Shell: r.shell.Path, Cwd: r.args.Cwd, Job: started.ID,
	}
	for _, why := range env.Judged.Reasons {
		res.Reasons = append(res.Reasons, why.In(env.Lang))
	}
	return res, nil
}
