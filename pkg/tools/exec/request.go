package exec

import (
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/confine"
)

// request is a call as judged: what runs, where and in which sandbox. What runs is
// what was judged.
type request struct {
	*confine.Sandboxed
	args    Args
	dir     string   // where it runs, absolute and real
	ofRun   []string // variables of the run of a job that it belongs to
	shell   run.Shell
	env     []string // for a command that writes
	network sandbox.Network
	reachable
	verdict classify.Verdict
	closed  bool   // it may read nothing outside the workspace but programs
	refused error  // why it may not name a path that it names; nil if it may
	deletes string // a git directory that it names to delete; "" if there is none
	moves   forecast
	until   *job.Condition
	held    *held  // set while the call must answer in time
	temp    string // with the temporary files of the session; "" if there is none, or it has none
}

// understand returns all about a call but its risk.
func understand(call *tool.Call, a Args) (*request, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	place, err := confine.Find(call)
	if err != nil {
		return nil, err
	}
	r := &request{Sandboxed: place, args: a, ofRun: call.ProgramVariables()}
	if err := r.findDir(call); err != nil {
		return nil, err
	}
	if r.until, err = r.condition(call); err != nil {
		return nil, err
	}
	if r.env, err = r.environment(false, ""); err != nil {
		return nil, err
	}
	if r.Kind == sandbox.Namespaces {
		if r.temp, _, err = r.SessionTemporary(call); err != nil {
			return nil, err
		}
	}
	if a.Command != "" {
		if r.shell, err = r.findShell(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (a Args) check() error {
	switch {
	case a.Command == "" && len(a.Argv) == 0:
		return schema.Invalid("/command", fault.T("command or argv is required"))
	case a.Command != "" && len(a.Argv) > 0:
		return schema.Invalid("/argv", fault.T("pass either command or argv, not both"))
	case len(a.Argv) > 0 && a.Argv[0] == "":
		return schema.Invalid("/argv/0", fault.T("the name of the program is empty"))
	case a.Background && a.Preview:
		return schema.Invalid("/preview", fault.T("a background command cannot be previewed"))
	}
	if err := a.follows(); err != nil {
		return err
	}
	for i, text := range append(slices.Clone(a.Argv), a.Command) {
		if strings.IndexByte(text, 0) >= 0 {
			pointer := "/command"
			if i < len(a.Argv) {
				pointer = "/argv/" + strconv.Itoa(i)
			}
			return schema.Invalid(pointer, fault.T("must not contain a NUL"))
		}
	}
	return nil
}

// findDir finds the directory to run in.
func (r *request) findDir(call *tool.Call) error {
	root, cwd, err := call.Confined(r.args.Cwd)
	if err != nil {
		return err
	}
	info, err := root.Stat(cwd)
	if fault.Is(err, fault.NotFound) {
		return root.NotFound(cwd)
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fault.New(fault.NotADirectory, fault.T("%s is not a directory", r.args.Cwd)).
			WithHint(fault.T("name the directory to run in"))
	}
	real, err := root.Resolve(cwd, schema.ReadPath)
	if err != nil {
		return err
	}
	r.dir = root.Path(real.String())
	return nil
}

// withoutRetries are the variables by which package managers soon give up what they cannot
// reach. Otherwise cargo and pip take ten seconds, and npm a minute. The first time pip does
// not say why.
var withoutRetries = []string{"CARGO_NET_RETRY=0", "PIP_RETRIES=1", "npm_config_fetch_retries=0"}

// environment returns the variables of the command.
func (r *request) environment(reads bool, temp string) ([]string, error) {
	var caches []string
	if temp != "" && !reads && r.usesCaches() {
		caches = r.Caches()
	}
	set := slices.Concat(caches, r.ofRun)
	if socket := r.AgentSocket(); socket != "" && r.usesAgent() {
		set = append(set, confine.AgentVariable+"="+socket)
	}
	if r.network != sandbox.Full && r.proxy() == "" {
		set = append(set, withoutRetries...)
	}
	env, refused := run.Environment{
		Parent: r.Machine.Environ, Extra: r.args.Env, Pass: r.Machine.Settings.Pass, Set: set, Temp: temp, Proxy: r.proxy(),
		Workspace: r.Root.Dir(), Dir: r.dir, ReadOnly: reads, Sandboxed: r.Kind.Confines(),
	}.Build()
	for i, entry := range r.args.Env {
		name, _, ok := strings.Cut(entry, "=")
		at := "/env/" + strconv.Itoa(i)
		switch {
		case !ok || name == "":
			return nil, schema.Invalid(at, fault.T("must be NAME=value, got %q", entry))
		case slices.Contains(refused, name):
			return nil, schema.Invalid(at, fault.T("%s can make programs run other code, and cannot be set", name))
		}
	}
	return env, nil
}

// findShell finds the shell. Neither the call nor the workspace can influence what it
// finds.
func (r *request) findShell() (run.Shell, error) {
	var passwd []byte
	want := r.args.Shell
	if want == "auto" {
		want = r.Machine.Settings.Shell
	}
	if want == "user" && run.Value(r.Machine.Environ, "SHELL") == "" && r.Machine.Passwd != nil {
		passwd = r.Machine.Passwd()
	}
	env, _ := run.Environment{Parent: r.Machine.Environ, Workspace: r.Root.Dir(), ReadOnly: true}.Build()
	shell, err := run.FindShell(want, env, r.Machine.User, passwd)
	if err == nil && !r.trusted(shell.Path) {
		err = fault.New(fault.PermissionDenied, fault.T("the shell %s is in the workspace, or where anyone can write", shell.Path)).
			WithHint(fault.T("choose another shell, or correct PATH"))
	}
	return shell, err
}

// dialect returns the grammar of the shell that will run the command.
func (r *request) dialect() classify.Dialect {
	switch r.shell.Name {
	case "bash":
		return classify.Bash
	case "sh", "dash", "ash":
		return classify.POSIX
	case "zsh":
		return classify.Zsh
	case "cmd":
		return classify.Cmd
	case "pwsh", "powershell":
		if runtime.GOOS == "windows" { // elsewhere the names are those of other programs
			return classify.PowerShell
		}
	}
	return classify.Other
}

// argv returns what is started.
func (r *request) argv() []string {
	if r.args.Command == "" {
		return r.args.Argv
	}
	return r.shell.Argv(r.args.Command)
}

// usesCaches reports whether the command may run a tool chain, as it is not seen to run
// other programs alone. Caches cost a millisecond.
func (r *request) usesCaches() bool {
	return slices.ContainsFunc(r.verdict.Flags, func(f classify.Flag) bool {
		switch f {
		case classify.Outside, classify.Protected, classify.Sensitive, classify.Background, classify.DynamicArgs:
			return false
		}
		return true
	})
}

// records reports whether the command visibly has git do what it notes in the settings
// of the repository.
func (r *request) records() bool {
	return slices.ContainsFunc(r.verdict.Commands, func(c policy.Command) bool {
		return len(c.Argv) > 1 && c.Argv[0] == "git" && slices.ContainsFunc(c.Argv[1:], func(word string) bool {
			return slices.Contains([]string{"submodule", "branch", "checkout", "switch", "worktree", "push", "pull"}, word)
		})
	})
}

// usesAgent reports whether the command may use the person's agent for ssh, as git
// does that pushes: it was allowed to reach every host, and has no key itself.
func (r *request) usesAgent() bool { return r.Kind.Confines() && r.network == sandbox.Full }

// grant returns what the command may do. Whoever allowed a command that visibly
// changes trusted files, or files outside the workspace, allowed that. What the sandbox
// has of its own is not outside, and nobody was asked about it.
func (r *request) grant(temp string) confine.Grant {
	g := confine.Grant{Risk: r.verdict.Risk, Network: r.network, Temp: temp, Caches: r.usesCaches(), Agent: r.usesAgent(), Closed: r.closed, Trusted: r.verdict.Guarded, Changing: r.changing(), Removes: r.verdict.Written, Records: r.records()}
	if r.verdict.Has(classify.Outside) {
		g.Outside = r.verdict.Outside
	}
	return g
}
