// Package exec is the tool that runs commands: it judges one with shell/classify,
// confines it with shell/sandbox and runs it with shell/run.
package exec

import (
	"time"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/track"
)

// Args are the arguments.
type Args struct {
	Command    string   `json:"command,omitzero" doc:"Command line." unless:"argv" alias:"cmd,script,code"`
	Argv       []string `json:"argv,omitzero" doc:"Program and arguments, run without a shell: nothing in them is expanded." unlisted:"true"`
	Cwd        string   `json:"cwd,omitzero" doc:"Directory to run in." path:"read" default:"." alias:"workdir,working_dir,working_directory,dir"`
	Timeout    int      `json:"timeout,omitzero" doc:"Seconds after which the command is killed; its output so far is returned." default:"60" min:"1" max:"600"`
	Idle       int      `json:"idle,omitzero" doc:"Seconds without output after which the command is killed; 0 is no limit." min:"0" max:"600" unlisted:"true"`
	Stdin      string   `json:"stdin,omitzero" doc:"Text for standard input."`
	Env        []string `json:"env,omitzero" doc:"Environment variables to set, each as NAME=value." unlisted:"true"`
	Shell      string   `json:"shell,omitzero" doc:"Shell for command. auto is bash, or sh without it, and PowerShell on Windows; user is the person's login shell." enum:"auto,bash,sh,zsh,powershell,cmd,user" default:"auto" unlisted:"true"`
	ReadOnly   bool     `json:"read_only,omitzero" doc:"Refuse the command if it does more than read." alias:"readonly" unlisted:"true"`
	Network    string   `json:"network,omitzero" doc:"What it may reach: local its own servers, hosts also what the person lists; full must be approved. By default what it visibly needs." enum:"none,local,hosts,full"`
	Background bool     `json:"background,omitzero" doc:"Return at once with a job id: for servers and long runs; follow with job." alias:"run_in_background"`
	Until      string   `json:"until,omitzero" doc:"Background waits for this regexp, port:N or file:PATH."`
	Wait       int      `json:"wait,omitzero" doc:"Maximum number of seconds to wait for until." default:"30" min:"1" max:"600" unlisted:"true"`
	Notify     string   `json:"notify,omitzero" doc:"With background: send lines of output that match this regular expression, and the end, as messages to this session." unlisted:"true"`
	Preview    bool     `json:"preview,omitzero" doc:"Run on a copy; return what would change."`
	Split      bool     `json:"split,omitzero" doc:"Return standard output and standard error separately." unlisted:"true"`
	Raw        bool     `json:"raw,omitzero" doc:"Return the output as it was printed, with colours, progress and what passed." unlisted:"true"`
	MaxOutput  int      `json:"max_output,omitzero" doc:"Maximum number of characters of output to return, from its beginning and its end. The complete output is in output_file." default:"10000" min:"200" max:"200000" unlisted:"true"`
	MaxTokens  int      `json:"max_tokens,omitzero" doc:"Maximum number of tokens of output to return, estimated." unlisted:"true" min:"1" max:"10000000"`
}

// Result is the outcome of a command. An exit code other than 0 is a result.
type Result struct {
	ExitCode   int               `json:"exit_code"`        // -1 when a signal ended it
	Signal     string            `json:"signal,omitzero"`  // such as SIGKILL
	TimedOut   bool              `json:"timed_out"`        // by timeout or idle
	Ended      string            `json:"ended,omitzero"`   // why it was killed: a [run.Reason]
	DurationMS int64             `json:"duration_ms"`      //
	Output     string            `json:"output"`           // standard output and error in their order; empty with split
	Stdout     *string           `json:"stdout,omitzero"`  // with split
	Stderr     *string           `json:"stderr,omitzero"`  // with split
	Truncated  bool              `json:"truncated"`        // the output was too long and is cut
	Reduced    *output.Reduced   `json:"reduced,omitzero"` // what is known to be noise is left out of it
	TotalBytes int64             `json:"total_bytes"`      // that it printed
	OutputFile string            `json:"output_file,omitzero"`
	Risk       policy.Risk       `json:"risk"`
	Flags      []string          `json:"flags"`
	Reasons    []string          `json:"reasons"`
	Sandbox    sandbox.Report    `json:"sandbox"`
	Denials    []Denial          `json:"denials,omitempty"`
	Changes    []Change          `json:"changes,omitempty"`         // of the workspace, the first hundred
	Total      int               `json:"changes_total,omitzero"`    // if there are more
	UndoID     string            `json:"undo_id,omitzero"`          // undoes the changes; none for a preview
	NotCovered []track.Uncovered `json:"not_covered,omitempty"`     // what it changed and undo does not restore
	Others     []track.Other     `json:"also_changed_by,omitempty"` // what other calls changed meanwhile, each with its own undo_id
	Killed     []string          `json:"killed,omitempty"`          // command lines of processes that it left running
	Restored   []string          `json:"restored,omitempty"`        // protected paths that it changed, and that were restored
	// Planted lists the files it put where other programs run or obey them, and their
	// present places.
	Planted []sandbox.Moved `json:"planted,omitempty"`
	Offered string          `json:"offered,omitzero"` // id of the approval that puts all of them in their places
	Shell   string          `json:"shell,omitzero"`   // path of the shell; none for argv
	Cwd     string          `json:"cwd"`
	Job     string          `json:"job,omitzero"` // of a command in the background, for the tool job
	// Goes says that the command runs on as that job when the call answers: it had to, or
	// what until waits for has come about or takes too long. Output then ends at Next, from
	// which the tool job goes on.
	Goes    bool         `json:"goes_on,omitzero"`
	Next    int64        `json:"next,omitzero"`
	Matched *job.Matched `json:"matched,omitzero"` // what fulfilled until; none if it did not come about
}

// Denial is an access that the sandbox refused.
type Denial struct {
	Op   string `json:"op"` // read, write, network or connect
	Path string `json:"path,omitzero"`
	Host string `json:"host,omitzero"` // of connect
	Port int    `json:"port,omitzero"`
	Rule string `json:"rule"`
	Fix  string `json:"fix"`
}

// Change is one change of the workspace by a command. A directory that is created or
// deleted is one change, with everything in it.
type Change struct {
	Path    string       `json:"path"`
	Action  track.Action `json:"action"` // create, modify, delete, rename, mode or replace
	From    string       `json:"from,omitzero"`
	Mode    string       `json:"mode,omitzero"`    // afterwards, in octal, if it changed
	Target  string       `json:"target,omitzero"`  // of a link, afterwards
	Entries int          `json:"entries,omitzero"` // in a directory that is created or deleted, or in a repository
	Inside  []string     `json:"inside,omitempty"` // the first of them
	Diff    string       `json:"diff,omitzero"`
}

// Status returns the exit status of the command, as a shell would report it.
func (r Result) Status() int {
	switch {
	case r.Goes:
		return 0
	case r.TimedOut:
		return 124
	case r.ExitCode < 0:
		return 128 + signalNumber(r.Signal)
	}
	return r.ExitCode
}

// overhead limits the time of a call beside its command: to judge it, to set up the
// sandbox, to kill remaining processes.
const overhead = 30 * time.Second

// Tool runs commands.
var Tool = tool.NewJudged(tool.Def[Args, Result]{
	Name: "exec", Title: "Run a command",
	Presets: []tool.Preset{
		{Name: "shell-readonly", Fixed: `{"read_only":true}`},
		{Name: "shell-write", Fixed: `{}`},
		{Name: "shell-destructive", Fixed: `{}`},
	},
	Risk: policy.Destructive, Reads: true, Programs: true,
	Doc: "Run a command in {shell}. Each call starts a new one: cd and variables do not carry over. Use read, grep, find and edit, not cat, " +
		"grep, find and sed. Commands can change the workspace only; destructive ones and the network need a person's approval. On " +
		"approval_required, tell the user what waits for them, and once they have decided do as the hint says. Nobody answers prompts: pass -y or " +
		"stdin. A non-zero exit code is no error.",
	DefaultArg: "command",
	OneOf:      []string{"command", "argv"},
	Words:      "argv",
	Examples: []tool.Example{
		{Doc: "a command line", Args: `{"command":"go test ./... 2>&1 | tail -20","timeout":300}`},
		{Doc: "without a shell", Args: `{"argv":["git","log","--oneline","-5"]}`},
	},
	Timeout: overhead, TimeoutArg: "timeout",
	Grace: run.Grace + overhead, // to kill the command and all that it started
	Text:  text,
}, tool.Judged[Args, *request, Result]{Judge: judge, Preview: preview, Outline: outline, Run: execute})
