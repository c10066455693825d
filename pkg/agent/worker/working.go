package worker

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/agent/program"
	"github.com/helve-dev/helve/pkg/agent/transcript"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
)

// Working is a job that this process works on, as others see it.
type Working struct {
	jobs       *agent.Jobs
	job        *agent.Job
	self       agent.Worker
	now        func() time.Time
	mu         sync.Mutex // calls wait for a person in parallel
	transcript *transcript.Writer
	asked      []string // the requests for approval that calls wait for
}

// Begin marks a job as one that this process works on, and begins its transcript. Both are
// in dir.
func Begin(dir *state.Dir, jobs *agent.Jobs, j *agent.Job, self agent.Worker, now func() time.Time) (*Working, error) {
	if err := agent.NewMarks(dir).Put(j.ID, process.This()); err != nil {
		return nil, err
	}
	kept, err := transcript.Create(dir, j.ID)
	if err != nil {
		return nil, err
	}
	return &Working{jobs: jobs, job: j, self: self, now: now, transcript: kept}, nil
}

// Close ends the transcript.
func (w *Working) Close() error { return w.transcript.Close() }

// Program has an agent program work on the job.
func (w *Working) Program(ctx context.Context, one config.Agent, env *tool.Env, system string) agent.Outcome {
	return program.Run(ctx, program.Options{
		Agent: one, Env: env, JobID: w.job.ID, System: system, Task: w.job.Task, Now: w.now, Record: w.record,
		Timeout: time.Duration(cmp.Or(w.job.Limits.Timeout, agent.DefaultTimeout)) * time.Second,
	})
}

// Model has a model work on the job, with the tools in its format. The error says that the
// work has not begun.
func (w *Working) Model(ctx context.Context, o model.Options, system string, tools func(format string) (loop.Tools, error)) (agent.Outcome, error) {
	o.Now, o.Retrying = w.now, w.retrying
	m, err := model.New(o)
	if err != nil {
		return agent.Outcome{}, err
	}
	own, err := tools(m.Format())
	if err != nil {
		return agent.Outcome{}, err
	}
	return loop.Run(ctx, loop.Options{
		Model: m, Tools: discreet{own, o.Key}, System: system, Task: w.job.Task, Limits: w.job.Limits, Now: w.now, Record: w.record,
	}), nil
}

// discreet are tools that do not show the key of the model's server, which commands
// outside of a sandbox can find in the environment of this process.
type discreet struct {
	loop.Tools
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

// record keeps what the sub-agent did: in the transcript, and how far it is with the job.
func (w *Working) record(e loop.Event) error {
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
func (w *Working) retrying(after time.Duration, why error) {
	_ = w.record(loop.Event{ // a full disk ends the loop at its next event
		At: w.now(), Kind: loop.Retried, Text: fmt.Sprintf("%s; again in %s", fault.As(why).Message, after.Round(time.Millisecond)),
	})
}

// Ask marks the job as one that waits for a person, and sends the message that says so,
// until end is called.
func (w *Working) Ask(ctx context.Context, r *approval.Request) (end func() error, err error) {
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
