package host

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/cron"
	"github.com/helve-dev/helve/pkg/tools/exec"
	"github.com/helve-dev/helve/pkg/tools/spawn"
)

// Jobs returns the jobs of the store.
func (h *Host) Jobs() (*schedule.Jobs, error) {
	s, err := h.Store()
	if err != nil {
		return nil, err
	}
	return schedule.NewJobs(s, time.Now), nil
}

// Scheduler returns what runs the jobs of the store. report and trouble are those of
// [schedule.Options].
func (h *Host) Scheduler(report func(schedule.Run), trouble func(error)) (*schedule.Scheduler, error) {
	s, err := h.Store()
	if err != nil {
		return nil, err
	}
	own, err := h.workspaces()
	if err != nil {
		return nil, err
	}
	h.tending.Attend(h.Tend)
	return schedule.NewScheduler(schedule.Options{
		Store: s, Now: time.Now, Runner: h.runJob, Report: report, Trouble: trouble,
		Takes: func(j *schedule.Job) bool { return slices.Contains(own, j.Root) },
	}), nil
}

// workspaces returns the directories that calls may work in, as the settings have it
// now: the workspace and the projects that are there.
func (h *Host) workspaces() ([]string, error) {
	env, s, err := h.Governed()
	if err != nil {
		return nil, err
	}
	home, err := s.home.Root()
	if err != nil {
		return nil, err
	}
	dirs := []string{home.Dir()}
	for _, p := range s.Config.Projects {
		if root, err := env.Enter(p.ID).Root(); err == nil {
			dirs = append(dirs, root.Dir())
		}
	}
	return dirs, nil
}

// runJob is the [schedule.Runner]: it makes the call that an action is, in the workspace
// of the job, as the settings of this moment have it and through the chain of guards.
// Nobody is asked: what the policy asks about runs if a person approved just that when
// the job was added.
func (h *Host) runJob(ctx context.Context, job schedule.Job, action schedule.Action, run schedule.Run) (output string, err error) {
	own, err := h.workspaces()
	if err != nil {
		return "", err
	}
	if !slices.Contains(own, job.Root) { // whoever shares the store gives no directory away
		return "", job.Elsewhere()
	}
	o := h.Options
	o.Root, o.Project, o.Run = job.Root, "", run.ID()
	o.Session, o.Channel, o.Chat = job.Origin.Session, job.Origin.Channel, job.Origin.To
	o.Approval, o.ApprovalFD, o.Wait, o.NoInput, o.Terminal, o.Stream, o.Progress = "", 0, 0, true, nil, nil, nil
	world := New(o)
	world.Dirs = h.Dirs
	defer world.Close()
	if job.Approved != "" {
		world.owner = guard.Owner{Name: cron.Owner(job.Approved), Terms: cron.Terms(&job)}
		if job.When != nil && action.Call == &job.When.Call {
			world.owner.Name = cron.WhenOwner(job.Approved)
		}
	}
	env, catalog, err := world.Env()
	if err != nil {
		return "", err
	}
	t, input, err := actionCall(catalog, action)
	if err != nil {
		return "", err
	}
	done := guard.Run(ctx, env, t, input)
	if done.Err != nil {
		return "", unattended(done.Err)
	}
	switch r := done.Result.(type) {
	case exec.Result:
		return commandOutput(&r)
	case spawn.Result:
		if action.Spawn != "" {
			return r.Output()
		}
	}
	return t.Text(done.Result, screen.View{Lang: h.Lang}), nil
}

// unattended returns the fault of a call that nobody could be asked about, with what to
// do: the record of a run has nothing but the message.
func unattended(e *fault.Error) error {
	switch e.Code {
	case fault.ApprovalRequired, fault.ApprovalStale, fault.Denied:
		return fault.New(e.Code, fault.T("%s; %s", e.Message, e.Hint)).WithHint(e.Hint).WithDetails(e.Details).Because(e)
	}
	return e
}

// commandOutput returns what a command printed, and the fault of one that failed.
func commandOutput(r *exec.Result) (output string, err error) {
	output = strings.TrimRight(r.Output, "\n")
	switch {
	case r.TimedOut:
		err = fault.New(fault.Timeout, fault.T("the command was ended: %s", r.Ended))
	case r.Signal != "":
		err = fault.New(fault.IOError, fault.T("the command was ended by %s", r.Signal))
	case r.ExitCode != 0:
		err = fault.New(fault.IOError, fault.T("exit status %d", r.ExitCode))
	}
	return output, err
}
