package exec

import (
	"context"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/track"
)

const (
	// usualTime is the default of timeout, and mostTime its maximum.
	usualTime, mostTime = 60 * time.Second, 600 * time.Second
	// leastTime is the time that a command gets whose caller should have been answered
	// already, because a person was asked.
	leastTime = 500 * time.Millisecond
)

// held is a command that becomes a job if the call must answer before it has ended.
type held struct {
	*job.Held
	store   *job.Store
	began   time.Time
	out     *run.Result   // once it has ended
	changed track.Outcome // what it changed, then
}

// hold has the command of a call that must answer in time print for its job, too.
func (r *request) hold(c *run.Command) {
	c.Env = append(c.Env, r.held.Mark())
	also := c.Stream
	c.Stream = func(chunk run.Chunk) {
		r.held.Write(chunk.Data)
		if also != nil {
			also(chunk)
		}
	}
}

// outcome holds the result of a command, or its error.
type outcome struct {
	result Result
	err    error
}

// answering runs the command, and returns in time. A command that still runs then goes on,
// as a job.
func (r *request) answering(ctx context.Context, call *tool.Call, temp string, done func()) (Result, error) {
	dir, err := call.Env.State()
	if err != nil {
		done()
		return Result{}, err
	}
	store := job.NewStore(dir)
	r.held = &held{Held: store.Hold(), store: store, began: time.Now()}
	limit := max(leastTime, call.Home.Within(mostTime))
	if r.args.Timeout == int(usualTime.Seconds()) && limit < usualTime {
		r.args.Timeout = int(mostTime.Seconds()) // nobody waits for it
	}
	running, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	attached := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	ended := make(chan outcome, 1)
	own := *call // which the call does not read any more once it has answered
	call.Home.Later(func(process context.Context) {
		defer done()
		defer context.AfterFunc(process, func() { cancel(context.Cause(process)) })()
		defer cancel(nil)
		result, err := r.foreground(running, &own, temp)
		err = r.keep(running, &own, err)
		if kept := r.held.End(func(rec *job.Record) { r.record(&own, rec, result, err) }); kept != nil && err == nil {
			own.Warn(fault.As(kept).Message)
		}
		ended <- outcome{result, err}
	})
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case o := <-ended:
		return o.result, o.err
	case <-late.C:
	}
	if attached() { // else the call was canceled
		if result, err := r.goesOn(ctx, call, cancel); err == nil {
			return result, nil
		}
	}
	o := <-ended
	return o.result, o.err
}

// goesOn makes the command a job, and returns what it printed so far.
func (r *request) goesOn(ctx context.Context, call *tool.Call, cancel context.CancelCauseFunc) (Result, error) {
	began, err := r.held.Become(ctx, r.asJob(call), func() { cancel(errStopped) })
	if err != nil {
		return Result{}, err
	}
	var far run.Result
	far.ExitCode, far.Duration = -1, time.Since(r.held.began)
	res := r.result(call, &far)
	res.Job, res.Goes = began.ID, true
	return res, r.printed(r.held.store, &res)
}

// printed puts what the job of a result has printed so far into it.
func (r *request) printed(store *job.Store, res *Result) error {
	from := output.Of(r.args.Command, r.verdict.Commands, res.ExitCode)
	head, tail := from.Window()
	o, err := store.Ends(res.Job, head, tail)
	if err != nil {
		return err
	}
	var shown output.Fitted
	_ = tokens.Fit(r.args.MaxOutput, r.args.MaxTokens, func(bytes int) (string, error) { // cutting does not fail
		shown = output.Fit(o.Text, bytes, from)
		return shown.Text, nil
	})
	res.Output, res.Truncated, res.Reduced = shown.Text, o.Cut || shown.Truncated, shown.Reduced
	res.Next, res.TotalBytes = o.Next, o.Total
	return nil
}

// asJob returns the record of the command as a job that begins.
func (r *request) asJob(call *tool.Call) job.Record {
	return job.Record{Command: r.line(), Cwd: r.args.Cwd, Session: call.Env.Session, Risk: call.Judgement.Risk, Started: r.held.began.UTC()}
}

// keep makes a command a job that was killed because its caller canceled the call: nobody
// has read what it printed.
func (r *request) keep(ctx context.Context, call *tool.Call, err error) error {
	if out := r.held.out; out == nil || out.Ended != run.Canceled || !fault.Is(err, fault.Canceled) {
		return err
	}
	kept, failed := r.held.Become(context.WithoutCancel(ctx), r.asJob(call), func() {})
	if failed != nil {
		return err // it was a job already, or nothing can be kept
	}
	return fault.As(err).WithHint(fault.T("what it printed is kept as job %s", kept.ID))
}

// errStopped is why a command ends whose job somebody stops.
var errStopped = fault.New(fault.Canceled, fault.T("the job was stopped"))

// record puts what a command came to into the record of its job.
func (r *request) record(call *tool.Call, rec *job.Record, result Result, err error) {
	rec.Notes = notes(call, result, err)
	if r.held.out == nil { // it never ran
		rec.State = job.Lost
		return
	}
	out := r.held.out
	rec.ExitCode, rec.Signal, rec.Killed, rec.Restored, rec.Planted = out.ExitCode, out.Signal, out.Killed, out.Restored, out.Planted
	if rec.Ended = string(out.Ended); out.Ended == run.Canceled {
		rec.State, rec.Ended = job.Stopped, ""
	}
	changed, failed := schema.Marshal(r.held.changed)
	if failed == nil {
		rec.Changed = changed
	}
}

// notes returns what else the call would have said of the command, beside its output.
func notes(call *tool.Call, result Result, err error) string {
	var b strings.Builder
	for _, w := range call.Warnings() {
		b.WriteString(fault.T("warning: %s\n", w).In(call.Env.Lang))
	}
	if err != nil {
		details, ok := fault.As(err).Details.(Result)
		if !ok {
			return b.String() + fault.As(err).Message.In(call.Env.Lang) + "\n"
		}
		result = details
	}
	result.notes(&b, screen.View{Lang: call.Env.Lang}, false)
	return b.String()
}
