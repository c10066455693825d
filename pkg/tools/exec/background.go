package exec

import (
	"context"

	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/tool"
)

// background starts the command as a job and returns.
func (r *request) background(ctx context.Context, call *tool.Call, temp string) (Result, error) {
	result, err := r.start(ctx, call, temp)
	if next := r.fallBack(ctx, call, err); next != nil {
		return next.start(ctx, call, temp)
	}
	return result, err
}

// start starts the command as a job in the sandbox of the request.
func (r *request) start(ctx context.Context, call *tool.Call, temp string) (Result, error) {
	if r.until != nil && r.until.Port() {
		if err := r.knowsPorts(); err != nil {
			return Result{}, err
		}
	}
	c, profile, err := r.command(call, temp, nil)
	if err != nil {
		return Result{}, err
	}
	box, err := native.New(profile, r.Support, r.Kind) // only to report what is enforced: the job makes its own
	if err != nil {
		return Result{}, err
	}
	dir, err := call.Env.State()
	if err != nil {
		return Result{}, err
	}
	store := job.NewStore(dir)
	spec := job.Spec{
		Record: job.Record{Command: r.line(), Cwd: r.args.Cwd, Session: call.Env.Session, Risk: call.Judgement.Risk, Temp: r.Disposable(temp)},
		Argv:   c.Argv, Dir: c.Dir, Env: c.Env, Stdin: r.args.Stdin, Idle: c.Idle, Budget: c.Budget,
		Profile: profile, Support: r.Support, Kind: r.Kind, Lang: call.Env.Lang, Root: r.Root.Dir(),
	}
	if err := r.notify(call, &spec); err != nil {
		return Result{}, err
	}
	started, err := store.Start(ctx, r.Machine.Program, spec)
	if err != nil {
		return Result{}, err
	}
	res := Result{
		Risk: call.Judgement.Risk, Flags: call.Judgement.Flags, Reasons: []string{}, Sandbox: box.Report(),
		Shell: r.shell.Path, Cwd: r.args.Cwd, Job: started.ID,
	}
	for _, why := range call.Judgement.Reasons {
		res.Reasons = append(res.Reasons, why.In(call.Env.Lang))
	}
	if r.until != nil {
		r.await(ctx, call, store, &res)
	}
	return res, nil
}
