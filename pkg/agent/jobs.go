package agent

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Jobs are the jobs of a store. Its methods may be called from several goroutines.
type Jobs struct {
	store store.Store
	bus   *bus.Bus
	now   func() time.Time
}

// NewJobs returns the jobs of a store, whose ends are told on a bus over the same store.
func NewJobs(s store.Store, b *bus.Bus, now func() time.Time) *Jobs { return &Jobs{s, b, now} }

// FinalMessage returns the id of the message that tells how a job ended.
func FinalMessage(id string) string { return "job:" + id + ":final" }

// Add puts a job in the queue: it gives it an ID, and CreatedAt. A session that has the
// same task with a job that has not ended gets that one: existing is true. The faults
// are invalid_arguments and those of the store.
func (j *Jobs) Add(ctx context.Context, job Job) (added Job, existing bool, err error) {
	return Job{}, false, notYet()
}

// Get returns a job, by its ID or by a beginning of it that no other one has. The fault
// is not_found, with the IDs that are similar.
func (j *Jobs) Get(ctx context.Context, id string) (Job, error) { return Job{}, notYet() }

// List returns the jobs that are kept, newest first.
func (j *Jobs) List(ctx context.Context) ([]Job, error) { return nil, notYet() }

// Claim gives a worker the oldest job of the queue that takes accepts, or nil. It gives
// none while limit jobs or more run on the worker's machine, and none whose Labels the
// worker does not all have.
func (j *Jobs) Claim(ctx context.Context, w Worker, limit int, takes func(*Job) bool) (*Job, error) {
	return nil, notYet()
}

// Running returns how many jobs run on a machine, and how many are in the queue.
func (j *Jobs) Running(ctx context.Context, machine string) (running, queued int, err error) {
	return 0, 0, notYet()
}

// Note changes what a worker writes of its job while it works, such as the number of
// iterations, and its Beat. It returns the job as it is then: see Canceling. The fault
// for a job that is not the worker's any more is conflict: it must stop.
func (j *Jobs) Note(ctx context.Context, id, worker string, change func(*Job)) (Job, error) {
	return Job{}, notYet()
}

// Ask is Note with a message: a person must decide about a call, with the request for
// approval of this id. The job is [InputRequired] until Note makes it Working.
func (j *Jobs) Ask(ctx context.Context, id, worker, request, what string) (Job, error) {
	return Job{}, notYet()
}

// Finish writes the end of a job and sends the message that tells of it, in one
// transaction: a message of the kind result on the channel system, to the session that
// spawned the job, with the id [FinalMessage]. worker is who ends it. If the job has
// ended before, or another worker has it, nothing is written: mine is false, and the job
// is as it is.
func (j *Jobs) Finish(ctx context.Context, id, worker string, o Outcome) (ended Job, mine bool, err error) {
	return Job{}, false, notYet()
}

// Cancel ends a job of the queue at once, and asks the worker of another one to end it.
// A job that has ended is returned as it is.
func (j *Jobs) Cancel(ctx context.Context, id string) (Job, error) { return Job{}, notYet() }

// Wait returns a job when it has ended or, with input, needs a decision. When ctx is done it returns the
// job as it is, without an error.
func (j *Jobs) Wait(ctx context.Context, id string, input bool) (Job, error) { return Job{}, notYet() }

// Reap ends the jobs whose workers have died: as lost, or by their OnLost back into the
// queue. It returns them as they are then. Those of other machines count as dead when
// they have not written for a time.
func (j *Jobs) Reap(ctx context.Context) ([]Job, error) { return nil, notYet() }

// Collect forgets jobs that ended longer ago than age, and returns them.
func (j *Jobs) Collect(ctx context.Context, age time.Duration) ([]Job, error) { return nil, notYet() }

func notYet() error { return fault.New(fault.Unsupported, fault.T("not yet", "尚未实现")) }
