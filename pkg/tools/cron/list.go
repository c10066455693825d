package cron

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// ListArgs are the arguments of cron_list.
type ListArgs struct {
	ID string `json:"id,omitzero" doc:"Only this job, by id or name." alias:"job_id,job,name"`
}

// ListResult is the jobs, the oldest first.
type ListResult struct {
	Jobs      []Job     `json:"jobs"`
	Scheduler Scheduler `json:"scheduler"`
}

// Job is a job as a result shows it.
type Job struct {
	ID       string          `json:"id"`
	Name     string          `json:"name,omitzero"`
	Kind     string          `json:"kind"`     // every, cron or at
	Schedule string          `json:"schedule"` // seconds, an expression or a moment
	Timezone string          `json:"timezone"`
	Action   schedule.Action `json:"action"`
	Enabled  bool            `json:"enabled"`
	Reason   string          `json:"reason,omitzero"` // why it is not enabled, or cannot be used
	NextRuns []string        `json:"next_runs"`       // up to three, as RFC 1123 with the offset
	LastRun  *schedule.Run   `json:"last_run,omitzero"`
}

// List lists the jobs.
var List = tool.New(tool.Def[ListArgs, ListResult]{
	Name: "cron_list", Title: "List scheduled jobs",
	Risk:       policy.Read,
	Idempotent: true,
	DefaultArg: "id",
	Doc:        "List the scheduled jobs.",
	Examples:   []tool.Example{{Doc: "all of them", Args: `{}`}},
	Run:        list,
	Text:       func(r ListResult, v screen.View) string { return r.text(v) },
})

func list(ctx context.Context, call *tool.Call, a ListArgs) (ListResult, error) {
	all, err := jobs(call.Env)
	if err != nil {
		return ListResult{}, err
	}
	kept, err := choose(ctx, all, a.ID)
	if err != nil {
		return ListResult{}, err
	}
	r := ListResult{Jobs: make([]Job, len(kept))}
	for i := range kept {
		r.Jobs[i] = Show(&kept[i], call.Env.Now(), call.Env.Lang)
	}
	if len(kept) == 0 {
		return r, nil
	}
	r.Scheduler, err = scheduler(ctx, call, all)
	return r, err
}

// choose returns all jobs, or the one that is named.
func choose(ctx context.Context, all *schedule.Jobs, ref string) ([]schedule.Job, error) {
	if ref == "" {
		return all.List(ctx)
	}
	one, err := all.Get(ctx, ref)
	return []schedule.Job{one}, err
}

// Show returns a job as a result shows it at a moment.
func Show(j *schedule.Job, now time.Time, lang fault.Lang) Job {
	shown := Job{
		ID: j.ID, Name: j.Name, Kind: string(j.Timing.Kind()), Schedule: scheduleOf(j), Timezone: j.Timing.Zone, Action: j.Action,
		Enabled: j.Enabled, Reason: j.Reason, NextRuns: nextRuns(j, now), LastRun: j.State.Last,
	}
	if j.Problem != nil {
		shown.Kind, shown.Schedule, shown.Reason = "unknown", "", fault.As(j.Problem).Message.In(lang)
	}
	return shown
}

// scheduleOf returns when a job runs, as it was given.
func scheduleOf(j *schedule.Job) string {
	switch {
	case j.Timing.Every > 0:
		return fmt.Sprintf("every %d s", j.Timing.Every)
	case j.Timing.Cron != "":
		return j.Timing.Cron
	}
	return j.Timing.At.In(j.Timing.Location()).Format(time.RFC3339)
}

// What returns what a job does, in one line.
func (j *Job) What() string {
	a := j.Action
	switch {
	case a.Message != "":
		return "message " + a.Message
	case a.Exec != "":
		return "exec " + a.Exec
	case len(a.Argv) > 0:
		return "exec " + strings.Join(a.Argv, " ")
	case a.Spawn != "":
		return "spawn " + a.Spawn
	case a.Call != nil:
		return "call " + a.Call.Name + " " + string(a.Call.Arguments)
	}
	return ""
}

func (r *ListResult) text(v screen.View) string {
	if len(r.Jobs) == 0 {
		return "[" + v.Say(fault.T("no jobs")) + "]\n"
	}
	var b strings.Builder
	for i := range r.Jobs {
		b.WriteString(r.Jobs[i].line(v))
	}
	return b.String()
}

// line shows a job on two lines.
func (j *Job) line(v screen.View) string {
	next := v.Say(fault.T("no run to come"))
	switch {
	case len(j.NextRuns) > 0:
		next = v.Say(fault.T("next %s", j.NextRuns[0]))
	case !j.Enabled && j.Reason != "":
		next = v.Say(fault.T("disabled: %s", j.Reason))
	case !j.Enabled:
		next = v.Say(fault.T("disabled"))
	case j.Reason != "":
		next = j.Reason
	}
	if j.LastRun != nil {
		next += v.Say(fault.T("; last %s", string(j.LastRun.Status)))
	}
	what := j.What()
	if at := strings.IndexByte(what, '\n'); at >= 0 {
		what = what[:at] + " …"
	}
	name := j.ID
	if j.Name != "" {
		name += fmt.Sprintf(" %q", j.Name)
	}
	return fmt.Sprintf("%s  %s %s  %s\n    %s\n", name, j.Schedule, j.Timezone, next, what)
}
