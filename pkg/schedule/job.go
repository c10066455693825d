package schedule

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule/timing"
)

// Job is a job with its times and its progress. It is the value of the key cron/jobs/ID.
// Zero values stand for the defaults.
type Job struct {
	ID     string      `json:"id"` // from the name, such as standup-k3f9
	Name   string      `json:"name,omitzero"`
	Timing timing.Spec `json:"timing"`
	Action Action      `json:"action"`
	When   *When       `json:"when,omitzero"`
	Origin Origin      `json:"origin"`
	Root   string      `json:"root,omitzero"` // absolute path of the workspace in which it was added

	// Lang is the language of what runs of the job send and record.
	Lang fault.Lang `json:"lang,omitzero"`

	Missed      string    `json:"missed,omitzero"`        // default once
	Grace       *int      `json:"grace_seconds,omitzero"` // how late a missed slot may run; default: an hour under once, else no limit
	Overlap     string    `json:"overlap,omitzero"`       // default skip
	Timeout     int       `json:"timeout_seconds,omitzero"`
	Retries     int       `json:"retries,omitzero"`         // runs again after a failure, at most so often
	Backoff     int       `json:"backoff_seconds,omitzero"` // before the first retry, then twice that, and so on
	Jitter      int       `json:"jitter_seconds,omitzero"`  // a run begins up to so much after its slot, always the same for a slot
	MaxRuns     int       `json:"max_runs,omitzero"`
	MaxFailures int       `json:"max_failures,omitzero"` // in a row, then the job is disabled; -1 is never
	ExpiresAt   time.Time `json:"expires_at,omitzero"`
	Deliver     string    `json:"deliver,omitzero"` // default always for a message, else on_output
	OnLost      string    `json:"on_lost,omitzero"` // default rerun for a message, else fail
	// Approved is a person's approval in the caller's form: this package keeps it while
	// the action stays the same.
	Approved string `json:"approved,omitzero"`

	// Added is the hash of the job as it was added, until the job is changed.
	Added string `json:"added,omitzero"`

	Enabled   bool      `json:"enabled"`
	Reason    string    `json:"reason,omitzero"` // why it is not enabled
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at,omitzero"`
	State     State     `json:"state"`

	// Problem is why the record cannot be used: a newer helve has written it, or it is
	// damaged. Such a job is listed, and does not run.
	Problem error `json:"-"`
}

// State is the progress of a job, written by schedulers.
type State struct {
	Cursor   time.Time `json:"cursor"`          // every slot up to here has been dealt with
	Active   []Active  `json:"active,omitzero"` // runs that go on
	Queue    []Waiting `json:"queue,omitzero"`
	Runs     int       `json:"runs,omitzero"`     // slots that have run or are running
	Skips    *Skips    `json:"skips,omitzero"`    // during the run that goes on
	Failures int       `json:"failures,omitzero"` // in a row
	Ended    int       `json:"ended,omitzero"`    // runs in the history since it was pruned
	Output   string    `json:"output,omitzero"`   // hash of what the last run returned
	Seen     string    `json:"seen,omitzero"`     // hash of what the condition last returned
	Last     *Run      `json:"last,omitzero"`     // that ended
}

// Skips are slots that were skipped one after the other.
type Skips struct {
	First time.Time `json:"first"`
	Count int       `json:"count"`
}

// Active is a run that goes on.
type Active struct {
	At        time.Time `json:"at"` // its slot
	Scheduler string    `json:"scheduler"`
}

// Action is the work of a job: exactly one of these.
type Action struct {
	Message string   `json:"message,omitzero"` // text to send
	Exec    string   `json:"exec,omitzero"`    // command of a shell
	Argv    []string `json:"argv,omitzero"`    // program with its arguments
	Call    *Call    `json:"call,omitzero"`    // of any tool
	Spawn   string   `json:"spawn,omitzero"`   // task for a sub-agent
}

// Call is the call of a tool.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitzero"` // an object
}

// When is the condition of a job: its runs do nothing unless a call succeeds and
// returns something.
type When struct {
	Call    Call `json:"call"`
	Changed bool `json:"changed,omitzero"` // it must return something else than the last time
}

// Origin is the conversation in which a job was added, and to which its results go.
type Origin struct {
	Session string `json:"session"`
	Channel string `json:"channel,omitzero"`
	To      string `json:"to,omitzero"`
}

// What becomes of slots that passed while no scheduler was awake. Whatever it says, the
// latest of them runs if it is only a little late, as it is for one who calls
// [Scheduler.Tick] every minute.
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

// When the output of a run is sent to the conversation of the job. A failure is output,
// too.
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

// Waiting is a run that is to begin.
type Waiting struct {
	At        time.Time `json:"at"` // its slot
	Attempt   int       `json:"attempt"`
	NotBefore time.Time `json:"not_before,omitzero"`
	Manual    bool      `json:"manual,omitzero"`
}

// say returns a text in the language of the job.
func (j *Job) say(t fault.Text) string { return t.In(j.Lang) }

// withDefaults returns the job with every choice made.
func (j Job) withDefaults() Job {
	message := j.Action.Message != ""
	j.Missed = cmp.Or(j.Missed, MissedOnce)
	j.Overlap = cmp.Or(j.Overlap, OverlapSkip)
	if j.Deliver == "" {
		j.Deliver = DeliverOutput
		if message {
			j.Deliver = DeliverAlways
		}
	}
	if j.OnLost == "" {
		j.OnLost = LostFail
		if message {
			j.OnLost = LostRerun
		}
	}
	j.Timeout = cmp.Or(j.Timeout, defaultTimeout)
	j.Backoff = cmp.Or(j.Backoff, defaultBackoff)
	j.MaxFailures = cmp.Or(j.MaxFailures, defaultFailures)
	return j
}
