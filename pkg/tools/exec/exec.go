// Package exec is the tool that runs commands. It judges none of them itself,
// and holds and runs them by engines of their own.
package exec

import (
	"time"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/effect"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
)

// Args are the arguments.
type Args struct {
	Command    string   `json:"command,omitzero" doc:"Command line for the shell. Give it or argv." alias:"cmd,script,code"`
	Argv       []string `json:"argv,omitzero" doc:"Program and its arguments, run without a shell: nothing in them is expanded."`
	Cwd        string   `json:"cwd,omitzero" doc:"Directory to run in, relative to the workspace root." path:"read" default:"." alias:"workdir,working_dir,working_directory,dir"`
	Timeout    int      `json:"timeout,omitzero" doc:"Seconds after which the command is ended with everything it started. What it printed is kept. One in the background may run for a day." default:"60" min:"1" max:"600"`
	Idle       int      `json:"idle,omitzero" doc:"Seconds without output after which it is ended; 0 is no limit." min:"0" max:"600"`
	Stdin      string   `json:"stdin,omitzero" doc:"Text that the command reads; nothing by default."`
	Env        []string `json:"env,omitzero" doc:"Variables to set, NAME=value each."`
	Shell      string   `json:"shell,omitzero" doc:"Shell of command: auto is bash, else sh; user is the person's own." enum:"auto,bash,sh,zsh,user" default:"auto"`
	ReadOnly   bool     `json:"read_only,omitzero" doc:"Refuse what does more than read." alias:"readonly"`
	Network    string   `json:"network,omitzero" doc:"What it may reach: nothing, a loopback of its own, or everything, which a person allows. By default what it is seen to need." enum:"none,local,full"`
	Background bool     `json:"background,omitzero" doc:"Start it and return at once; the tool job follows it." alias:"run_in_background"`
	Preview    bool     `json:"preview,omitzero" doc:"Run it on a copy and show what would change, changing nothing."`
	Split      bool     `json:"split,omitzero" doc:"Keep standard error apart from standard output."`
	Raw        bool     `json:"raw,omitzero" doc:"Keep colours and progress lines."`
	MaxOutput  int      `json:"max_output,omitzero" doc:"Most characters of output to return, of the beginning and of the end; the whole goes to output_file." default:"10000" min:"200" max:"200000"`
}

// Result is what became of a command. A status that is not 0 is a result.
type Result struct {
	ExitCode   int            `json:"exit_code"`       // -1 when a signal ended it
	Signal     string         `json:"signal,omitzero"` // such as SIGKILL
	TimedOut   bool           `json:"timed_out"`       // by timeout or idle
	Ended      string         `json:"ended,omitzero"`  // timeout, idle or too_many_processes: why it was ended
	DurationMS int64          `json:"duration_ms"`     //
	Output     string         `json:"output"`          // standard output and error in their order; empty with split
	Stdout     *string        `json:"stdout,omitzero"` // with split
	Stderr     *string        `json:"stderr,omitzero"` // with split
	Truncated  bool           `json:"truncated"`       // something of the output is left out
	TotalBytes int64          `json:"total_bytes"`     // that it printed
	OutputFile string         `json:"output_file,omitzero"`
	Risk       policy.Risk    `json:"risk"`
	Flags      []string       `json:"flags"`
	Reasons    []string       `json:"reasons"`
	Sandbox    sandbox.Report `json:"sandbox"`
	Denials    []Denial       `json:"denials,omitempty"`
	Changes    []Change       `json:"changes,omitempty"`  // of a preview
	UndoID     string         `json:"undo_id,omitzero"`   // takes back what a preview showed and a person allowed
	Killed     []string       `json:"killed,omitempty"`   // command lines that it left running
	Restored   []string       `json:"restored,omitempty"` // protected paths that it changed and that were put back
	Shell      string         `json:"shell,omitzero"`     // path of the shell; none for argv
	Cwd        string         `json:"cwd"`
	Job        string         `json:"job,omitzero"` // of a background command, for the tool job
}

// Denial is an access that the sandbox refused.
type Denial struct {
	Op   string `json:"op"` // read, write or network
	Path string `json:"path,omitzero"`
	Rule string `json:"rule"`
	Fix  string `json:"fix"`
}

// Change is one effect of a command on the workspace. A directory that comes or
// goes is one, with all that is in it.
type Change struct {
	Path    string    `json:"path"`
	Op      effect.Op `json:"op"` // create, modify, delete, rename, mode or replace
	From    string    `json:"from,omitzero"`
	Mode    string    `json:"mode,omitzero"`    // afterwards, in octal, where it is not what it was
	Target  string    `json:"target,omitzero"`  // where a link leads afterwards
	Entries int       `json:"entries,omitzero"` // in a directory that comes or goes
	Inside  []string  `json:"inside,omitempty"` // the first of them
	Diff    string    `json:"diff,omitzero"`
}

// Status is the exit status of the command itself, as a shell would give it.
func (r Result) Status() int {
	switch {
	case r.TimedOut:
		return 124
	case r.ExitCode < 0:
		return 128 + signalNumber(r.Signal)
	}
	return r.ExitCode
}

// overhead is what a call may take beside its command: to judge it, to set up the
// sandbox, to end what is left.
const overhead = 30 * time.Second

// Tool runs commands.
var Tool = tool.NewJudged(tool.Def[Args, Result]{
	Name:    "exec",
	Aliases: []string{"bash", "shell", "shell-write", "shell-destructive", "run_command", "run_shell_command", "execute_command"},
	Profiles: []tool.Profile{
		{Name: "shell-readonly", Fixed: `{"read_only":true}`},
	},
	Risk: policy.Destructive,
	Doc: "Run a command. What it may do is judged first: what only reads runs at once and can change nothing, what writes is held to the workspace, " +
		"and what may destroy something or reaches the network is put before a person. Nothing asks for input: there is no terminal, and standard input is empty. " +
		"A status that is not 0 is a result. Processes it leaves running are ended, except with background.",
	Bare: "command",
	Examples: []tool.Example{
		{Doc: "a command line", Args: `{"command":"go test ./... 2>&1 | tail -20","timeout":300}`},
		{Doc: "without a shell", Args: `{"argv":["git","log","--oneline","-5"]}`},
	},
	Timeout: overhead, TimeoutArg: "timeout",
	Grace: run.Grace + overhead, // to end the command with all that it started
	Text:  text,
}, tool.Judged[Args, *request, Result]{Judge: judge, Preview: preview, Run: execute})
