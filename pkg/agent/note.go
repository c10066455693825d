package agent

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

const (
	maxLast = 200      // bytes of what a job did last
	maxAsk  = 16 << 10 // bytes of what a person is asked
)

// Note changes what a worker writes of its job while it works: Status, between Working
// and InputRequired, Approval, Iterations, Tokens, Calls, Last, and the Process of the
// worker. What else change does is left out; change may run several times. Note sets
// Beat, and returns the job as it is then: see Canceling. The fault for a job that is not
// the worker's any more is conflict: it must stop.
func (j *Jobs) Note(ctx context.Context, id, worker string, change func(*Job)) (Job, error) {
	return j.note(ctx, id, worker, change, nil)
}

// Ask is Note with a message: a person must decide about a call, with the request for
// approval of this id. The job is [InputRequired] until Note makes it Working.
func (j *Jobs) Ask(ctx context.Context, id, worker, request, what string) (Job, error) {
	if err := store.CheckName(askMessage(id, request)); err != nil {
		return Job{}, err
	}
	ask := func(job *Job) { job.Status, job.Approval = InputRequired, request }
	return j.note(ctx, id, worker, ask, func(tx store.Tx, job *Job) error {
		m := job.message(job.question(request, what))
		m.ID, m.Kind = askMessage(id, request), bus.KindApproval
		_, err := j.bus.Append(tx, m)
		return err
	})
}

// askMessage returns the id of the message that asks a person for a decision.
func askMessage(id, request string) string { return "job:" + id + ":approval:" + request }

// note changes a job, and does more in the same transaction unless more is nil.
func (j *Jobs) note(ctx context.Context, id, worker string, change func(*Job), more func(store.Tx, *Job) error) (noted Job, err error) {
	err = j.store.Update(ctx, func(tx store.Tx) error {
		job, found, err := read(tx, id)
		if err != nil {
			return err
		}
		if !found || !job.isOf(worker) {
			return notYours(id)
		}
		job.take(change)
		job.Beat = j.clock()
		if more != nil {
			if err := more(tx, &job); err != nil {
				return err
			}
		}
		noted = job
		return put(tx, &job)
	})
	if err != nil {
		return Job{}, err
	}
	return noted, nil
}

// isOf reports whether the worker of this ID has the job, and has not ended it.
func (j *Job) isOf(worker string) bool { return j.runs() && j.Worker.ID == worker }

// take changes what a worker may change.
func (j *Job) take(change func(*Job)) {
	copied, self := *j, *j.Worker
	copied.Worker, copied.Labels = &self, slices.Clone(j.Labels)
	change(&copied)
	if !copied.Status.Final() && copied.Status.known() {
		j.Status = copied.Status
	}
	j.Approval = ""
	if j.Status == InputRequired {
		j.Approval = copied.Approval
	}
	j.Iterations, j.Tokens, j.Calls, j.Last = copied.Iterations, copied.Tokens, copied.Calls, begin(plain(copied.Last), maxLast)
	if copied.Worker != nil {
		self.Process = copied.Worker.Process
	}
	self.ID, self.Host, self.Machine, self.Labels = j.Worker.ID, j.Worker.Host, j.Worker.Machine, j.Worker.Labels
	j.Worker = &self
}

func notYours(id string) error {
	return fault.New(fault.Conflict, fault.T("job %s is not this worker's any more", id)).
		WithHint(fault.T("stop: it has ended, or another worker has it"))
}

// plain returns a text in valid UTF-8, without characters that control a terminal.
func plain(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\n' && c != '\t' {
			return -1
		}
		return c
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
