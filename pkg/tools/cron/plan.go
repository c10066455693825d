package cron

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schedule/zone"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// plan is the effect of a call of cron_add.
type plan struct {
	job    schedule.Job
	before *schedule.Job // that it changes; nil for a new one
	acts   []act
	notes  []fault.Text // on times that a change of the clock moves
	asks   bool         // what it does is decided about anew
	// relative says that its time is relative to the moment it is added.
	relative bool
}

// act is a call that a job makes, with the owner of its approval.
type act struct {
	*Plan
	owner func(key string) string
}

// ruled reports whether rules of the person decide about all of the call, so that nobody
// need be asked about it for standing.
func (a act) ruled(p *policy.Policy) bool {
	return p != nil && !slices.ContainsFunc(a.Requests, func(q policy.Request) bool { return p.Decide(q).Rule == nil })
}

// Owner returns the name by which an approval knows the action of a job, and WhenOwner
// that of its condition. key is [schedule.Job.Approved].
func Owner(key string) string { return "cron:" + key }

// WhenOwner is [Owner] for the condition.
func WhenOwner(key string) string { return "cron:" + key + ":when" }

// Terms returns what the approval of a job is bound to beside its action: its times,
// but not the moment at which it was added.
func Terms(j *schedule.Job) string {
	times := j.Timing
	times.Anchor = time.Time{}
	text, err := json.Marshal(times)
	if err != nil {
		return "unknown: " + err.Error() // which no approval has
	}
	return string(text)
}

// judge returns what a call of cron_add may do: what the job does, and when.
func judge(ctx context.Context, call *tool.Call, a AddArgs) (*tool.Judgement, *plan, error) {
	all, err := jobs(call.Env)
	if err != nil {
		return nil, nil, err
	}
	if err := agent.Outside(ctx, call.Home, true, fault.T("schedule jobs")); err != nil {
		return nil, nil, err
	}
	if err := outsideOfRuns(ctx, call.Env, all); err != nil {
		return nil, nil, err
	}
	p, err := prepare(ctx, call, all, a)
	if err != nil {
		return nil, nil, err
	}
	j := &tool.Judgement{Risk: policy.Write, Flags: []string{}}
	planner, err := tool.Service[Planner](call.Env)
	if err != nil {
		return nil, nil, err
	}
	if p.job.Action.Message != "" {
		j.Further = append(j.Further, policy.Request{Tool: "message", Risk: policy.Write})
	} else if err := p.add(ctx, call, planner, p.job.Action, Owner); err != nil {
		return nil, nil, err
	}
	if p.job.When != nil {
		if err := p.add(ctx, call, planner, schedule.Action{Call: &p.job.When.Call}, WhenOwner); err != nil {
			return nil, nil, err
		}
	}
	if !p.asks {
		return j, p, nil
	}
	for _, act := range p.acts {
		if act.Tool == "exec" && !act.ruled(call.Env.Policy) {
			j.Further = append(j.Further, policy.Request{Tool: call.Tool.Name, Project: call.Project(), Risk: j.Risk, Standing: true})
		}
		j.Flags, j.Reasons = append(j.Flags, act.Flags...), append(j.Reasons, act.Reasons...)
		j.Further = append(j.Further, act.Requests...)
		if len(p.acts) == 1 {
			j.Rule = act.Rule
		}
	}
	j.Pin = p.pin
	return j, p, nil
}

// add plans one call that the job makes.
func (p *plan) add(ctx context.Context, call *tool.Call, planner Planner, a schedule.Action, owner func(string) string) error {
	one, err := planner(ctx, call, a)
	if err == nil {
		p.acts = append(p.acts, act{one, owner})
	}
	return err
}

// pin binds a decision to what the job will run, and to its times.
func (p *plan) pin(context.Context) (programs string, files []approval.Target, err error) {
	asked := p.job
	if p.relative { // the arguments say how long, and that counts from the moment it is allowed
		asked.Timing.At = time.Time{}
	}
	var all []string
	for _, act := range p.acts {
		b := act.Call(Terms(&asked)).Binding
		all, files = append(all, b.Program), append(files, b.Targets...)
	}
	return strings.Join(all, "\n"), files, nil
}

// prepare returns the job as the arguments say it.
func prepare(ctx context.Context, call *tool.Call, all *schedule.Jobs, a AddArgs) (*plan, error) {
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	p := &plan{asks: true, job: schedule.Job{
		Enabled: true,
		Lang:    call.Env.Lang,
		Root:    root.Dir(), Origin: schedule.Origin{Session: call.Env.Session, Channel: call.Env.Channel, To: call.Env.Chat},
	}}
	if a.Job != "" {
		before, err := all.Get(ctx, a.Job)
		switch {
		case err != nil:
			return nil, err
		case before.Problem != nil:
			return nil, before.Problem
		}
		p.before, p.job = &before, before
	}
	if err := a.check(p.before != nil); err != nil {
		return nil, err
	}
	if len(a.actions()) > 0 {
		if p.job.Action, err = a.action(); err != nil {
			return nil, err
		}
		p.job.Root, p.job.Lang = root.Dir(), call.Env.Lang
	}
	if len(a.times()) > 0 || a.Timezone != "" {
		if err := p.setTiming(call, &a); err != nil {
			return nil, err
		}
		p.relative = a.In != ""
	}
	if a.Expires != "" {
		if err := a.setExpiry(&p.job, call.Env.Now()); err != nil {
			return nil, err
		}
	}
	if err := a.apply(&p.job); err != nil {
		return nil, err
	}
	p.asks = p.before == nil || len(a.actions()) > 0 || len(a.times()) > 0 || a.Timezone != "" || a.When != ""
	return p, nil
}

// setTiming sets the times of the job, with what is to be said about them.
func (p *plan) setTiming(call *tool.Call, a *AddArgs) error {
	person, wrong, err := zone.Person(call.Env.Timezone, call.Env.TZ)
	if err != nil {
		return err
	}
	if !wrong.IsZero() && a.Timezone == "" {
		p.notes = append(p.notes, wrong)
	}
	notes, err := a.setTiming(&p.job, person.String(), call.Env.Now())
	p.notes = append(p.notes, notes...)
	return err
}

// check reports too many or too few of what excludes each other.
func (a *AddArgs) check(changes bool) error {
	var wrong schema.Problems
	one := func(names []string, all string) {
		switch {
		case len(names) > 1:
			wrong = append(wrong, schema.Problem{Pointer: "/" + names[1], Message: fault.T("only one of %s can be given, and so is %s", all, names[0])})
		case len(names) == 0 && !changes:
			first, _, _ := strings.Cut(all, ",")
			wrong = append(wrong, schema.Problem{Pointer: "/" + first, Message: fault.T("one of %s is required", all)})
		}
	}
	one(a.actions(), "message, exec, call, spawn")
	one(a.times(), "every_seconds, cron, at, in")
	if len(wrong) == 0 {
		return nil
	}
	return wrong.Err().
		WithHint(fault.T("say what to do (message, exec, call or spawn) and when (every_seconds, cron, at or in), one of each"))
}

// outsideOfRuns refuses to add jobs in a run of one: jobs that add jobs have no end.
func outsideOfRuns(ctx context.Context, env *tool.Env, all *schedule.Jobs) error {
	runners, err := runners(ctx, all)
	if err != nil {
		return err
	}
	if !approval.InRun(env.Run, runners) {
		return nil
	}
	return fault.New(fault.Denied, fault.T("a run of a job cannot add or change jobs")).
		WithHint(fault.T("say in the output what is to be scheduled; the person or the agent that reads it can add it"))
}

// runners returns the processes of this host that carry out jobs now.
func runners(ctx context.Context, all *schedule.Jobs) (pids []int, err error) {
	active, err := all.Active(ctx)
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, nil //nolint:nilerr // then the variable alone tells
	}
	for _, j := range active {
		runs, err := all.History(ctx, j.ID, len(j.State.Active)+10)
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			if r.Status == schedule.Running && r.Host == host && !slices.Contains(pids, r.PID) {
				pids = append(pids, r.PID)
			}
		}
	}
	return pids, nil
}
