// Package program carries out a task by an agent program of the person's, such as claude
// or codex, as the settings describe it.
package program

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// Options say what to run.
type Options struct {
	Agent   config.Agent // the manifest
	Env     *tool.Env    // the world it works in
	JobID   string
	System  string // instructions for it; they come before the task
	Task    string
	Timeout time.Duration
	Now     func() time.Time
	Record  func(loop.Event) error
}

// Run runs the program to its end, with everything that it started.
func Run(ctx context.Context, o Options) agent.Outcome {
	return agent.Outcome{Status: agent.Failed, Reason: agent.BySystem, Err: fault.New(fault.Unsupported, fault.T("not yet", "尚未实现"))}
}
