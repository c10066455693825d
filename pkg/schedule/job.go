// Package schedule keeps jobs and runs each at its times: every slot once, whichever
// processes are awake, through a store that they share. What a job does is carried out
// by whoever starts the scheduler; this package only says when, and keeps the record.
package schedule

import (
	"encoding/json"
	"time"
)

// Action is what a job does: exactly one of these.
type Action struct {
	Message string   `json:"message,omitzero"` // text to send
	Exec    string   `json:"exec,omitzero"`    // command of a shell
	Argv    []string `json:"argv,omitzero"`    // program with its arguments
	Call    *Call    `json:"call,omitzero"`    // of any tool
}

// Call is the call of a tool.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitzero"` // an object
}

// Origin is the conversation in which a job was added, and to which its results go.
type Origin struct {
	Session string `json:"session"`
	Channel string `json:"channel,omitzero"`
	To      string `json:"to,omitzero"`
}

// What becomes of slots that passed while no scheduler was awake.
const (
	MissedSkip = "skip" // they are noted and left out
	MissedOnce = "once" // the latest of them runs
	MissedAll  = "all"  // each runs, oldest first, at most a hundred
)

// What becomes of a slot that comes while an earlier run of the job goes on.
const (
	OverlapSkip     = "skip"
	OverlapQueue    = "queue" // it runs after the other one
	OverlapParallel = "parallel"
)

// When the output of a run is sent to the conversation of the job.
const (
	DeliverAlways   = "always"
	DeliverOutput   = "on_output" // there is some
	DeliverChange   = "on_change" // it differs from that of the run before
	DeliverFailures = "on_error"
	DeliverNever    = "never"
)

// What becomes of a run whose process was lost.
const (
	LostFail  = "fail"
	LostRerun = "rerun"
)

// Status says how far a run has come.
type Status string

// The states of a run. All but the first two are final.
const (
	Queued  Status = "queued"
	Running Status = "running"
	OK      Status = "ok"
	Failed  Status = "error"
	Timeout Status = "timeout"
	Skipped Status = "skipped" // an earlier run was still going on, or its condition did not hold
	Missed  Status = "missed"  // no scheduler was awake in time
	Lost    Status = "lost"    // the process that ran it has died
)

// Run is one run of a job: that of a slot, or one that a person asked for.
type Run struct {
	Job         string    `json:"job"`
	ScheduledAt time.Time `json:"scheduled_at"`
	StartedAt   time.Time `json:"started_at,omitzero"`
	EndedAt     time.Time `json:"ended_at,omitzero"`
	Status      Status    `json:"status"`
	Attempt     int       `json:"attempt"` // 1 is the first
	Host        string    `json:"host,omitzero"`
	PID         int       `json:"pid,omitzero"`
	Error       string    `json:"error,omitzero"`
	Output      string    `json:"output,omitzero"` // what it returned, cut to a few kilobytes
}

// ID returns the id of the run, which is the same whoever runs the slot. It is what
// HELVE_RUN_ID says.
func (r *Run) ID() string { return r.Job + "@" + r.ScheduledAt.UTC().Format(time.RFC3339Nano) }
