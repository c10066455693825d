package host

import (
	"context"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools/cron"
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
	return catalog.RunAction(ctx, env, action, h.Lang)
}
