package schedule

import "time"

// Status is the state of a run.
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

// Final reports whether a run has ended.
func (s Status) Final() bool { return s != Queued && s != Running }

// failed reports whether a run has ended as it should not.
func (s Status) failed() bool { return s == Failed || s == Timeout || s == Lost }

// Run is one run of a job: that of a slot, or one that a person asked for. It is the
// value of the key cron/runs/JOB/SLOT.
type Run struct {
	Job         string    `json:"job"`
	ScheduledAt time.Time `json:"scheduled_at"`
	StartedAt   time.Time `json:"started_at,omitzero"`
	EndedAt     time.Time `json:"ended_at,omitzero"`
	Status      Status    `json:"status"`
	Attempt     int       `json:"attempt"` // 1 is the first
	Manual      bool      `json:"manual,omitzero"`
	// Slots is more than 1 if slots were skipped or missed one after the other: they
	// have one record, of which ScheduledAt is the first and Until the last.
	Slots     int       `json:"slots,omitzero"`
	Until     time.Time `json:"until,omitzero"`
	Scheduler string    `json:"scheduler,omitzero"` // who runs it
	Host      string    `json:"host,omitzero"`
	PID       int       `json:"pid,omitzero"`
	Error     string    `json:"error,omitzero"`
	Output    string    `json:"output,omitzero"` // what it returned, cut to a few kilobytes
}

// ID returns the id of the run, the same for every runner of the slot: the value of
// HELVE_RUN_ID.
func (r *Run) ID() string { return r.Job + "@" + r.ScheduledAt.UTC().Format(time.RFC3339Nano) }
