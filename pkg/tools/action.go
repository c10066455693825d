package tools

import (
	"context"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/cron"
	"github.com/helve-dev/helve/pkg/tools/exec"
	"github.com/helve-dev/helve/pkg/tools/spawn"
)

// longestCommand limits a command of a job, in seconds: the most that exec takes. The job itself may say less.
const longestCommand = 600

// longestSpawn is the same of a sub-agent, with what spawn takes. It is canceled with its
// run.
const longestSpawn = 24 * 60 * 60

// Planner returns what plans the calls of jobs, with the tools of a catalog.
func Planner(catalog func() *Catalog) cron.Planner {
	return func(ctx context.Context, call *tool.Call, a schedule.Action) (*cron.Plan, error) {
		t, input, err := catalog().action(a)
		if err != nil {
			return nil, err
		}
		later, err := guard.Foresee(ctx, call.Env, t, input)
		if err != nil {
			return nil, ofAction(a, err)
		}
		p := &cron.Plan{
			Tool: later.Tool, Requests: later.Requests, Outline: later.Outline,
			Call: func(terms string) approval.Call { return later.Under(guard.Owner{Terms: terms}) },
		}
		if j := later.Judgement; j != nil {
			p.Reasons, p.Flags, p.Rule = j.Reasons, j.Flags, j.Rule
		}
		return p, nil
	}
}

// RunAction makes the call that an action of a job is, through the chain of guards, and
// returns its output in a language.
func (c *Catalog) RunAction(ctx context.Context, env *tool.Env, a schedule.Action, lang fault.Lang) (output string, err error) {
	t, input, err := c.action(a)
	if err != nil {
		return "", err
	}
	done := guard.Run(ctx, env, t, input)
	if done.Err != nil {
		return "", unattended(done.Err)
	}
	switch r := done.Result.(type) {
	case exec.Result:
		return commandOutput(&r)
	case spawn.Result:
		if a.Spawn != "" {
			return r.Output()
		}
	}
	return t.Text(done.Result, screen.View{Lang: lang}), nil
}

// unattended returns the fault of a call that nobody could be asked about, with what to
// do: the record of a run has nothing but the message.
func unattended(e *fault.Error) error {
	switch e.Code {
	case fault.ApprovalRequired, fault.ApprovalStale, fault.Denied:
		return fault.New(e.Code, fault.T("%s; %s", e.Message, e.Hint)).WithHint(e.Hint).WithDetails(e.Details).Because(e)
	}
	return e
}

// commandOutput returns what a command printed, and the fault of one that failed.
func commandOutput(r *exec.Result) (output string, err error) {
	output = strings.TrimRight(r.Output, "\n")
	switch {
	case r.TimedOut:
		err = fault.New(fault.Timeout, fault.T("the command was ended: %s", r.Ended))
	case r.Signal != "":
		err = fault.New(fault.IOError, fault.T("the command was ended by %s", r.Signal))
	case r.ExitCode != 0:
		err = fault.New(fault.IOError, fault.T("exit status %d", r.ExitCode))
	}
	return output, err
}

// action returns the call that an action of a job is. The fault for one that no job
// may make is invalid_arguments, and for a tool that there is not unknown_tool.
func (c *Catalog) action(a schedule.Action) (t *tool.Tool, input []byte, err error) {
	c = c.Ours()
	var args schema.Document
	switch {
	case a.Call != nil:
		input = a.Call.Arguments
		if len(input) == 0 {
			input = []byte("{}")
		}
		if t, err = c.For(a.Call.Name, input); err != nil {
			return nil, nil, err
		}
		if t.Own().Name == cron.Add.Name || t.PresetOf == cron.Add.Name {
			return nil, nil, schema.Invalid("/call", fault.T("a job cannot add jobs")).
				WithHint(fault.T("add each job itself"))
		}
		return t, input, nil
	case a.Spawn != "":
		if t, err = c.Find(spawn.Tool.Name); err != nil {
			return nil, nil, err
		}
		input, err = schema.Marshal(schema.Document{{Name: "task", Value: a.Spawn}, {Name: "wait", Value: true}, {Name: "timeout", Value: longestSpawn}})
		return t, input, err
	case len(a.Argv) > 0:
		args = schema.Document{{Name: "argv", Value: a.Argv}, {Name: "timeout", Value: longestCommand}}
	default:
		args = schema.Document{{Name: "command", Value: a.Exec}, {Name: "timeout", Value: longestCommand}}
	}
	if t, err = c.Find(exec.Tool.Name); err != nil {
		return nil, nil, err
	}
	input, err = schema.Marshal(args)
	return t, input, err
}

// ofAction says of a fault that it is about the call that a job would make.
func ofAction(a schedule.Action, err error) error {
	e := fault.As(err)
	at := "call"
	switch {
	case a.Spawn != "":
		at = "spawn"
	case a.Call == nil:
		at = "exec"
	}
	wrong, ok := e.Details.(schema.Problems)
	if !ok {
		return fault.New(e.Code, fault.T("%s: %s", at, e.Message)).WithHint(e.Hint).WithDetails(e.Details).Because(err)
	}
	below := make(schema.Problems, len(wrong))
	for i, w := range wrong {
		if at = "/exec"; a.Spawn != "" {
			at = "/spawn"
		} else if a.Call != nil {
			at = "/call/arguments" + w.Pointer
		} else if strings.HasPrefix(w.Pointer, "/argv") {
			at = w.Pointer
		}
		below[i] = schema.Problem{Pointer: at, Message: w.Message}
	}
	return below.Err().WithHint(e.Hint).Because(err)
}
