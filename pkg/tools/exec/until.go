package exec

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/track"
)

// follows checks how a job is to be followed.
func (a Args) follows() error {
	for _, one := range [...]struct{ name, value string }{{"until", a.Until}, {"notify", a.Notify}} {
		if one.value != "" && !a.Background {
			return schema.Invalid("/"+one.name, fault.T("%s is for a command in the background", one.name)).
				WithHint(fault.T("pass background, too; another command is waited for until it ends"))
		}
	}
	_, err := job.Pattern("/notify", a.Notify)
	return err
}

// condition returns what the call waits for; nil is nothing.
func (r *request) condition(call *tool.Call) (*job.Condition, error) {
	if r.args.Until == "" {
		return nil, nil
	}
	c, err := job.Until(r.args.Until)
	if err != nil {
		return nil, err
	}
	if file := c.File(); file != "" {
		root, path, err := call.Confined(file)
		if err != nil {
			return nil, err
		}
		c.Exists(func() bool {
			_, err := root.Stat(path)
			return err == nil
		})
	}
	return c, nil
}

// knowsPorts returns a fault if nobody can tell which ports the job will listen at.
func (r *request) knowsPorts() error {
	if r.Kind == sandbox.Namespaces && r.network.Private() {
		return nil
	}
	return fault.New(fault.Unsupported, fault.T("ports are only known of jobs in the network of their session, which this command is not in")).
		WithHint(fault.T("pass as until a regular expression of what the server prints, or run it with network=local in namespaces"))
}

// await waits for what the call waits for, and completes the result by what the job has come
// to. The job has started, so what goes wrong here is a warning: its id must be known.
func (r *request) await(ctx context.Context, call *tool.Call, store *job.Store, res *Result) {
	ctx, cancel := context.WithTimeout(ctx, call.Home.Within(time.Duration(r.args.Wait)*time.Second))
	defer cancel()
	rec, matched, err := store.WaitUntil(ctx, res.Job, r.until)
	if rec != nil {
		res.Matched, res.Goes = matched, rec.State == job.Running
		res.take(rec, call.Env.Now())
		err = errors.Join(err, r.printed(store, res))
	}
	switch {
	case err == nil && res.Goes && matched == nil:
		call.Warn(fault.T("%s has not come about in time; wait is the number of seconds that a call waits", r.args.Until))
	case err != nil:
		call.Warn(fault.T("it is not known whether %s has come about: %s", r.args.Until, fault.As(err).Message))
	}
}

// take puts what a job has come to by now into the result.
func (r *Result) take(rec *job.Record, now time.Time) {
	r.ExitCode, r.Signal, r.Ended, r.Killed = rec.ExitCode, rec.Signal, rec.Ended, rec.Killed
	r.TimedOut = rec.Ended == string(run.TimedOut) || rec.Ended == string(run.Idle)
	if !rec.EndedAt.IsZero() {
		now = rec.EndedAt
	}
	r.DurationMS = max(1, now.Sub(rec.Started).Milliseconds())
	var changed track.Outcome
	if json.Unmarshal(rec.Changed, &changed) == nil { // nothing, if it changed nothing
		r.add(changed)
	}
}

// notify has what happens to a job sent to the session of the call.
func (r *request) notify(call *tool.Call, spec *job.Spec) (err error) {
	if r.args.Notify == "" {
		return nil
	}
	if _, err := tool.Service[*bus.Bus](call.Home); err != nil {
		return err // nothing could be sent
	}
	if spec.Host, err = r.Machine.Supervision(); err != nil {
		return err
	}
	home := call.Home
	spec.Notify, spec.Environ = r.args.Notify, r.Machine.Environ
	spec.Origin = job.Origin{Channel: home.Channel, To: home.Chat, Turn: home.Turn}
	return nil
}
