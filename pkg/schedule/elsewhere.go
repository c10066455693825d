package schedule

import "github.com/helve-dev/helve/pkg/fault"

// takes reports whether this scheduler may carry out a job.
func (s *Scheduler) takes(j *Job) bool {
	return s.opt.Takes == nil || j.Action.Message != "" && j.When == nil || s.opt.Takes(j)
}

// Elsewhere is the fault of a job that belongs to another workspace.
func (j *Job) Elsewhere() error {
	return fault.New(fault.OutsideWorkspace, fault.T("job %s belongs to %s, which is neither this workspace nor one of its projects", j.ID, j.Root)).
		WithHint(fault.T("run it there: helve --root %s cron run-now %s", j.Root, j.ID))
}
