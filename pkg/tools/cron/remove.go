package cron

import (
	"context"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// RemoveArgs are the arguments of cron_remove.
type RemoveArgs struct {
	ID string `json:"id" doc:"Job id or name." alias:"job_id,job,name"`
}

// RemoveResult identifies the removed job.
type RemoveResult struct {
	ID   string `json:"id"`
	Name string `json:"name,omitzero"`
}

// Remove removes a job.
var Remove = tool.New(tool.Def[RemoveArgs, RemoveResult]{
	Name: "cron_remove", Title: "Remove a scheduled job",
	Risk:       policy.Write,
	Doc:        "Remove a scheduled job.",
	DefaultArg: "id",
	Examples:   []tool.Example{{Doc: "by its id", Args: `{"id":"standup"}`}},
	Run:        remove,
	Text: func(r RemoveResult, v screen.View) string {
		return v.Say(fault.T("removed %s", r.ID)) + "\n"
	},
})

func remove(ctx context.Context, call *tool.Call, a RemoveArgs) (RemoveResult, error) {
	if err := agent.Outside(ctx, call.Home, true, fault.T("remove scheduled jobs")); err != nil {
		return RemoveResult{}, err
	}
	all, err := jobs(call.Env)
	if err != nil {
		return RemoveResult{}, err
	}
	job, err := all.Remove(ctx, a.ID)
	if err != nil {
		return RemoveResult{}, err
	}
	if err := revoke(call.Env, job.Approved); err != nil {
		call.WarnDone(fault.T("its approval was not removed: %s", fault.As(err).Message))
	}
	return RemoveResult{job.ID, job.Name}, nil
}
