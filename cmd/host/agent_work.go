package host

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/agent/program"
	"github.com/helve-dev/helve/pkg/agent/transcript"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/shell/process"
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
	if err := agent.NewMarks(dir).Put(j.ID, process.This()); err != nil {
		return o, err
	}
	kept, err := transcript.Create(dir, j.ID)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	jobs, err := h.Agents()
	if err != nil {
		return o, err
	}
	w := &working{jobs: jobs, job: j, self: self, transcript: kept, now: env.Now}
	world.waiting = w.ask
	prompt, err := s.agentPrompt(env)
	if err != nil {
		return o, err
	}
	if j.Runtime != agent.Builtin {
		one, err := s.agentNamed(j.Runtime)
		if err != nil {
			return o, err
		}
		return program.Run(ctx, program.Options{
			Agent: one, Env: env, JobID: j.ID, System: prompt, Task: j.Task, Now: env.Now, Record: w.record,
			Timeout: time.Duration(cmp.Or(j.Limits.Timeout, agent.DefaultTimeout)) * time.Second,
		}), nil
	}
	client, err := s.client(env, j, w)
	if err != nil {
		return o, err
	}
	own, err := world.toolsFor(client.Format())
	if err != nil {
		return o, err
	}
	e, err := s.endpoint()
	if err != nil {
		return o, err
	}
	return loop.Run(ctx, loop.Options{
		Model: client, Tools: discreet{own, e.key}, System: prompt, Task: j.Task, Limits: j.Limits, Now: env.Now, Record: w.record,
	}), nil
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
func (h *Host) toolsFor(format string) (*turn.Tools, error) {
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

// discreet are tools that do not show the key of the model's server, which commands
// outside of a sandbox can find in the environment of this process.
type discreet struct {
	*turn.Tools
	key string
}

// Answer carries out the calls of a message.
func (d discreet) Answer(ctx context.Context, message json.RawMessage) ([]json.RawMessage, []loop.Made, error) {
	answers, made, err := d.Tools.Answer(ctx, message)
	return hide(answers, d.key), made, err
}

// hide replaces a key in messages.
func hide(messages []json.RawMessage, key string) []json.RawMessage {
	if len(key) < secret.Least {
		return messages
	}
	for i, m := range messages {
		messages[i] = bytes.ReplaceAll(m, []byte(key), []byte(secret.Hidden))
	}
	return messages
}

// client returns the client of the model of a job.
func (s *Settings) client(env *tool.Env, j *agent.Job, w *working) (*model.Client, error) {
	e, err := s.endpoint()
	if err != nil {
		return nil, err
	}
	name := j.Model
	if len(j.Labels) > 0 { // the spawner knew nothing of this host's server
		name = e.model
	}
	return model.New(model.Options{
		Web:     func() (*web.Client, error) { return tool.Service[*web.Client](env) },
		BaseURL: e.url, Key: e.key, Model: name, Format: e.format, Now: env.Now, Retrying: w.retrying,
	})
}

// working is a job that this process works on, as others see it.
type working struct {
	jobs       *agent.Jobs
	job        *agent.Job
	self       agent.Worker
	now        func() time.Time
	mu         sync.Mutex // calls wait for a person in parallel
	transcript *transcript.Writer
	asked      []string // the requests for approval that calls wait for
}

// record keeps what the sub-agent did: in the transcript, and how far it is with the job.
func (w *working) record(e loop.Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.transcript.Add(e); err != nil {
		return err
	}
	last := lastOf(&e)
	if last == "" {
		return nil
	}
	_, err := w.jobs.Note(context.Background(), w.job.ID, w.self.ID, func(j *agent.Job) {
		j.Iterations, j.Tokens = max(j.Iterations, e.Iteration), max(j.Tokens, e.Tokens)
		j.Calls += len(e.Calls)
		j.Last = last
	})
	if passing(err) {
		return nil // the transcript has it, and the next one says as much
	}
	return err
}

// passing reports whether a failure of the store may pass: then the work goes on, and its
// end is written when the store works again.
func passing(err error) bool {
	return fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Timeout) || fault.Is(err, fault.Locked) || fault.Is(err, fault.IOError)
}

// lastOf says in a few words what an event shows of the work; "" for nothing.
func lastOf(e *loop.Event) string {
	switch {
	case len(e.Calls) == 1:
		return e.Calls[0].Name
	case len(e.Calls) > 1:
		return fmt.Sprintf("%s and %d more", e.Calls[0].Name, len(e.Calls)-1)
	case e.Kind == loop.Replied:
		return "the model has answered"
	case e.Kind == loop.Retried:
		return "waits for the model's server"
	}
	return ""
}

// retrying notes that the server of the model is asked again.
func (w *working) retrying(after time.Duration, why error) {
	_ = w.record(loop.Event{ // a full disk ends the loop at its next event
		At: w.now(), Kind: loop.Retried, Text: fmt.Sprintf("%s; again in %s", fault.As(why).Message, after.Round(time.Millisecond)),
	})
}

// ask marks the job as one that waits for a person, and sends the message that says so,
// until end is called.
func (w *working) ask(ctx context.Context, r *approval.Request) (end func() error, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.jobs.Ask(ctx, w.job.ID, w.self.ID, r.ID, whatIsAsked(r)); err != nil {
		return nil, err
	}
	w.asked = append(w.asked, r.ID)
	return func() error {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.asked = slices.DeleteFunc(w.asked, func(id string) bool { return id == r.ID })
		_, err := w.jobs.Note(context.WithoutCancel(ctx), w.job.ID, w.self.ID, func(j *agent.Job) {
			j.Status, j.Approval = agent.Working, ""
			if len(w.asked) > 0 {
				j.Status, j.Approval = agent.InputRequired, w.asked[0]
			}
		})
		if passing(err) { // the end of the job says so as well
			return nil
		}
		return err
	}, nil
}

// longestAsked limits the characters of a preview in the message that asks about a call.
const longestAsked = 1000

// whatIsAsked returns what a person is asked about, for the message.
func whatIsAsked(r *approval.Request) string {
	return r.Tool + "\n" + web.Shorten(approval.Visible(r.Preview), longestAsked)
}
