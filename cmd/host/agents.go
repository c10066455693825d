package host

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/program"
	"github.com/helve-dev/helve/pkg/agent/worker"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
)

// Agents returns the jobs of sub-agents, over the store of the run.
func (h *Host) Agents() (*agent.Jobs, error) {
	env, _, err := h.Governed()
	if err != nil {
		return nil, err
	}
	return tool.Service[*agent.Jobs](env)
}

// Transcripts returns the directory with the transcripts of the jobs that were carried
// out here.
func (h *Host) Transcripts() (*state.Dir, error) { return h.Workspace().State() }

// agents returns the function that opens the jobs of sub-agents.
func (s *Settings) agents() func() (*agent.Jobs, error) {
	return sync.OnceValues(func() (*agent.Jobs, error) {
		kept, err := s.store()()
		if err != nil {
			return nil, err
		}
		b, err := s.bus()()
		if err != nil {
			return nil, err
		}
		return agent.NewJobs(kept, b, time.Now), nil
	})
}

// spawning returns the function that makes what the tool spawn asks of the host.
func (s *Settings) spawning() func() (agent.Spawner, error) {
	return func() (agent.Spawner, error) { return &spawner{s}, nil }
}

// spawner is the [agent.Spawner].
type spawner struct{ settings *Settings }

// Prepare completes a job by the settings.
func (p *spawner) Prepare(_ context.Context, j *agent.Job) error {
	s := p.settings
	c := &s.Config.Spawn
	j.Runtime = cmp.Or(j.Runtime, c.Runtime, agent.Builtin)
	if j.Runtime == agent.Builtin {
		e, err := s.endpoint()
		if err != nil {
			return err
		}
		j.Model, j.BaseURL = cmp.Or(j.Model, e.model), e.given
	} else if one, err := s.agentNamed(j.Runtime); err != nil {
		return err
	} else if err := program.Check(one, os.Environ()); err != nil {
		return err
	}
	home, err := s.home.Root()
	if err != nil {
		return err
	}
	j.Root, j.Project, j.Lang = home.Dir(), s.Config.Project, s.host.Lang
	j.ReadOnly = j.ReadOnly || s.Config.ReadOnly
	if j.Config, err = s.host.configFile(); err != nil {
		return err
	}
	l := &j.Limits
	l.Timeout, l.Tokens = cmp.Or(l.Timeout, c.Timeout), cmp.Or(l.Tokens, c.Tokens)
	l.Output, l.Context = cmp.Or(l.Output, c.Output), cmp.Or(l.Context, c.Context)
	j.OnLost = cmp.Or(j.OnLost, c.OnLost)
	return nil
}

// Start makes sure that somebody works on the queue.
func (p *spawner) Start(ctx context.Context, j agent.Job) error {
	dir, err := p.settings.home.State()
	if err != nil {
		return err
	}
	if err := agent.NewMarks(dir).Put(j.ID, process.ID{}); err != nil {
		return err
	}
	if len(j.Labels) > 0 {
		return nil // workers with labels are started by people
	}
	return p.settings.keep(ctx)
}

// keeping is the specification from which a keeper makes its host.
type keeping struct {
	Root   string     `json:"root"`
	Config string     `json:"config,omitzero"`
	Lang   fault.Lang `json:"lang"`
	Labels []string   `json:"labels,omitempty"`
	Slots  int        `json:"slots,omitzero"` // jobs that may run at a time here; 0 leaves it to the settings
}

// keeping returns the specification of keepers in the workspace of the settings, and
// helve's executable.
func (s *Settings) keeping(labels []string, slots int) (program string, spec []byte, err error) {
	if program, err = os.Executable(); err != nil {
		return "", nil, fault.System(err, "helve")
	}
	home, err := s.home.Root()
	if err != nil {
		return "", nil, err
	}
	k := keeping{Root: home.Dir(), Lang: s.host.Lang, Labels: labels, Slots: slots}
	if k.Config, err = s.host.configFile(); err != nil {
		return "", nil, err
	}
	spec, err = schema.Marshal(k)
	return program, spec, err
}

// keep starts a keeper, which works on the queue if there is room for it.
func (s *Settings) keep(ctx context.Context) error {
	program, spec, err := s.keeping(nil, 0)
	if err != nil {
		return err
	}
	return worker.Launch(ctx, program, os.Environ(), spec)
}

// AgentService returns what carries jobs out for as long as it runs. slots is how many at
// a time; 0 is what the settings say.
func (h *Host) AgentService(labels []string, slots int) (*worker.Service, error) {
	_, s, err := h.Governed()
	if err != nil {
		return nil, err
	}
	for _, label := range labels {
		if err := agent.CheckLabel(label); err != nil {
			return nil, err
		}
	}
	program, spec, err := s.keeping(labels, slots)
	if err != nil {
		return nil, err
	}
	work, err := h.AgentWork(labels, slots)
	if err != nil {
		return nil, err
	}
	return &worker.Service{Program: program, Environ: os.Environ(), Spec: spec, Work: work, Slots: work.Limit}, nil
}

// Keeping returns what a keeper and its workers need, by what [Settings.keep] passed on.
func Keeping(spec []byte) (*worker.Work, error) {
	h, labels, slots, err := kept(spec)
	if err != nil {
		return nil, err
	}
	return h.AgentWork(labels, slots)
}

// kept returns the host that a specification describes.
func kept(spec []byte) (h *Host, labels []string, slots int, err error) {
	var k keeping
	if err := json.Unmarshal(spec, &k); err != nil {
		return nil, nil, 0, fault.New(fault.Internal, fault.T("a keeper got no specification")).
			WithHint(fault.T("this is a bug in helve; please report it")).Because(err)
	}
	o := FromEnvironment()
	o.Root, o.Config, o.Lang, o.Project, o.NoInput = k.Root, k.Config, k.Lang, "", true
	return New(o), k.Labels, k.Slots, nil
}

// configFile returns the absolute path of the configuration file that takes precedence;
// "" if there is none.
func (h *Host) configFile() (string, error) {
	if h.Config == "" {
		return "", nil
	}
	file, err := filepath.Abs(h.Config)
	return file, fault.System(err, h.Config)
}

// AgentWork returns what a process needs that carries jobs out in the workspace of this
// run. It takes those that were spawned in a workspace of its own with the configuration
// file that it has, and that have no labels, or labels of its own: these it carries out in
// its workspace, wherever they were spawned. What a job says never gives it more than
// this process was given.
func (h *Host) AgentWork(labels []string, slots int) (*worker.Work, error) {
	_, s, err := h.Governed()
	if err != nil {
		return nil, err
	}
	jobs, err := h.Agents()
	if err != nil {
		return nil, err
	}
	own, err := h.workspaces()
	if err != nil {
		return nil, err
	}
	file, err := h.configFile()
	if err != nil {
		return nil, err
	}
	return &worker.Work{
		Jobs: jobs, Limit: cmp.Or(slots, s.Config.Spawn.MaxJobs), Labels: labels, Carry: h.carry,
		Takes: func(j *agent.Job) bool {
			return (len(j.Labels) > 0 || slices.Contains(own, j.Root) && j.Config == file) && s.can(j)
		},
	}, nil
}

// can reports whether a job can be carried out here, as the settings and the environment
// are: by the agent program that it names, or the model's server.
func (s *Settings) can(j *agent.Job) bool {
	if j.Runtime != agent.Builtin {
		_, err := s.agentNamed(j.Runtime)
		return err == nil
	}
	e, err := s.endpoint()
	return err == nil && (j.BaseURL == e.given || len(j.Labels) > 0)
}
