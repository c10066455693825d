package guard

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// onlyReading returns the fault of a call that does more than the caller wants.
func onlyReading(j *tool.Judgement) error {
	return fault.New(fault.Denied, fault.T("only commands that read may run here: %s", fault.Join(j.Reasons, "; "))).
		WithHint(fault.T("use commands that only read"))
}

// readOnly returns the fault of a tool that changes something in a read-only run.
func readOnly(name string) error {
	return fault.New(fault.Denied, fault.T("%s is not allowed: this run is read-only", name)).
		WithHint(fault.T("use tools that only read, or ask the person to run without --readonly"))
}

// readOnlyCall returns the fault of a call that changes something, of a tool that reads
// otherwise.
func readOnlyCall(c *tool.Call) error {
	return fault.New(fault.Denied, fault.T("this call of %s is not allowed: %s, and this run is read-only", c.Tool.Name, fault.Join(c.Judgement.Reasons, "; "))).
		WithHint(fault.T("call it without that, or ask the person to run without --readonly"))
}

// undecided returns the fault of a call that nobody decided about in time, where it
// counts as denied.
func undecided() error {
	return fault.New(fault.Denied, fault.T("a person had to decide about this call, and nobody did in time: it is denied")).
		WithHint(fault.T("do not make this call again; go on without it"))
}

// otherProject returns the fault of a call with paths in two projects.
func otherProject(path, first string) error {
	return fault.New(fault.InvalidArguments, fault.T("%s is in another project than %s", path, first)).
		WithHint(fault.T("one call works in one project: read it there, write it here"))
}

// foreign returns the fault of a change by what, a path or a tool.
func foreign(c *tool.Call, what string) error {
	return fault.New(fault.Denied, fault.T("%s: the project %s may only be read from here", what, c.Env.Project)).
		WithHint(fault.T(`the person can set "mode":"write" in its entry under projects, or run helve with --project %s`, c.Env.Project))
}
