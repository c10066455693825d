package cron

import (
	"cmp"
	"context"
	"crypto/rand"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schedule/timing"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/lasting"
)

// AddResult is the job that was added or changed.
type AddResult struct {
	ID          string    `json:"id"`
	Kind        string    `json:"kind"`              // every, cron or at
	NextRuns    []string  `json:"next_runs"`         // up to three, as RFC 1123 with the offset
	Description string    `json:"description"`       // when, in a sentence
	Timezone    string    `json:"timezone"`          // of the next runs
	Changed     bool      `json:"changed,omitzero"`  // a job that there was
	Existing    bool      `json:"existing,omitzero"` // the same was there already: nothing was added
	Scheduler   Scheduler `json:"scheduler"`
}

// Add adds jobs, and changes them.
var Add = tool.NewJudged(tool.Def[AddArgs, AddResult]{
	Name: "cron_add", Title: "Schedule a job",
	Risk: policy.Destructive, Reads: false,
	Doc: "Schedule one of message, exec, call, for one of every_seconds, cron, at, in. Check the next runs in the result. " +
		"Tell the person if no scheduler runs: jobs need one.",
	OneOf: []string{"message", "exec", "call", "spawn", "job"},
	Examples: []tool.Example{
		{Doc: "a reminder in 20 minutes", Args: `{"message":"Call Ann back","in":"20m"}`},
		{Doc: "a command every workday at nine in Berlin", Args: `{"exec":"go test ./...","cron":"0 9 * * 1-5","timezone":"Europe/Berlin"}`},
	},
	Text: func(r AddResult, v screen.View) string { return r.text(v) },
}, tool.Judged[AddArgs, *plan, AddResult]{Judge: judge, Preview: preview, Run: add})

// preview shows what is added to a person who decides about it.
func preview(_ context.Context, call *tool.Call, p *plan) (string, error) {
	lang := call.Env.Lang
	var b strings.Builder
	b.WriteString(p.job.Timing.Describe().In(lang) + "\n")
	for _, at := range nextRuns(&p.job, call.Env.Now()) {
		b.WriteString("  " + at + "\n")
	}
	b.WriteString(fault.T("in %s, while nobody is asked:", p.job.Root).In(lang) + "\n\n")
	for _, act := range p.acts {
		b.WriteString(act.Tool + "\n" + strings.TrimSuffix(act.Outline, "\n") + "\n")
	}
	if p.job.Action.Message != "" {
		b.WriteString(p.job.Action.Message + "\n")
	}
	return b.String(), nil
}

func add(ctx context.Context, call *tool.Call, p *plan) (AddResult, error) {
	all, err := jobs(call.Env)
	if err != nil {
		return AddResult{}, err
	}
	for _, note := range p.notes {
		call.Warn(note)
	}
	r := AddResult{Changed: p.before != nil}
	job, err := p.keep(ctx, call, all, &r)
	if err != nil {
		return AddResult{}, err
	}
	lasting.Warn(call)
	now := call.Env.Now()
	r.ID, r.Kind, r.NextRuns = job.ID, string(job.Timing.Kind()), nextRuns(&job, now)
	r.Description, r.Timezone = job.Timing.Describe().In(call.Env.Lang), job.Timing.Zone
	if job.Origin.Channel == "" {
		call.WarnDone(fault.T("this call has no channel and chat: what the job sends goes to the channel system, to the session %s", cmp.Or(job.Origin.Session, "default")))
	}
	r.Scheduler, err = scheduler(ctx, call, all)
	return r, err
}

// keep writes the job, after the approval that it has.
func (p *plan) keep(ctx context.Context, call *tool.Call, all *schedule.Jobs, r *AddResult) (schedule.Job, error) {
	before := ""
	if p.before != nil {
		before = p.before.Approved
	}
	if p.asks {
		key, err := p.approve(ctx, call)
		if err != nil {
			return schedule.Job{}, err
		}
		p.job.Approved = key
	}
	var job schedule.Job
	var err error
	if p.before == nil {
		job, r.Existing, err = all.Add(ctx, p.job)
	} else {
		job, err = all.Update(ctx, p.before.ID, func(j *schedule.Job) error {
			state, enabled, reason := j.State, j.Enabled, j.Reason
			*j = p.job
			j.State, j.Enabled, j.Reason = state, enabled, reason
			return nil
		})
	}
	if stale := p.stale(job.Approved, before); p.asks || err != nil {
		for _, key := range stale {
			if failed := revoke(call.Env, key); failed != nil {
				call.Warn(fault.T("an approval that nothing needs any more was not removed: %s", fault.As(failed).Message))
			}
		}
	}
	return job, err
}

// stale returns the keys of approvals that the job does not have, once it is kept.
func (p *plan) stale(kept, before string) (keys []string) {
	for _, key := range []string{p.job.Approved, before} {
		if key != "" && key != kept && (p.before == nil || key != before || kept != "") {
			keys = append(keys, key)
		}
	}
	return keys
}

// approve keeps the decision of a person who was asked about this call for the runs of
// the job, and returns the key of that approval; "" if nobody was asked.
func (p *plan) approve(ctx context.Context, call *tool.Call) (key string, err error) {
	if call.Decision == nil || call.Decision.Approval == "" {
		return "", nil
	}
	dir, err := call.Env.State()
	if err != nil {
		return "", err
	}
	store := approval.NewStore(dir)
	key = rand.Text()
	for _, act := range p.acts {
		if err := store.Stand(ctx, act.owner(key), act.Call(Terms(&p.job)), call.Decision.Approval, call.Decision.By); err != nil {
			return "", err
		}
	}
	return key, nil
}

// revoke removes the approval of a job.
func revoke(env *tool.Env, key string) error {
	if key == "" {
		return nil
	}
	dir, err := env.State()
	if err != nil {
		return err
	}
	store := approval.NewStore(dir)
	if err := store.Revoke(Owner(key)); err != nil {
		return err
	}
	return store.Revoke(WhenOwner(key))
}

func (r *AddResult) text(v screen.View) string {
	var b strings.Builder
	what := fault.T("added %s: %s", r.ID, r.Description)
	switch {
	case r.Existing:
		what = fault.T("%s does that already: %s", r.ID, r.Description)
	case r.Changed:
		what = fault.T("changed %s: %s", r.ID, r.Description)
	}
	b.WriteString(v.Say(what))
	if r.Kind == string(timing.Every) { // the others' description says the zone
		b.WriteString(" (" + r.Timezone + ")")
	}
	b.WriteString("\n")
	for _, at := range r.NextRuns {
		b.WriteString("  " + at + "\n")
	}
	if r.Scheduler.Running {
		b.WriteString(v.Say(fault.T("a scheduler is running (process %d on %s)", r.Scheduler.PID, r.Scheduler.Host)) + "\n")
	}
	return b.String()
}
