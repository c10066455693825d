// Package program carries out a task by an agent program of the person's, such as claude
// or codex, as the settings describe it. The program is confined as that of a custom tool
// is, and what it changes in the workspace can be undone in the same way. What it does
// in there is its own affair: no call of it goes through the guard.
package program

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/artifact"
	"github.com/helve-dev/helve/pkg/tool/confine"
	"github.com/helve-dev/helve/pkg/tool/recorded"
)

// Options configure a run of a program.
type Options struct {
	Agent   config.Agent // the manifest
	Env     *tool.Env    // the world it works in
	JobID   string
	System  string // instructions for it; they come before the task
	Task    string
	Timeout time.Duration
	Now     func() time.Time
	Record  func(loop.Event) error
}

// The bytes of the beginning and of the end of an output that are kept in memory. What
// is between them is in a file; a result is cut to less.
const (
	head = 64 << 10
	tail = 192 << 10
)

// Run runs the program to its end, with everything that it started.
//
// It has completed the task if it exits with status 0 and there is a result. The fault
// of a program that is not there is not_configured.
func Run(ctx context.Context, o Options) agent.Outcome {
	p := program{Options: o, call: worldOf(o)}
	outcome := p.begin(ctx)
	ended := loop.Event{Kind: loop.Ended, Status: outcome.Status, Reason: outcome.Reason, Text: outcome.Result}
	if outcome.Err != nil {
		ended.Error = fault.As(outcome.Err).Message.In(fault.English)
	}
	if err := p.record(ended); err != nil {
		return failed(agent.BySystem, errors.Join(err, outcome.Err))
	}
	return outcome
}

// program is one run of an agent program.
type program struct {
	Options
	call  *tool.Call
	place *confine.Sandboxed
	temp  string // its directory for temporary files, on the machine
	file  string // the name of its result in there
}

func failed(why agent.Reason, err error) agent.Outcome {
	return agent.Outcome{Status: agent.Failed, Reason: why, Err: err}
}

func (p *program) record(e loop.Event) error {
	e.At = p.Now()
	return p.Record(e)
}

// note records a remark in the transcript.
func (p *program) note(text fault.Text) error {
	return p.record(loop.Event{Kind: loop.Printed, Text: "[" + text.In(p.Env.Lang) + "]\n"})
}

// begin makes ready what the program needs, and runs it.
func (p *program) begin(ctx context.Context) agent.Outcome {
	if err := p.record(loop.Event{Kind: loop.Started, Text: p.Task}); err != nil {
		return failed(agent.BySystem, err)
	}
	place, err := confine.Find(p.call)
	if err != nil {
		return failed(agent.BySystem, err)
	}
	if p.place = place; !place.Kind.Confines() && (p.Env.ReadOnly || place.Machine.Settings.Sandbox != "off") {
		return failed(agent.BySystem, p.unconfined())
	}
	dir, done, err := p.temporary()
	if err != nil {
		return failed(agent.BySystem, err)
	}
	defer done()
	p.temp, p.file = dir, "result-"+strings.ToLower(state.NewID(p.Now())) // an earlier attempt may have left one
	command, err := p.command()
	if err != nil {
		return failed(agent.ByProgram, err)
	}
	if err := p.unused(command.Env); err != nil {
		return failed(agent.BySystem, err)
	}
	return p.run(ctx, command)
}

// run runs the command in its sandbox, and remembers what it changes.
func (p *program) run(ctx context.Context, command run.Command) agent.Outcome {
	grant := confine.Grant{Risk: p.risk(), Network: sandbox.Full, Temp: p.temp, Caches: true, Named: p.Agent.Argv}
	recording, err := recorded.Begin(ctx, p.call, "spawn", p.JobID+": "+strings.Join(p.Agent.Argv, " "), grant.Risk, grant.Surveyed())
	if err != nil {
		return p.stopped(ctx, failed(agent.BySystem, err))
	}
	defer recording.Drop()
	grant.Survey, grant.Resurvey = recording.Surveys()
	profile, err := p.place.Profile(p.call, grant)
	if err != nil {
		return failed(agent.BySystem, err)
	}
	if command.Sandbox, err = native.New(profile, p.place.Support, p.place.Kind); err != nil {
		return failed(agent.BySystem, err)
	}
	command.Mark = recording.Mark()
	whole := artifact.NewOutput(p.call)
	if !p.Env.ReadOnly {
		command.Spill = whole.Create
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	lines := newProgress(p.record, cancel)
	command.Stream = func(c run.Chunk) { lines.add(c.Stderr, c.Data) }
	out, err := run.Run(ctx, command)
	if lost := lines.close(p.omitted()); lost != nil {
		cancel(lost)
	}
	if out == nil {
		p.place.Refuted(err) // for the next agent
		return p.stopped(ctx, failed(agent.ByProgram, p.unstarted(err)))
	}
	if err != nil {
		p.call.Warn(fault.As(err).Message)
	}
	if len(out.Planted) > 0 {
		recording.Moved()
	}
	p.warn(out)
	if changed := recording.End(ctx); changed.UndoID != "" {
		p.call.Warn(fault.T("undo what it changed in the workspace with id %s", changed.UndoID))
	}
	result := p.fit(out, whole)
	for _, w := range p.call.Warnings() {
		if err := p.note(w); err != nil {
			return failed(agent.BySystem, err)
		}
	}
	return p.outcome(ctx, out, result)
}

// risk returns the program's risk by its mode, as nothing else is known before it runs.
func (p *program) risk() policy.Risk {
	if p.Env.ReadOnly {
		return policy.Read
	}
	return policy.Write
}

// fit returns what the program printed, both streams cut to what a result may have. All
// of it is in a file then.
func (p *program) fit(out *run.Result, whole *artifact.Output) printed {
	var stdout, stderr output.Fitted
	if p.Env.ReadOnly { // such a run makes no files
		stdout, stderr = output.Fit(out.Output.Text, resultBytes, output.Source{Raw: true}), output.Fit(out.Stderr.Text, resultBytes, output.Source{Raw: true})
	} else {
		stdout, stderr = whole.Fit(out, resultBytes, output.Source{Raw: true})
	}
	r := printed{out: stdout.Text, err: stderr.Text, file: whole.Path(out)}
	if out.Output.Binary {
		r.out = ""
		return r
	}
	if r.file != "" && (stdout.Truncated || out.Output.Truncated) {
		r.out = strings.TrimRight(r.out, "\n") + "\n[" + fault.T("all of it is in %s", r.file).In(p.Env.Lang) + "]\n"
	}
	return r
}

// printed is the output of a program, cut to limits.
type printed struct {
	out, err string
	file     string // with all of it, if that is more
}

// warn reports the work of the sandbox, and processes left running.
func (p *program) warn(out *run.Result) {
	for _, d := range out.Denials {
		p.call.Warn(fault.T("the sandbox refused %s: %s %s (%s)", p.Agent.Name, d.Op, p.place.Shown(d.Path), d.Rule))
	}
	for _, path := range out.Restored {
		p.call.Warn(fault.T("%s changed %s, which is protected; it was restored", p.Agent.Name, p.place.Shown(path)))
	}
	for _, m := range out.Planted {
		p.call.Warn(fault.T("%s made %s, which other programs run or obey; it was moved to %s", p.Agent.Name, p.place.Shown(m.Path), p.place.Shown(m.To)))
	}
	for _, line := range out.Killed {
		p.call.Warn(fault.T("%s left a process running, which was killed: %s", p.Agent.Name, line))
	}
}

// outcome returns the end of the task.
func (p *program) outcome(ctx context.Context, out *run.Result, said printed) agent.Outcome {
	status, end := out.ExitCode, lastLines(said.err)
	if end == "" {
		end = lastLines(said.out)
	}
	given := agent.Outcome{Status: agent.Failed, Reason: agent.ByProgram, Result: strings.TrimSpace(said.out)}
	switch {
	case out.Ended == run.Canceled:
		return p.stopped(ctx, given)
	case out.Ended == run.TimedOut:
		return p.late(given)
	case out.Excess != nil:
		given.Err = p.tookTooMuch(*out.Excess)
		return given
	case out.Ended != run.NoReason:
		given.Err = p.killed(string(out.Ended), end)
		return given
	case out.Signal != "":
		given.Err = p.killed(out.Signal, end)
		return given
	case status != 0:
		given.Err = p.exited(status, end)
		return given
	}
	result, err := p.result(said)
	switch {
	case err != nil:
		given.Err = err
		return given
	case result == "":
		given.Err = p.silent(end, out.Output.Binary)
		return given
	}
	return p.stopped(ctx, agent.Outcome{Status: agent.Completed, Result: result})
}

// late is the outcome of a program whose time was over.
func (p *program) late(given agent.Outcome) agent.Outcome {
	given.Status, given.Reason, given.Err = agent.Incomplete, agent.ByTimeout, p.timedOut()
	return given
}

// stopped returns what became of the task if the program was not allowed to go on, else
// how it ended.
func (p *program) stopped(ctx context.Context, given agent.Outcome) agent.Outcome {
	switch cause := context.Cause(ctx); {
	case cause == nil:
		return given
	case errors.As(cause, new(lost)):
		given.Status, given.Reason, given.Err = agent.Failed, agent.BySystem, cause
		return given
	case given.Status == agent.Completed: // it was, before anybody wanted it to stop
		return given
	case errors.Is(cause, context.DeadlineExceeded):
		return p.late(given)
	}
	given.Status, given.Reason = agent.Canceled, ""
	given.Err = fault.New(fault.Canceled, fault.T("%s was ended, as the job was canceled", p.Agent.Name))
	return given
}

// unused notes what of the manifest has no effect.
func (p *program) unused(env []string) error {
	for _, name := range p.Agent.Pass {
		if run.Value(p.place.Machine.Environ, name) != "" && run.Value(env, name) == "" {
			if err := p.note(fault.T("%s is never passed to a program", name)); err != nil {
				return err
			}
		}
	}
	if p.Env.ReadOnly || !p.place.Kind.Confines() {
		return nil
	}
	writable := p.place.Writable(nil)
	for _, path := range p.writes() {
		if !slices.Contains(writable, resolved(path)) {
			if err := p.note(fault.T("%s may not write to %s: it is not there, or more is in it than an agent may change", p.Agent.Name, path)); err != nil {
				return err
			}
		}
	}
	return nil
}
