package foreign

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// spawning are the names of spawn. With most systems a call returns what the sub-agent
// has found out, so that it waits here, too; with some, the result comes later.
func spawning() family {
	waits := []Setting{{"wait", true}}
	again := fault.T("a sub-agent cannot be spoken to again: spawn a new one, with all that it must know in task")
	apart := fault.T("a sub-agent knows nothing of this conversation: say in task all that it must know")
	one := fault.T("one call gives one task: call spawn for each, in one request if none needs another's result")
	file := fault.T("write it to a file of the workspace, and name that in task")
	return family{args: joined(
		renamed("task", "message", "objective", "goal", "query", "request"),
		renamed("timeout", "maxRuntimeSeconds"), renamed("max_iterations", "maxTurns"),
		[]Argument{
			{Name: "description", To: "label", How: "its first line", read: titling}, {Name: "task_name", To: "label", How: "its first line", read: titling},
			{Name: "label", To: "label", How: "its first line", read: titling},
			{Name: "context", To: "task", How: "comes before it", read: before},
			unlimited("runTimeoutSeconds"), unlimited("timeoutSeconds"), milliseconds("timeout_ms", true),
			flag("run_in_background", false, "wait", true), flag("background", false, "wait", true),
			without("resume", again), without("session_id", again), without("task_id", again), without("sessionKey", again),
			without("items", fault.T("pass the text as task")), without("tasks", one), without("chain", one), without("parallel", one),
			without("attachments", file), without("images", file), without("isolation", fault.T("it works in this workspace")),
			only("cwd", fault.T("it begins in the workspace root: say in task where to work"), "", "."),
			only("fork_context", apart, "false"), only("fork_turns", apart, "none", "0"),
			only("thread", again, "false"), only("runtime", fault.T("agent names an agent program of the settings"), "subagent", "builtin"),
		},
		ignored("subagent_type", "agent_type", "agent_name", "agentName", "agentId", "agent_id", "agentScope", "confirmProjectAgents", "mode", "model", "reasoning_effort", "thinking", "cleanup",
			"sandbox", "streamTo", "attachAs", "lightContext", "todos", "toolsets", "command"), words(),
	), names: []Name{
		{Name: "Task", Of: "Claude Code, Cursor, Amp", Fixed: waits, Args: []Argument{flag("run_in_background", true, "wait", false)}},
		{Name: "Agent", Of: "Claude Code", Fixed: waits, Args: []Argument{flag("run_in_background", true, "wait", false)}},
		{Name: "task", Of: "OpenCode, Qwen Code", Fixed: waits, Args: []Argument{flag("background", true, "wait", false)}},
		{Name: "agent", Of: "Crush", Fixed: waits},
		{Name: "spawn_agent", Of: "Codex"},
		{Name: "sessions_spawn", Of: "openclaw"},
		{Name: "delegate_to_agent", Of: "Gemini CLI", Fixed: waits},
		{Name: "invoke_agent", Of: "Gemini CLI", Fixed: waits},
		{Name: "generalist", Of: "Gemini CLI", Fixed: waits},
		{Name: "delegate_task", Of: "Hermes", Fixed: waits},
		{Name: "runSubagent", Of: "Copilot", Fixed: waits},
		{Name: "new_task", Of: "Roo Code", Fixed: waits},
		{Name: "subagent", Of: "pi, picoclaw, goose", Fixed: waits, Args: joined(renamed("task", "instructions"), []Argument{{Name: "agent", How: "ignored", read: func(c *conversion, name string) error {
			c.drop(name) // one of theirs
			return nil
		}}})},
	}}
}

// titling makes a text a title, which is one short line.
func titling(c *conversion, name string) error {
	text, ok := c.g.Text(name)
	if !ok {
		if name == "label" {
			return nil // the decoder says what is wrong
		}
		return c.rename(name, "label")
	}
	title := strings.TrimSpace(titleOf(strings.TrimSpace(text)))
	if other, given := c.named("label"); name != "label" && given && other != name {
		c.drop(name) // it has one
		return nil
	}
	if title == text && name == "label" {
		return nil
	}
	c.g.Drop(name)
	if title == "" {
		return nil
	}
	c.set("label", title)
	if name != "label" {
		c.say(fault.T("%s is label", name))
	}
	return nil
}

// before puts a text before the task.
func before(c *conversion, name string) error {
	text, ok := c.g.Text(name)
	given, has := c.named("task")
	if !has {
		for _, other := range []string{"goal", "objective", "message", "query", "request"} {
			if c.g.Has(other) {
				given, has = other, true
				break
			}
		}
	}
	task, isText := c.g.Text(given)
	if !ok || !has || !isText {
		return wrong(name, fault.T("it cannot be put before the task"), fault.T("pass all of it as task"))
	}
	c.g.Drop(name)
	if text != "" {
		c.g.Set(given, text+"\n\n"+task)
		c.say(fault.T("%s comes before the task", name))
	}
	return nil
}

// unlimited is a time in seconds, of which 0 says nothing.
func unlimited(name string) Argument {
	return Argument{Name: name, To: "timeout", How: "seconds; 0 is the usual time", read: func(c *conversion, name string) error {
		if n, ok := c.g.Whole(name); ok && n == 0 {
			c.g.Drop(name)
			return nil
		}
		return c.rename(name, "timeout")
	}}
}

// without is an argument that may only be empty.
func without(name string, hint fault.Text) Argument {
	return Argument{Name: name, How: "only empty", read: func(c *conversion, name string) error {
		text, isText := c.g.Text(name)
		list, isList := c.g.Texts(name)
		if isText && text == "" || isList && !isText && len(list) == 0 {
			c.g.Drop(name)
			return nil
		}
		return wrong(name, fault.T("this is not possible here"), hint)
	}}
}
