package agent

import (
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/process"
)

// Status is the state of a job, in the terms of MCP's tasks, with two more for ends that
// are neither success nor failure.
type Status string

// The states. All but the first two are final.
const (
	Working       Status = "working"        // in the queue, or with a worker
	InputRequired Status = "input_required" // a person must decide about a call
	Completed     Status = "completed"      // the sub-agent says that the task is done
	Incomplete    Status = "incomplete"     // a limit ended it; the result is partial
	Failed        Status = "failed"
	Canceled      Status = "canceled"
	Lost          Status = "lost" // its worker has died
)

// Final reports whether a job has ended.
func (s Status) Final() bool { return s != Working && s != InputRequired }

// known reports whether the status is one of the above.
func (s Status) known() bool {
	switch s {
	case Working, InputRequired, Completed, Incomplete, Failed, Canceled, Lost:
		return true
	}
	return false
}

// Reason is the reason why a job did not end by itself.
type Reason string

// The reasons.
const (
	ByIterations Reason = "iterations" // so many requests as are allowed were made
	ByTokens     Reason = "tokens"     // so many tokens as are allowed were used
	ByLoop       Reason = "loop"       // the model made the same calls again and again
	ByTimeout    Reason = "timeout"
	ByModel      Reason = "model"   // the model's server failed or refused
	ByAgent      Reason = "agent"   // the sub-agent says that it could not do all of the task
	ByProgram    Reason = "program" // the agent program failed
	BySystem     Reason = "system"  // the disk is full, and the like
)

// Builtin is the runtime that is helve's own. Others are agent programs of the settings.
const Builtin = "builtin"

// Job is a task for a sub-agent, and how far it has come. It is the value of the key
// agent/jobs/ID.
type Job struct {
	ID      string `json:"job_id"` // from the label or the task, such as fix-tests-k3f9
	Label   string `json:"label,omitzero"`
	Task    string `json:"task"`
	Runtime string `json:"runtime"` // Builtin, or the name of an agent program

	// What the model is, of the builtin runtime. The key is never kept.
	Model   string `json:"model,omitzero"`
	BaseURL string `json:"base_url,omitzero"`

	Limits Limits   `json:"limits"`
	Labels []string `json:"labels,omitempty"` // that a worker must have
	OnLost string   `json:"on_lost,omitzero"` // LostFail or LostRerun; "" is LostFail
	Depth  int      `json:"depth"`            // 1: no sub-agent spawns another

	Origin   Origin     `json:"origin"`
	Root     string     `json:"root"`             // absolute path of the workspace it was spawned in
	Project  string     `json:"project,omitzero"` // that its calls work in
	Config   string     `json:"config,omitzero"`  // absolute path of a configuration file that takes precedence
	ReadOnly bool       `json:"readonly,omitzero"`
	Lang     fault.Lang `json:"lang,omitzero"`

	Status  Status    `json:"status"`
	Queued  bool      `json:"queued,omitzero"`  // no worker has it yet
	Attempt int       `json:"attempt,omitzero"` // 1 is the first; grows when a worker dies and it runs again
	Worker  *Worker   `json:"worker,omitzero"`  // who carries it out, or did
	Beat    time.Time `json:"beat,omitzero"`    // when the worker last wrote

	CreatedAt time.Time `json:"created_at"`
	StartedAt time.Time `json:"started_at,omitzero"`
	EndedAt   time.Time `json:"ended_at,omitzero"`

	Iterations int    `json:"iterations"`        // requests to the model so far
	Tokens     int64  `json:"tokens"`            // used so far, in and out
	Calls      int    `json:"calls"`             // calls of tools so far
	Last       string `json:"last,omitzero"`     // what it did last, in a few words
	Approval   string `json:"approval,omitzero"` // id of the request that it waits for
	// Canceling is set once somebody has asked for its end.
	Canceling bool `json:"canceling,omitzero"`

	// How it ended. Result is the sub-agent's answer, cut to MaxResult bytes.
	Reason    Reason `json:"reason,omitzero"`
	Result    string `json:"result,omitzero"`
	Truncated bool   `json:"truncated,omitzero"` // Result is not all: the transcript has it
	Fault     *Fault `json:"error,omitzero"`
}

// MaxResult limits the bytes of a result that are stored with the job, and sent.
const MaxResult = 64 << 10

// Fault is the reason for a job's failure, in English.
type Fault struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	Hint    string     `json:"hint,omitzero"`
}

// Limits are the bounds of a job. Zero stands for the default.
type Limits struct {
	Iterations int   `json:"iterations,omitzero"` // requests to the model; default [DefaultIterations]
	Timeout    int   `json:"timeout,omitzero"`    // seconds from its start; default [DefaultTimeout]
	Tokens     int64 `json:"tokens,omitzero"`     // in and out together; default [DefaultTokens]
	Output     int   `json:"output,omitzero"`     // tokens of one answer of the model; 0 leaves it to the server
	Context    int   `json:"context,omitzero"`    // tokens of the conversation, after which its oldest part is left out; default [DefaultContext]
}

// The defaults of [Limits].
const (
	DefaultIterations = 15
	DefaultTimeout    = 1800
	DefaultTokens     = 2_000_000
	DefaultContext    = 100_000
)

// Origin is who spawned a job: the result is sent there.
type Origin struct {
	Session string `json:"session"`
	Channel string `json:"channel,omitzero"`
	To      string `json:"to,omitzero"`
	Turn    string `json:"turn,omitzero"`
	Run     string `json:"run_id,omitzero"` // of the schedule's job that spawned it
}

// What becomes of a job whose worker has died.
const (
	LostFail  = "fail"  // it is lost
	LostRerun = "rerun" // it goes back to the queue, up to maxAttempts
)

// Worker is a process that carries out a job.
type Worker struct {
	ID      string     `json:"id"` // ULID, of one process
	Host    string     `json:"host"`
	Machine string     `json:"machine,omitzero"` // that the process number is of; see [process.Machine]
	Process process.ID `json:"process"`
	Labels  []string   `json:"labels,omitempty"`
}

// Outcome is the end of a job.
type Outcome struct {
	Status Status // a final one
	Reason Reason
	Result string
	Err    error
}
