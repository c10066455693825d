package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

const (
	maxAttempts = 3       // of a job whose workers die
	maxMessage  = 4 << 10 // bytes of a fault's message, and of its hint
)

// Finish writes the end of a job and, in the same transaction, sends a message of kind
// result on the channel system to the session that spawned the job, with the id
// [FinalMessage]. worker identifies the caller. If the job has ended already, or belongs
// to another worker, nothing is written and mine is false.
//
// Of a job that a run of the schedule spawned, the run tells.
//
// A job that is Lost, because its worker has died, goes back to the queue by its OnLost,
// without a message, or is Canceled if somebody has asked for that.
func (j *Jobs) Finish(ctx context.Context, id, worker string, o Outcome) (ended Job, mine bool, err error) {
	err = j.store.Update(ctx, func(tx store.Tx) error {
		ended, mine = Job{}, false
		job, err := need(tx, id)
		if err != nil {
			return err
		}
		if job.isOf(worker) {
			mine = true
			err = j.end(tx, &job, o)
		}
		ended = job
		return err
	})
	if err != nil {
		return Job{}, false, err
	}
	return ended, mine, nil
}

// end writes the end of a job that has none, and all that follows from it. It is the only
// one to make a job final.
func (j *Jobs) end(tx store.Tx, job *Job, o Outcome) error {
	if err := job.leave(tx); err != nil {
		return err
	}
	if o.Status == Lost && job.Canceling {
		o.Status = Canceled
	}
	job.Approval = ""
	if o.Status == Lost && job.reruns() {
		return job.requeue(tx)
	}
	job.conclude(o)
	job.EndedAt = j.clock()
	if job.Result != "" {
		if err := tx.Put(resultKeys+job.ID, []byte(job.Result)); err != nil {
			return err
		}
	}
	if job.Origin.Run == "" { // else the run says it, once, where its job was asked to
		m := job.message(job.report())
		m.ID, m.Kind = FinalMessage(job.ID), bus.KindResult
		if _, err := j.bus.Append(tx, m); err != nil {
			return err
		}
	}
	return put(tx, job)
}

// reruns reports whether a job whose worker has died goes back to the queue.
func (j *Job) reruns() bool { return j.OnLost == LostRerun && j.Attempt < maxAttempts }

// requeue puts a job back where it was before a worker had it.
func (j *Job) requeue(tx store.Tx) error {
	j.Status, j.Queued, j.Worker = Working, true, nil
	j.Iterations, j.Tokens, j.Calls = 0, 0, 0
	j.Last = fmt.Sprintf("worker %d of %d has died", j.Attempt, maxAttempts)
	if err := tx.Put(j.queueKey(), nil); err != nil {
		return err
	}
	return put(tx, j)
}

// conclude sets how a job ended. What does not say that it is a success is none.
func (j *Job) conclude(o Outcome) {
	switch {
	case !o.Status.known() || !o.Status.Final():
		if o.Err == nil {
			o.Err = fault.New(fault.Internal, fault.T("whoever carried the job out did not say how it ended"))
		}
		o.Status = Failed
	case o.Status == Completed && o.Err != nil:
		o.Status = Failed
	case o.Status == Completed:
		o.Reason = ""
	}
	if o.Status == Failed && o.Err == nil {
		o.Err = fault.New(fault.Internal, fault.T("whoever carried the job out did not say why it failed"))
	}
	j.Status, j.Queued, j.Reason = o.Status, false, o.Reason
	result := strings.TrimSpace(bus.WithoutThinking(strings.ToValidUTF8(o.Result, "\uFFFD")))
	j.Result = begin(result, MaxResult)
	j.Truncated = len(j.Result) < len(result)
	j.Fault = faultOf(o.Err)
}

// faultOf returns an error as it is kept; nil for none.
func faultOf(err error) *Fault {
	if err == nil {
		return nil
	}
	e := fault.As(err)
	return &Fault{
		Code: e.Code, Message: begin(plain(e.Message.In(fault.English)), maxMessage), Hint: begin(plain(e.Hint.In(fault.English)), maxMessage),
	}
}
