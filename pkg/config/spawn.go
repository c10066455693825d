package config

import (
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/secret"
)

// Spawn is the settings of sub-agents.
type Spawn struct {
	BaseURL string  `json:"base_url,omitzero" doc:"Address of the model's server, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1; it may be a private one. Empty: OPENAI_BASE_URL, else OpenAI's own."`
	Model   string  `json:"model,omitzero" doc:"Model that sub-agents are. Empty: OPENAI_MODEL."`
	KeyEnv  string  `json:"key_env,omitzero" doc:"Name of the environment variable with the server's key. Empty: OPENAI_API_KEY. A server on a private address may need none."`
	KeyFile string  `json:"key_file,omitzero" doc:"File with that key alone instead, which services and schedulers find too. It may be relative as the path of a project is."`
	Format  string  `json:"format,omitzero" enum:"auto,chat,anthropic" default:"auto" doc:"What the server speaks: Chat Completions, or Anthropic's Messages. auto goes by the address."`
	MaxJobs int     `json:"max_jobs,omitzero" default:"4" min:"1" max:"64" doc:"Sub-agents that work at a time on this machine; others wait."`
	Tokens  int64   `json:"max_tokens,omitzero" default:"2000000" min:"1000" doc:"Tokens that one sub-agent may use, in and out together."`
	Output  int     `json:"max_output,omitzero" default:"0" min:"0" max:"1000000" doc:"Tokens of one answer of the model; 0 leaves it to the server."`
	Context int     `json:"context,omitzero" default:"100000" min:"2000" doc:"Tokens of a conversation, after which the results of its oldest calls are left out."`
	Timeout int     `json:"timeout,omitzero" default:"1800" min:"1" max:"86400" doc:"Seconds that a sub-agent may work, where the call does not say."`
	OnLost  string  `json:"on_lost,omitzero" enum:"fail,rerun" default:"fail" doc:"What becomes of a job whose worker has died: it is lost, or runs again from the beginning."`
	Prompt  string  `json:"prompt,omitzero" doc:"File with the system prompt of sub-agents, in place of helve's own, which helve spawn prompt shows. It may be relative as the path of a project is."`
	Runtime string  `json:"runtime,omitzero" default:"builtin" doc:"Who does the work: builtin, or the name of one of agents."`
	Agents  []Agent `json:"agents,omitzero" doc:"Agent programs that can do the work."`
}

// Agent is an agent program that can work as a sub-agent.
type Agent struct {
	Name   string   `json:"name" min:"1" max:"40" doc:"Name: letters, digits, -, _ and dots."`
	Argv   []string `json:"argv" doc:"Program and its arguments; there is no shell. {task} stands for the task, which goes to the standard input if no argument names it, and {result} for the file that result names. A path with a directory may be relative as the path of a project is."`
	Result string   `json:"result,omitzero" enum:"stdout,file" default:"stdout" doc:"Where its result is: what it prints to its standard output, or the file that {result} stands for."`
	Pass   []string `json:"pass,omitzero" doc:"Names of environment variables that it gets besides the usual ones, such as ANTHROPIC_API_KEY."`
	Writes []string `json:"writes,omitzero" doc:"Directories and files besides the workspace that it may read and write, such as ~/.claude with its login, which other programs do not see."`
}

// BuiltinRuntime is the runtime that no agent program can be named after.
const BuiltinRuntime = "builtin"

// checkSpawn reports what is wrong with the settings of sub-agents.
func checkSpawn(s *Spawn, report func(pointer string, what fault.Text)) {
	if s.BaseURL != "" {
		if u, err := url.Parse(s.BaseURL); err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
			report("/spawn/base_url", fault.T("want an address with http or https, without a user"))
		}
	}
	if strings.ContainsAny(s.KeyEnv, "=\x00 ") {
		report("/spawn/key_env", fault.T("want the name of a variable, not its value"))
	}
	if s.KeyEnv != "" && s.KeyFile != "" {
		report("/spawn/key_file", fault.T("leave out key_env or this"))
	}
	names := []string{BuiltinRuntime}
	for i := range s.Agents {
		a := &s.Agents[i]
		at := "/spawn/agents/" + strconv.Itoa(i)
		if !isID(a.Name) || slices.Contains(names, a.Name) {
			report(at+"/name", fault.T("%q: want letters, digits, -, _ and dots, a letter or digit first, and a name that no other has", a.Name))
		}
		names = append(names, a.Name)
		a.check(func(member string, what fault.Text) { report(at+"/"+member, what) })
	}
	if s.Runtime != "" && !slices.Contains(names, s.Runtime) {
		report("/spawn/runtime", fault.T("%q is neither builtin nor one of agents", s.Runtime))
	}
}

// check reports what is wrong with an agent program.
func (a *Agent) check(report func(member string, what fault.Text)) {
	named := false
	for i, word := range a.Argv {
		at := "argv/" + strconv.Itoa(i)
		task := strings.Contains(word, "{task}")
		named = named || strings.Contains(word, "{result}")
		switch {
		case strings.ContainsRune(word, 0):
			report(at, fault.T("must not contain a NUL"))
		case i == 0 && (task || named):
			report(at, fault.T("names the program, which is the same for every task"))
		case i > 1 && task && strings.HasPrefix(a.Argv[i-1], "-") && strings.HasSuffix(a.Argv[i-1], "c") && isShell(a.Argv[0]):
			report(at, fault.T("a shell would run the task as a command: write \"$1\" for it, and {task} behind the command"))
		}
	}
	if len(a.Argv) == 0 || a.Argv[0] == "" {
		report("argv", fault.T("names no program"))
	}
	if named != (a.Result == "file") {
		report("result", fault.T("file and {result} in argv go together"))
	}
	for i, name := range a.Pass {
		if name == "" || strings.ContainsAny(name, "=\x00 ") {
			report("pass/"+strconv.Itoa(i), fault.T("want the name of a variable, not its value"))
		}
	}
	for i, path := range a.Writes {
		if path == "" || strings.ContainsRune(path, 0) {
			report("writes/"+strconv.Itoa(i), fault.T("must be a path, without a NUL"))
		}
	}
}

// isShell reports whether a program runs the argument of its option -c.
func isShell(program string) bool {
	switch strings.TrimSuffix(filepath.Base(program), ".exe") {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "fish":
		return true
	}
	return false
}

// absoluteAgents makes the paths of agent programs absolute with fix: what they write to,
// but for what is in the home directory, and the program itself.
func absoluteAgents(spawn *jsonc.Node, fix func(*jsonc.Node) *jsonc.Node) *jsonc.Node {
	return replace(spawn, "agents", func(agents *jsonc.Node) *jsonc.Node {
		return each(agents, func(_ int, a *jsonc.Node) *jsonc.Node {
			a = replace(a, "argv", func(argv *jsonc.Node) *jsonc.Node { return absoluteProgram(argv, fix) })
			return replace(a, "writes", func(paths *jsonc.Node) *jsonc.Node {
				return each(paths, func(_ int, path *jsonc.Node) *jsonc.Node {
					if path.Text == "~" || strings.HasPrefix(path.Text, "~/") {
						return path
					}
					return fix(path)
				})
			})
		})
	})
}

// absoluteProgram makes the program of a command line absolute, unless it is to be looked
// up in the PATH.
func absoluteProgram(argv *jsonc.Node, fix func(*jsonc.Node) *jsonc.Node) *jsonc.Node {
	return each(argv, func(i int, word *jsonc.Node) *jsonc.Node {
		if i > 0 || filepath.Base(word.Text) == word.Text {
			return word
		}
		return fix(word)
	})
}

// shownAgent returns an agent program without the words of its command line that are or
// contain a secret.
func shownAgent(a *jsonc.Node) *jsonc.Node {
	return replace(a, "argv", func(argv *jsonc.Node) *jsonc.Node {
		return each(argv, func(_ int, word *jsonc.Node) *jsonc.Node {
			if word.Kind != jsonc.String || !secret.Value(word.Text) {
				return word
			}
			masked := *word
			masked.Text = hidden
			return &masked
		})
	})
}

// shownServer returns the address of a model's server without what may be a secret in it.
// The path says more than that of a webhook, so it stays: but for names that nobody would
// choose, as some gateways give out.
func shownServer(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return hidden
	}
	names := strings.Split(u.EscapedPath(), "/")
	for i, name := range names {
		if secret.Value(name) || len(name) >= drawnLength && strings.ContainsAny(name, "0123456789") {
			names[i] = hidden
		}
	}
	path := strings.Join(names, "/")
	if u.RawQuery != "" || u.Fragment != "" {
		path += "?" + hidden
	}
	return u.Scheme + "://" + u.Host + path
}

// drawnLength is the length of a randomly generated name in a path.
const drawnLength = 20
