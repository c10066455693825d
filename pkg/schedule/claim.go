package schedule

import (
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// maxQueue limits the runs of a job that wait for their turn.
const maxQueue = 100

// claimed is the result of one look at a job.
type claimed struct {
	job Job
	run *Run // to carry out; nil if there is none
	// changed says that the record of the job has changed, so that there may be more to do.
	changed bool
	noted   []Run // of slots that do not run
}

// claim does the next thing that is to be done about a job, in a transaction: it starts
// a run that waits, or deals with the next slot.
func (s *Scheduler) claim(tx store.Tx, id string, now, awake time.Time) (claimed, error) {
	job, found, err := readJob(tx, id)
	if err != nil || !found || job.Problem != nil {
		return claimed{}, err
	}
	c := claimed{job: job}
	j := &c.job
	if todo, _ := j.work(now, awake); !todo {
		return c, nil
	}
	if at, ok := j.ready(now); ok {
		return c, s.beginQueued(tx, &c, at, now)
	}
	if j.ahead(now) {
		// What came since the clock was set has not been seen yet.
		j.State.Cursor, c.changed = later(awake, now.Add(-maxSleep)), true
	}
	step := j.step(now, awake)
	if step.missed.count > 0 {
		if err := c.noteMissed(tx, step.missed, now); err != nil {
			return claimed{}, err
		}
	}
	if !step.slot.IsZero() {
		if err := s.slot(tx, &c, step, now); err != nil {
			return claimed{}, err
		}
	}
	if j.settle() {
		c.changed = true
		if step.missed.count > 0 {
			j.Reason = j.say(fault.T("its last time passed while no scheduler was awake"))
			if err := s.notice(tx, j, &Run{Job: j.ID, ScheduledAt: step.missed.first}); err != nil {
				return claimed{}, err
			}
		}
	}
	if c.changed {
		err = putJob(tx, j)
	}
	return c, err
}

// work reports whether something is to be done about the job now. at is since when, or
// when there will be something unless the job changes; zero is never.
func (j *Job) work(now, awake time.Time) (todo bool, at time.Time) {
	if j.Problem != nil {
		return false, time.Time{}
	}
	if i, ok := j.ready(now); ok {
		w := j.State.Queue[i]
		return true, later(w.At, w.NotBefore)
	}
	if len(j.State.Active) == 0 || j.Overlap == OverlapParallel {
		for _, w := range j.State.Queue {
			at = sooner(at, w.NotBefore)
		}
	}
	if !j.Enabled {
		return false, at
	}
	if j.ahead(now) {
		return true, now
	}
	step := j.step(now, awake)
	switch {
	case step.missed.count > 0:
		return true, step.missed.first
	case step.slot.IsZero():
		idle := *j
		return idle.settle(), sooner(at, step.wake)
	case j.holds(step):
		return false, at
	}
	return true, j.due(step.slot)
}

// holds reports whether a slot that has come waits: for the end of the job, as there
// were enough runs, or for the end of a run, as the job catches up one after the other.
func (j *Job) holds(step step) bool {
	return j.MaxRuns > 0 && j.State.Runs >= j.MaxRuns ||
		step.late && j.Missed == MissedAll && j.Overlap != OverlapParallel && j.busy()
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// sooner returns the earlier of two times, of which zero is never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// ready returns which of the runs that wait may begin.
func (j *Job) ready(now time.Time) (at int, ok bool) {
	if len(j.State.Active) > 0 && j.Overlap != OverlapParallel {
		return 0, false
	}
	behind := false // one that must wait longer
	for i, w := range j.State.Queue {
		if w.NotBefore.After(now) {
			behind = behind || j.Overlap != OverlapParallel
		} else if !behind || w.Manual {
			return i, true
		}
	}
	return 0, false
}

// busy reports whether an earlier run of the job goes on, or is to be tried again.
func (j *Job) busy() bool { return len(j.State.Active)+len(j.State.Queue) > 0 }

// slot deals with a slot that has come.
func (s *Scheduler) slot(tx store.Tx, c *claimed, step step, now time.Time) error {
	j := &c.job
	if j.holds(step) {
		return nil
	}
	c.changed = true
	j.State.Cursor = step.slot
	entry, err := tx.Get(runKey(j.ID, step.slot))
	if err != nil || entry.Revision != 0 {
		return err // it has run before the clock was set back
	}
	run := Run{Job: j.ID, ScheduledAt: step.slot, Attempt: 1}
	switch {
	case j.Overlap == OverlapParallel || !j.busy():
		j.State.Runs++
		return s.begin(tx, c, run, now)
	case j.Overlap == OverlapQueue && len(j.State.Queue) < maxQueue:
		j.State.Runs++
		j.State.Queue = append(slices.Clone(j.State.Queue), Waiting{At: step.slot, Attempt: 1})
		run.Status = Queued
		return putRun(tx, &run)
	default:
		return c.noteSkipped(tx, run, now)
	}
}

// beginQueued begins a run that has waited.
func (s *Scheduler) beginQueued(tx store.Tx, c *claimed, at int, now time.Time) error {
	j := &c.job
	w := j.State.Queue[at]
	j.State.Queue = slices.Delete(slices.Clone(j.State.Queue), at, at+1)
	run, found, err := readRun(tx, j.ID, w.At)
	if err != nil {
		return err
	}
	if !found {
		run = Run{Job: j.ID, ScheduledAt: w.At, Manual: w.Manual}
	}
	run.Attempt, run.Error, run.Output = w.Attempt, "", ""
	return s.begin(tx, c, run, now)
}

// begin makes a run one that this scheduler carries out.
func (s *Scheduler) begin(tx store.Tx, c *claimed, run Run, now time.Time) error {
	run.Status, run.StartedAt, run.EndedAt = Running, now, time.Time{}
	run.Scheduler, run.Host, run.PID = s.self.ID, s.self.Host, s.self.PID
	c.job.State.Active = append(slices.Clone(c.job.State.Active), Active{At: run.ScheduledAt, Scheduler: s.self.ID})
	c.job.State.Skips = nil
	c.run, c.changed = &run, true
	if err := s.register(tx, now); err != nil {
		return err
	}
	if err := putRun(tx, &run); err != nil {
		return err
	}
	return putJob(tx, &c.job)
}

// noteMissed writes one record for slots that passed and do not run.
func (c *claimed) noteMissed(tx store.Tx, m span, now time.Time) error {
	c.job.State.Cursor = m.last
	run := Run{Job: c.job.ID, ScheduledAt: m.first, EndedAt: now, Status: Missed}
	passed := fault.T("no scheduler was awake")
	if m.count > 1 {
		run.Slots, run.Until = m.count, m.last
		passed = fault.T("no scheduler was awake for %d slots", m.count)
	}
	if m.count > maxCounted {
		run.Slots = maxCounted
		passed = fault.T("no scheduler was awake for more than %d slots", maxCounted)
	}
	run.Error = c.job.say(passed)
	entry, err := tx.Get(runKey(run.Job, run.ScheduledAt))
	if err != nil {
		return err
	}
	if entry.Revision != 0 { // it ran before the clock was set back; others of them may not have
		c.changed = true
		return nil
	}
	return c.note(tx, run, now)
}

// noteSkipped writes that a slot was skipped. Slots that are skipped for the same run
// have one record.
func (c *claimed) noteSkipped(tx store.Tx, run Run, now time.Time) error {
	run.Status, run.EndedAt, run.Error = Skipped, now, c.job.say(fault.T("an earlier run was still going on"))
	if s := c.job.State.Skips; s != nil {
		more := Skips{First: s.First, Count: s.Count + 1}
		c.job.State.Skips = &more
		run.ScheduledAt, run.Slots, run.Until = more.First, more.Count, run.ScheduledAt
	} else {
		c.job.State.Skips = &Skips{First: run.ScheduledAt, Count: 1}
	}
	return c.note(tx, run, now)
}

// note writes the record of slots that do not run.
func (c *claimed) note(tx store.Tx, run Run, now time.Time) error {
	c.noted, c.changed = append(c.noted, run), true
	if err := putRun(tx, &run); err != nil {
		return err
	}
	return c.job.prune(tx, now)
}

// settle disables a job that has nothing more to do, and reports whether it did.
func (j *Job) settle() bool {
	if !j.Enabled || j.busy() {
		return false
	}
	var reason fault.Text
	if _, ok := j.next(j.State.Cursor); !ok {
		reason = fault.T("its last time has passed")
		if _, recurs := j.Timing.Next(j.State.Cursor); recurs {
			reason = fault.T("it has expired")
		}
	}
	if j.MaxRuns > 0 && j.State.Runs >= j.MaxRuns {
		reason = fault.T("it has run %d times", j.State.Runs)
	}
	if reason.IsZero() {
		return false
	}
	j.Enabled, j.Reason = false, j.say(reason)
	return true
}
