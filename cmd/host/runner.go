package host

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/state"
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
	serves, err := h.serves()
	if err != nil {
		return nil, err
	}
	h.tending.Attend(h.Tend)
	return schedule.NewScheduler(schedule.Options{
		Store: s, Now: time.Now, Runner: h.runJob, Report: report, Trouble: trouble,
		Takes: func(j *schedule.Job) bool { return serves(j.Root) },
	}), nil
}

// serves returns a function that reports whether the jobs of a workspace are carried out
// here. Whoever shares the store gives no directory away.
func (h *Host) serves() (func(root string) bool, error) {
	own, err := h.workspaces()
	return func(root string) bool {
		return slices.Contains(own, root) || h.Everywhere && state.Knows(h.Dirs.State, root)
	}, err
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
	serves, err := h.serves()
	if err != nil {
		return "", err
	}
	if !serves(job.Root) {
		return "", job.Elsewhere()
	}
	world := h.at(job.Root)
	world.Run, world.Lang = run.ID(), cmp.Or(job.Lang, h.Lang)
	world.Session, world.Channel, world.Chat = job.Origin.Session, job.Origin.Channel, job.Origin.To
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
	return catalog.RunAction(ctx, env, action, world.Lang)
}
