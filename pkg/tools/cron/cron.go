// Package cron is the tools of the schedule: cron_add, cron_list and cron_remove. They
// keep jobs and run none; package schedule does, in a process that a person starts.
package cron

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/tool"
)

// Planner says what an action would be as a call, made in the world of the call of
// cron_add. The host provides it, since tools do not know each other. A fault says why
// the call would fail.
type Planner func(ctx context.Context, call *tool.Call, a schedule.Action) (*Plan, error)

// Plan is an action as a call.
type Plan struct {
	Tool    string // the tool that is called
	Reasons []fault.Text
	Flags   []string
	// Requests are the questions to the policy about it.
	Requests []policy.Request
	// Rule allows exactly this action; nil if no rule does.
	Rule *policy.Rule
	// Outline shows what it does, for a person who decides about it.
	Outline string
	// Call returns the call that an approval of it covers, under terms.
	Call func(terms string) approval.Call
}

// jobs returns the jobs of the store.
func jobs(env *tool.Env) (*schedule.Jobs, error) {
	s, err := tool.Service[store.Store](env)
	if err != nil {
		return nil, err
	}
	return schedule.NewJobs(s, env.Now), nil
}

// Scheduler says whether jobs are run at their times.
type Scheduler struct {
	Running bool   `json:"running"`
	Host    string `json:"host,omitzero"` // where it runs
	PID     int    `json:"pid,omitzero"`
	Hint    string `json:"hint,omitzero"` // what to do if none runs
}

// scheduler says whether jobs are run, and warns if they are not.
func scheduler(ctx context.Context, call *tool.Call, all *schedule.Jobs) (Scheduler, error) {
	now, err := all.SchedulerStatus(ctx)
	if err != nil {
		return Scheduler{}, err
	}
	s := Scheduler{Running: now.Running, Host: now.Host, PID: now.PID}
	if !now.Running {
		s.Hint = now.Hint.In(call.Env.Lang)
		call.WarnDone(now.Hint)
	}
	return s, nil
}
