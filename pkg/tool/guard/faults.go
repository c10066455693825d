package guard

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// onlyReading returns the fault of a call that does more than the caller wants.
func onlyReading(j *tool.Judgement) error {
	return fault.New(fault.Denied, fault.T("only commands that read may run here: %s", "此处只能运行只读操作：%s", fault.Join(j.Reasons, "; ", "；"))).
		WithHint(fault.T("use commands that only read", "请使用只读命令"))
}

// readOnly returns the fault of a tool that changes something in a read-only run.
func readOnly(name string) error {
	return fault.New(fault.Denied, fault.T("%s is not allowed: this run is read-only", "%s 会产生改动，而当前为只读模式", name)).
		WithHint(fault.T("use tools that only read, or ask the person to run without --readonly", "请使用只读工具，或请用户去掉 --readonly"))
}

// readOnlyCall returns the fault of a call that changes something, of a tool that reads
// otherwise.
func readOnlyCall(c *tool.Call) error {
	return fault.New(fault.Denied, fault.T("this call of %s is not allowed: %s, and this run is read-only", "不允许对 %s 的此次调用：%s，而当前为只读模式", c.Tool.Name, fault.Join(c.Judgement.Reasons, "; ", "；"))).
		WithHint(fault.T("call it without that, or ask the person to run without --readonly", "请去掉该操作再调用，或请用户去掉 --readonly"))
}

// undecided returns the fault of a call that nobody decided about in time, where it
// counts as denied.
func undecided() error {
	return fault.New(fault.Denied, fault.T("a person had to decide about this call, and nobody did in time: it is denied", "此调用需要用户决定，而无人在限期内决定：视为拒绝")).
		WithHint(fault.T("do not make this call again; go on without it", "请勿重复此调用；请不使用它继续"))
}

// otherProject returns the fault of a call with paths in two projects.
func otherProject(path, first string) error {
	return fault.New(fault.InvalidArguments, fault.T("%s is in another project than %s", "%s 与 %s 不在同一项目", path, first)).
		WithHint(fault.T("one call works in one project: read it there, write it here", "一次调用只能在一个项目内进行：请先在那边读取，再在这里写入"))
}

// foreign returns the fault of a change by what, a path or a tool.
func foreign(c *tool.Call, what string) error {
	return fault.New(fault.Denied, fault.T("%s: the project %s may only be read from here", "%s：从这里只能读取项目 %s", what, c.Env.Project)).
		WithHint(fault.T(`the person can set "mode":"write" in its entry under projects, or run helve with --project %s`,
			`用户可在 projects 的对应条目中设置 "mode":"write"，或使用 --project %s 运行 helve`, c.Env.Project))
}
