// Package exec is the tool that runs commands: it judges one with shell/classify,
// confines it with shell/sandbox and runs it with shell/run.
package exec

import (
	"time"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/track"
)

// Args are the arguments.
type Args struct {
	Command    string   `json:"command,omitzero" doc:"Command line for the shell. Pass this or argv." zh:"交给 shell 的命令行。与 argv 二选一。" alias:"cmd,script,code"`
	Argv       []string `json:"argv,omitzero" doc:"Program and arguments, run without a shell: nothing in them is expanded." zh:"程序及其参数，不经 shell 运行：不做任何展开。"`
	Cwd        string   `json:"cwd,omitzero" doc:"Directory to run in, relative to the workspace root." zh:"运行目录，相对于工作区根目录。" path:"read" default:"." alias:"workdir,working_dir,working_directory,dir"`
	Timeout    int      `json:"timeout,omitzero" doc:"Seconds after which the command is killed with everything it started; its output so far is returned. In the background it may run for a day." zh:"超过该秒数后终止命令及其启动的一切；返回此前的输出。后台命令可运行一天。" default:"60" min:"1" max:"600"`
	Idle       int      `json:"idle,omitzero" doc:"Seconds without output after which the command is killed; 0 is no limit." zh:"持续该秒数没有输出则终止命令；0 表示不限。" min:"0" max:"600"`
	Stdin      string   `json:"stdin,omitzero" doc:"Text for standard input, which is empty by default." zh:"标准输入的文本，默认为空。"`
	Env        []string `json:"env,omitzero" doc:"Environment variables to set, each as NAME=value." zh:"要设置的环境变量，每项形如 NAME=value。"`
	Shell      string   `json:"shell,omitzero" doc:"Shell for command. auto is bash, or sh without it, and PowerShell on Windows; user is the person's login shell." zh:"运行 command 的 shell。auto 为 bash，没有则为 sh，在 Windows 上为 PowerShell；user 为用户的登录 shell。" enum:"auto,bash,sh,zsh,powershell,cmd,user" default:"auto"`
	ReadOnly   bool     `json:"read_only,omitzero" doc:"Refuse the command if it does more than read." zh:"若命令不只是读取则拒绝。" alias:"readonly"`
	Network    string   `json:"network,omitzero" doc:"none, local (this command's own servers and clients) or full (also services of the machine; a person must approve). Default: full if the command visibly needs it, else local." zh:"网络访问：none 无；local 仅限本命令自己的服务器与客户端；full 全部，须用户批准，访问本机的服务也需要它。命令显然需要时默认为 full，否则为 local。" enum:"none,local,full"`
	Background bool     `json:"background,omitzero" doc:"Start the command and return at once with a job id for the tool job." zh:"启动命令并立即返回，附带供工具 job 使用的作业 id。" alias:"run_in_background"`
	Preview    bool     `json:"preview,omitzero" doc:"Run the command on a copy of the workspace and return what it would change. Changes nothing." zh:"在工作区副本上运行命令，返回它将做的改动。不产生任何改动。"`
	Split      bool     `json:"split,omitzero" doc:"Return standard output and standard error separately." zh:"分别返回标准输出和标准错误。"`
	Raw        bool     `json:"raw,omitzero" doc:"Return the output as it was printed, with colours, progress and what passed." zh:"原样返回输出，保留颜色、进度及通过的项目。"`
	MaxOutput  int      `json:"max_output,omitzero" doc:"Maximum number of characters of output to return, from its beginning and its end. The complete output is in output_file." zh:"最多返回的输出字符数，取自开头和结尾。完整输出见 output_file。" default:"10000" min:"200" max:"200000"`
	MaxTokens  int      `json:"max_tokens,omitzero" doc:"Maximum number of tokens of output to return, estimated." zh:"最多返回的输出 token 数（估算）。" unlisted:"true" min:"1" max:"10000000"`
}

// Result is what a command came to. An exit code other than 0 is a result.
type Result struct {
	ExitCode   int               `json:"exit_code"`        // -1 when a signal ended it
	Signal     string            `json:"signal,omitzero"`  // such as SIGKILL
	TimedOut   bool              `json:"timed_out"`        // by timeout or idle
	Ended      string            `json:"ended,omitzero"`   // why it was killed: timeout, idle or too_many_processes
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
	// Planted is what it put where other programs run or obey it, and where it is now.
	Planted []sandbox.Moved `json:"planted,omitempty"`
	Shell   string          `json:"shell,omitzero"` // path of the shell; none for argv
	Cwd     string          `json:"cwd"`
	Job     string          `json:"job,omitzero"` // of a background command, for the tool job
}

// Denial is an access that the sandbox refused.
type Denial struct {
	Op   string `json:"op"` // read, write or network
	Path string `json:"path,omitzero"`
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
	case r.TimedOut:
		return 124
	case r.ExitCode < 0:
		return 128 + signalNumber(r.Signal)
	}
	return r.ExitCode
}

// overhead is how long a call may take beside its command: to judge it, to set up the
// sandbox, to kill what is left.
const overhead = 30 * time.Second

// Tool runs commands.
var Tool = tool.NewJudged(tool.Def[Args, Result]{
	Name:    "exec",
	Aliases: []string{"bash", "shell", "run_command", "run_shell_command", "execute_command"},
	Presets: []tool.Preset{
		{Name: "shell-readonly", Fixed: `{"read_only":true}`},
		{Name: "shell-write", Fixed: `{}`},
		{Name: "shell-destructive", Fixed: `{}`},
	},
	Risk: policy.Destructive,
	Doc: "Run a shell command. Commands that only read run at once; commands that write are confined to the workspace; destructive commands and network access " +
		"need a person's approval. There is no terminal, and nobody answers prompts: pass -y or stdin. A non-zero exit code is a result, not an error. " +
		"For servers and long runs set background and follow with job. To read, find, search or change files use read, find, grep, edit and write instead.",
	DocZH: "运行 shell 命令。只读命令立即运行，且不能改动任何内容；写入的命令限制在工作区内；破坏性命令和网络访问须用户批准。没有终端，也无人回答" +
		"提示：请使用 -y 或 stdin。非零退出码是结果而非错误。服务器和耗时命令请设置 background，再用 job 跟踪。读取、查找、" +
		"搜索或改动文件请改用 read、find、grep、edit、write。",
	DefaultArg: "command",
	Words:      "argv",
	Examples: []tool.Example{
		{Doc: "a command line", DocZH: "命令行", Args: `{"command":"go test ./... 2>&1 | tail -20","timeout":300}`},
		{Doc: "without a shell", DocZH: "不经过 shell", Args: `{"argv":["git","log","--oneline","-5"]}`},
	},
	Timeout: overhead, TimeoutArg: "timeout",
	Grace: run.Grace + overhead, // to kill the command and all that it started
	Text:  text,
}, tool.Judged[Args, *request, Result]{Judge: judge, Preview: preview, Run: execute})
