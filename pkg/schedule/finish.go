package schedule

import (
	"cmp"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

const (
	maxOutput  = 4 << 10  // bytes of output in the record of a run
	maxContent = 64 << 10 // in a message
	maxBackoff = time.Hour
	lostReruns = 2 // of a run whose processes die, unless it may be retried more often
)

// outcome is the end of an attempt.
type outcome struct {
	status Status
	output string
	error  string
	seen   string // hash of what the condition returned; "" if it did not hold
	again  bool   // the attempt was not the job's fault: it may run again by OnLost
}

// end writes the end of an attempt, with all that follows from it, and returns the run
// as it is then. It does nothing if the run is not this scheduler's any more: mine is
// false.
func (s *Scheduler) end(tx store.Tx, run Run, o outcome, now time.Time) (ended Run, mine bool, err error) {
	kept, found, err := readRun(tx, run.Job, run.ScheduledAt)
	if err != nil || !found || kept.Status != Running || kept.Scheduler != s.self.ID || kept.Attempt != run.Attempt {
		return Run{}, false, err
	}
	job, found, err := readJob(tx, run.Job)
	if err != nil {
		return Run{}, false, err
	}
	if !found || job.Problem != nil { // removed meanwhile
		kept.Status, kept.EndedAt, kept.Error, kept.Output = o.status, now, o.error, job.cut(o.output, maxOutput)
		return kept, true, putRun(tx, &kept)
	}
	if err := s.conclude(tx, &job, &kept, o, now); err != nil {
		return Run{}, false, err
	}
	return kept, true, nil
}

// conclude writes the end of an attempt of a job's run.
func (s *Scheduler) conclude(tx store.Tx, j *Job, run *Run, o outcome, now time.Time) error {
	j.release(run)
	run.EndedAt, run.Output, run.Error = now, j.cut(o.output, maxOutput), o.error
	if w, ok := j.again(run, o, now); ok {
		j.State.Queue = append([]Waiting{w}, j.State.Queue...)
		run.Status = Queued
		if err := putRun(tx, run); err != nil {
			return err
		}
		return putJob(tx, j)
	}
	run.Status = o.status
	if o.seen != "" {
		j.State.Seen = o.seen
	}
	if err := s.deliver(tx, j, run, o); err != nil {
		return err
	}
	last := *run
	last.Output = ""
	j.State.Last = &last
	switch {
	case run.Status == OK:
		j.State.Failures = 0
	case run.Status == Skipped && !run.Manual: // by its condition: that is no run
		j.State.Runs = max(0, j.State.Runs-1)
	case run.Status.failed() && !run.Manual:
		j.State.Failures++
	}
	if err := putRun(tx, run); err != nil {
		return err
	}
	if err := j.prune(tx, now); err != nil {
		return err
	}
	return s.retire(tx, j, run, now)
}

// again returns the run as it waits for another attempt.
func (j *Job) again(run *Run, o outcome, now time.Time) (Waiting, bool) {
	w := Waiting{At: run.ScheduledAt, Attempt: run.Attempt + 1, Manual: run.Manual}
	if o.again {
		return w, j.OnLost == LostRerun && run.Attempt <= max(lostReruns, j.Retries)
	}
	if !o.status.failed() || run.Attempt > j.Retries || !j.Enabled && !run.Manual {
		return w, false
	}
	wait := time.Duration(j.Backoff) * time.Second
	for range run.Attempt - 1 {
		wait = min(2*wait, max(maxBackoff, time.Duration(j.Backoff)*time.Second))
	}
	w.NotBefore = now.Add(wait)
	return w, true
}

// retire removes a job that has done its only run, disables one that has failed too
// often or has nothing more to do, and writes it.
func (s *Scheduler) retire(tx store.Tx, j *Job, run *Run, now time.Time) error {
	if _, more := j.Timing.Next(j.State.Cursor); !more && !run.Manual && !j.busy() {
		if !run.Status.failed() {
			return remove(tx, j, now)
		}
		j.Enabled, j.Reason = false, j.say(fault.T("its run has failed: %s", cmp.Or(run.Error, string(run.Status))))
		return putJob(tx, j)
	}
	if j.Enabled && !run.Manual && j.MaxFailures > 0 && j.State.Failures >= j.MaxFailures {
		j.Enabled, j.Reason = false, j.say(fault.T("it has failed %d times in a row: %s", j.State.Failures, cmp.Or(run.Error, string(run.Status))))
		if err := j.drop(tx, now); err != nil {
			return err
		}
		if err := s.notice(tx, j, run); err != nil {
			return err
		}
		return putJob(tx, j)
	}
	j.settle()
	return putJob(tx, j)
}

// lose ends the runs of a job whose processes have died, or whose end this one could not
// write, and returns those that it has ended.
func (s *Scheduler) lose(tx store.Tx, id string, now time.Time) ([]Run, error) {
	job, found, err := readJob(tx, id)
	if err != nil || !found || job.Problem != nil {
		return nil, err
	}
	var lost []Run
	for _, a := range slices.Clone(job.State.Active) {
		dead, err := s.dead(tx, a.Scheduler)
		if err != nil {
			return nil, err
		}
		mine := s.orphaned(id, a)
		if !dead && !mine {
			continue
		}
		run, found, err := readRun(tx, id, a.At)
		if err != nil {
			return nil, err
		}
		if !found {
			run = Run{Job: id, ScheduledAt: a.At, Attempt: 1}
		}
		o := outcome{status: Lost, error: job.say(fault.T("process %d on %s, which ran it, has died", run.PID, run.Host)), again: true}
		if mine {
			o.error = job.say(fault.T("its end could not be written"))
		}
		if mine && found && run.Status.Final() { // somebody has said how it ended
			job.release(&run)
			if err := putJob(tx, &job); err != nil {
				return nil, err
			}
			continue
		}
		if mine && s.doubt[run.ID()] == run.Attempt {
			if err := job.wait(tx, &run); err != nil {
				return nil, err
			}
			continue
		}
		if err := s.conclude(tx, &job, &run, o, now); err != nil {
			return nil, err
		}
		lost = append(lost, run)
	}
	return lost, nil
}

// orphaned reports whether a run is this scheduler's, which does not carry it out: the
// store did not say that its claim was written, or did not take its end.
func (s *Scheduler) orphaned(job string, a Active) bool {
	run := Run{Job: job, ScheduledAt: a.At}
	s.mu.Lock()
	defer s.mu.Unlock()
	return a.Scheduler == s.self.ID && s.running[run.ID()] == nil
}

// release removes a run from the active ones.
func (j *Job) release(run *Run) {
	j.State.Active = slices.DeleteFunc(slices.Clone(j.State.Active), func(a Active) bool { return a.At.Equal(run.ScheduledAt) })
}

// wait makes an attempt that was claimed, and has not begun, one that waits for its turn.
func (j *Job) wait(tx store.Tx, run *Run) error {
	j.release(run)
	j.State.Queue = append([]Waiting{{At: run.ScheduledAt, Attempt: run.Attempt, Manual: run.Manual}}, j.State.Queue...)
	run.Status = Queued
	if err := putRun(tx, run); err != nil {
		return err
	}
	return putJob(tx, j)
}
