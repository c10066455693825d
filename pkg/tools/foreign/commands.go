package foreign

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// executing are the names of exec.
func executing() family {
	newShell := fault.T("every call is a new shell: call again with a command")
	terminal := fault.T("there is no terminal to type into: pass stdin with the command")
	ms := []Argument{milliseconds("timeout", false)}
	return family{args: joined(
		renamed("command", "CommandLine", "commandLine", "shell_command"),
		renamed("cwd", "dir_path", "directory", "cd", "Cwd", "path", "working_dir_path"),
		renamed("background", "is_background", "isBackground"),
		renamed("max_tokens", "max_output_tokens"),
		[]Argument{
			words1("command"), words1("cmd"),
			{Name: "commands", To: "command", How: "a list is one a line", read: lines},
			milliseconds("timeout_ms", true), milliseconds("timeoutMs", true), either("timeout", "timeout"),
			{Name: "env", To: "env", How: "object of names and values", read: environment},
			{Name: "shell", To: "shell", How: "path of a shell", read: shell},
			flag("Blocking", false, "background", true), flag("blocking", false, "background", true), flag("waitForCompletion", false, "background", true),
			only("is_input", terminal, "false"), only("restart", newShell, "false"), only("reset", newShell, "false"),
		},
		ignored("requires_approval", "require_user_approval", "SafeToAutoRun", "WaitMsBeforeAsync", "dangerouslyDisableSandbox", "sandbox_permissions", "with_escalated_permissions",
			"prefix_rule", "additional_permissions", "login", "tty", "yield_time_ms", "goal", "interactive"), words(),
	), names: []Name{
		{Name: "Bash", Of: "Claude Code, Amp", Args: ms},
		{Name: "bash", Of: "Anthropic, OpenCode, pi, Crush"},
		{Name: "run_shell_command", Of: "Gemini CLI, Qwen Code", Args: ms},
		{Name: "shell_command", Of: "Codex"},
		{Name: "exec_command", Of: "Codex"},
		{Name: "execute_command", Of: "Cline, Roo Code"},
		{Name: "execute_bash", Of: "OpenHands"},
		{Name: "run_command", Of: "Windsurf, MCP"},
		{Name: "run_terminal_cmd", Of: "Cursor"},
		{Name: "run_terminal_command", Of: "Continue, Cursor"},
		{Name: "run_in_terminal", Of: "Copilot"},
		{Name: "terminal", Of: "Zed, OpenHands, LangChain"},
		{Name: "developer__shell", Of: "goose"},
		{Name: "start_process", Of: "Desktop Commander"},
	}}
}

// words1 is a command as a list of words, or a line of which there is but one.
func words1(name string) Argument {
	return Argument{Name: name, To: "argv", How: "list of words", read: func(c *conversion, name string) error {
		list, ok := c.g.Texts(name)
		_, isText := c.g.Text(name)
		switch {
		case !ok || len(list) == 0 || isText && len(list) == 1: // [ "$(ls)" ] is a test of the shell
			return nil
		case len(list) == 1 && strings.ContainsAny(list[0], " \t\n"):
			c.say(fault.T("%s with one item is a command line", name))
			return c.give(name, "command", list[0])
		}
		c.say(fault.T("%s as a list is argv", name))
		return c.give(name, "argv", list)
	}}
}

// lines is a list of command lines.
func lines(c *conversion, name string) error {
	list, ok := c.g.Texts(name)
	if _, isText := c.g.Text(name); ok && (!isText || len(list) > 1) {
		c.g.Set(name, strings.Join(list, "\n"))
	}
	return c.rename(name, "command")
}

// environment reads an object of variables.
func environment(c *conversion, name string) error {
	object, ok := c.g.Object(name)
	if !ok {
		return nil
	}
	list := []string{}
	for _, variable := range object.Names() {
		to, ok := object.Text(variable)
		if n, whole := object.Whole(variable); !ok && whole {
			to, ok = strconv.FormatInt(n, 10), true
		}
		if !ok {
			return wrong(name+"/"+variable, fault.T("want a string"), fault.T("pass env as a list of NAME=value"))
		}
		list = append(list, variable+"="+to)
	}
	c.g.Set(name, list)
	return nil
}

// shell reads the path of a shell.
func shell(c *conversion, name string) error {
	text, ok := c.g.Text(name)
	if ok && strings.ContainsAny(text, `/\`) {
		c.g.Set(name, strings.TrimSuffix(path.Base(strings.ReplaceAll(text, `\`, "/")), ".exe"))
	}
	return nil
}

// shells are the names that take a patch as a command, too.
func shells() []Name {
	var all []Name
	for _, n := range []Name{{Name: "shell", Of: "Codex"}, {Name: "container.exec", Of: "Codex"}, {Name: "local_shell", Of: "Codex"}} {
		n.Tools = []string{"exec", "patch"}
		n.choose = func(g *schema.Given) (*Name, error) {
			if patch, ok := Patching(n.Name, g); ok {
				return patch, nil
			}
			return &Name{Name: n.Name, Tool: "exec", Args: renamed("cwd", "working_directory"), ours: n.Name == "shell"}, nil
		}
		all = append(all, n)
	}
	return all
}

// Patching returns the name by which a call of exec under a name is one of patch: its command
// is apply_patch and nothing else, which only systems with that program have.
func Patching(name string, g *schema.Given) (*Name, bool) {
	text, ok := patchIn(g)
	if !ok {
		return nil, false
	}
	args := []Argument{{Name: "timeout_ms"}, {Name: "timeout"}, {Name: "workdir"}, {Name: "cwd"}, {Name: "working_directory"}}
	for _, command := range commandNames() {
		args = append(args, inPlace(command, text))
	}
	return &Name{Name: name, Tool: "patch", Args: args}, true
}

// commandNames returns the names under which commands are given.
func commandNames() []string { return []string{"command", "cmd", "argv"} }

// inPlace takes the patch that a command holds for it.
func inPlace(name, text string) Argument {
	return Argument{Name: name, To: "patch", read: func(c *conversion, name string) error {
		c.g.Drop(name)
		c.set("patch", text)
		c.say(fault.T("%s applies a patch", name))
		return nil
	}}
}

// patchIn returns the patch that a command passes to apply_patch, as Codex's models
// write it: the program with the patch as its argument, or with a here-document in a
// shell.
func patchIn(g *schema.Given) (text string, ok bool) {
	dir := ""
	for _, name := range []string{"workdir", "cwd", "working_directory"} {
		if at, given := g.Text(name); given && at != "." {
			dir = at
		}
	}
	var list []string
	for _, name := range commandNames() {
		if !g.Has(name) {
			continue
		}
		if list != nil {
			return "", false // they may differ
		}
		var isList bool
		if list, isList = g.Texts(name); !isList {
			text, _ := g.Text(name)
			list = []string{"bash", "-lc", text}
		}
	}
	switch {
	case len(list) == 2 && (list[0] == "apply_patch" || list[0] == "applypatch"):
		text, ok = list[1], true
	case len(list) == 3 && slices.Contains([]string{"-c", "-lc"}, list[1]):
		text, ok = hereDocument(list[2])
	}
	if ok && dir != "" { // the patch may have one, too
		text = "cd '" + dir + "'\n" + text
	}
	return text, ok
}

// hereDocument returns the text that a script consisting of one here-document passes to
// apply_patch.
func hereDocument(script string) (string, bool) {
	first, rest, ok := strings.Cut(strings.TrimSpace(script), "\n")
	head, word, isHere := strings.Cut(first, "<<")
	change, command, changes := strings.Cut(head, "&&")
	if !changes {
		change, command = "", head
	}
	command = strings.TrimSpace(command)
	if !ok || !isHere || command != "apply_patch" && command != "applypatch" || changes && !strings.HasPrefix(change, "cd ") {
		return "", false
	}
	quoted := strings.TrimSpace(word)
	word = strings.Trim(quoted, `'"`)
	text, closed := strings.CutSuffix(rest, "\n"+word)
	if !closed || word == "" || strings.ContainsAny(word, " |&;<>") || word == quoted && strings.ContainsAny(text, "$`\\") ||
		strings.Contains("\n"+text+"\n", "\n"+word+"\n") {
		return "", false // the shell would change it, or end it before and run what follows
	}
	if changes {
		text = strings.TrimSpace(change) + "\n" + text // the patch says where it is, too
	}
	return text + "\n", true
}

// following are the names of job.
func following() family {
	id := renamed("id", "session_id", "terminal_id", "task_id", "CommandId", "process_id", "pid", "job_id", "handle")
	read, stop := []Setting{{"action", "read"}}, []Setting{{"action", "stop"}}
	return family{args: joined(id, []Argument{
		flag("block", true, "action", "wait"), milliseconds("timeout_ms", true), either("timeout", "timeout"),
		patternsLeftOut("filter"),
	}, words()), names: []Name{
		{Name: "BashOutput", Of: "Claude Code", Fixed: read}, {Name: "bash_output", Of: "Claude Code", Fixed: read},
		{Name: "TaskOutput", Of: "Claude Code", Args: []Argument{milliseconds("timeout", true)}, Fixed: read},
		{Name: "task_output", Of: "Claude Code", Fixed: read},
		{Name: "KillShell", Of: "Claude Code", Fixed: stop}, {Name: "KillBash", Of: "Claude Code", Fixed: stop}, {Name: "TaskStop", Of: "Claude Code", Fixed: stop},
		{Name: "kill_shell", Of: "Claude Code", Fixed: stop}, {Name: "kill_bash", Of: "Claude Code", Fixed: stop},
		{Name: "job_output", Of: "Crush", Fixed: read}, {Name: "job_kill", Of: "Crush", Fixed: stop},
		{Name: "get_terminal_output", Of: "Copilot", Fixed: read}, {Name: "command_status", Of: "Windsurf", Fixed: read},
		{Name: "read_process_output", Of: "Desktop Commander", Fixed: read}, {Name: "list_sessions", Of: "Desktop Commander"},
		{Name: "list_background_processes", Of: "MCP"}, {Name: "read_background_output", Of: "MCP", Fixed: read},
	}}
}
