package host

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/agent/worker"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/turn"
	"github.com/helve-dev/helve/pkg/web"
)

// decisionTime limits the wait of a sub-agent's call for a person: requests for approval
// are not kept longer.
const decisionTime = 10 * time.Minute

// carry works on a job, in the worker.
func (h *Host) carry(ctx context.Context, j *agent.Job, self agent.Worker) agent.Outcome {
	o, err := h.work(ctx, j, self)
	if err != nil {
		return agent.Outcome{Status: agent.Failed, Reason: agent.BySystem, Err: err}
	}
	return o
}

// work is carry. The error says that the work has not begun.
func (h *Host) work(ctx context.Context, j *agent.Job, self agent.Worker) (o agent.Outcome, err error) {
	world := h.worldOf(j)
	defer world.Close()
	env, s, err := world.Governed()
	if err != nil {
		return o, err
	}
	dir, err := s.home.State()
	if err != nil {
		return o, err
	}
	jobs, err := h.Agents()
	if err != nil {
		return o, err
	}
	w, err := worker.Begin(dir, jobs, j, self, env.Now)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	world.waiting = w.Ask
	prompt, err := s.agentPrompt(env)
	if err != nil {
		return o, err
	}
	if j.Runtime != agent.Builtin {
		one, err := s.agentNamed(j.Runtime)
		if err != nil {
			return o, err
		}
		return w.Program(ctx, one, env, prompt), nil
	}
	e, err := s.endpoint()
	if err != nil {
		return o, err
	}
	name := j.Model
	if len(j.Labels) > 0 { // the spawner knew nothing of this host's server
		name = e.model
	}
	return w.Model(ctx, model.Options{
		Web:     func() (*web.Client, error) { return tool.Service[*web.Client](env) },
		BaseURL: e.url, Key: e.key, Model: name, Format: e.format,
	}, prompt, world.toolsFor)
}

// worldOf returns the host of a job: of its workspace, with the settings of this moment,
// as narrow as the job was spawned, and without anybody at the terminal.
func (h *Host) worldOf(j *agent.Job) *Host {
	o := h.Options
	if len(j.Labels) == 0 {
		o.Root, o.Project = j.Root, j.Project
	}
	o.ReadOnly = o.ReadOnly || j.ReadOnly
	o.Session, o.Channel, o.Chat, o.Turn, o.Run = "agent-"+j.ID, "", "", "", j.Origin.Run
	o.Lang = cmp.Or(j.Lang, o.Lang)
	o.Approval, o.ApprovalFD, o.Wait, o.NoInput, o.Terminal, o.Stream, o.Progress = "", 0, decisionTime, true, nil, nil, nil
	world := New(o)
	world.Dirs = h.Dirs
	return world
}

// toolsFor returns the tools of a sub-agent, for a model of a format. Settings, manifests
// and the policy are those of the moment of each call.
func (h *Host) toolsFor(format string) (loop.Tools, error) {
	live := h.Live()
	return turn.NewTools(turn.Engine{Lang: h.Lang, World: func() (*tool.Env, *tools.Catalog, error) {
		env, all, err := live.Env()
		if err != nil {
			return nil, nil, err
		}
		own, err := all.Subagent()
		return env, own, err
	}}, format)
}
