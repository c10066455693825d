// Package spawn is the tool that gives a task to a sub-agent. It puts the job into the
// queue and sees that somebody works on it; the work is done by other processes, and its
// result comes on the bus, whether or not somebody waits for it here.
package spawn

import (
	"context"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
)

// Args are the arguments.
type Args struct {
	Task          string `json:"task" doc:"What to do and all it must know." alias:"prompt"`
	Label         string `json:"label,omitzero" doc:"Short title." alias:"title,name"`
	Wait          bool   `json:"wait,omitzero" doc:"Return its result."`
	Timeout       int    `json:"timeout,omitzero" doc:"Seconds that it may work." min:"1" max:"86400" alias:"timeout_seconds" unlisted:"true"`
	MaxIterations int    `json:"max_iterations,omitzero" doc:"Most requests to its model." default:"15" min:"1" max:"1000" alias:"max_turns" unlisted:"true"`

	Agent     string   `json:"agent,omitzero" doc:"Who does it: builtin, or an agent program of the settings." unlisted:"true" alias:"runtime"`
	Labels    []string `json:"labels,omitzero" doc:"Labels a worker must have: the task runs where helve spawn worker was started with them." unlisted:"true" max:"20"`
	OnLost    string   `json:"on_lost,omitzero" doc:"What becomes of it when its worker dies: it is lost, or runs again." enum:"fail,rerun" unlisted:"true"`
	ReadOnly  bool     `json:"read_only,omitzero" doc:"It may only read." default:"false" unlisted:"true" alias:"readonly"`
	MaxTokens int64    `json:"max_tokens,omitzero" doc:"Most tokens that it may use, in and out together." min:"1000" unlisted:"true"`
}

// Result is the job, and its result once it has ended.
type Result struct {
	JobID      string       `json:"job_id"`
	Label      string       `json:"label,omitzero"`
	Status     agent.Status `json:"status"`
	Queued     bool         `json:"queued,omitzero"`   // no worker has it yet
	Existing   bool         `json:"existing,omitzero"` // the same was being done: nothing was added
	Approval   string       `json:"approval,omitzero"` // id of the request that it waits for
	Result     string       `json:"result,omitzero"`
	Truncated  bool         `json:"truncated,omitzero"` // Result is not all
	Reason     agent.Reason `json:"reason,omitzero"`    // why it did not end by itself
	Error      *agent.Fault `json:"error,omitzero"`
	Iterations int          `json:"iterations,omitzero"` // requests to the model
	Tokens     int64        `json:"tokens,omitzero"`
	Calls      *int         `json:"calls,omitzero"` // of tools; once it has ended
}

// starting limits the time to add a job and see it begin, and to end it if that fails.
const starting = time.Minute

// Tool spawns sub-agents.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "spawn", Title: "Start a sub-agent",
	Risk: policy.Write, Parallel: true,
	Doc: "Have a sub-agent do long or separate work in the background, several at once. It does not know this conversation and cannot ask. " +
		"Its result is a message.",
	DefaultArg: "task",
	Input:      "task",
	Examples: []tool.Example{
		{Doc: "in the background", Args: `{"task":"Find every caller of Parse in pkg/ and write to callers.md which of them ignore its error.","label":"callers of Parse"}`},
		{Doc: "wait for the result, at most ten minutes", Args: `{"task":"Run the tests in pkg/web and say which fail, and why.","wait":true,"timeout":600}`},
	},
	Timeout: 2 * starting, TimeoutArg: "timeout", Grace: ending + 2*time.Second,
	Preview: preview,
	Run:     run,
	Text:    text,
})

// preview shows what is asked for to a person who decides about it.
func preview(_ context.Context, call *tool.Call, a Args) (string, error) {
	lang := call.Home.Lang
	limits := fault.T("a sub-agent, with at most %d requests to its model:", a.MaxIterations)
	if a.Agent != "" && a.Agent != agent.Builtin {
		limits = fault.T("the agent program %s:", a.Agent)
	}
	return limits.In(lang) + "\n\n" + strings.TrimSuffix(a.Task, "\n") + "\n", nil
}

// Show returns a job as a result shows it.
func Show(j *agent.Job) Result {
	var calls *int
	if j.Status.Final() && j.Runtime == agent.Builtin {
		calls = &j.Calls
	}
	return Result{
		JobID: j.ID, Label: j.Label, Status: j.Status, Calls: calls, Queued: j.Queued, Approval: j.Approval,
		Result: j.Result, Truncated: j.Truncated, Reason: j.Reason, Error: j.Fault, Iterations: j.Iterations, Tokens: j.Tokens,
	}
}
