// Package agents has the commands about sub-agents, which stand below the tool spawn.
package agents

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/overview"
	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/spawn"
)

// spawnTool is the tool that gives tasks to sub-agents. Its command has others below it,
// for hosts and people.
const spawnTool = "spawn"

// AddTo adds the commands below that of the tool spawn, if the tree has it.
func AddTo(root *cobra.Command, h *host.Host, p *out.Printer, args []string) {
	c, _, err := root.Find([]string{spawnTool})
	if err != nil || c == root {
		return
	}
	run, given := spawnRunCommand(h, p)
	c.AddCommand(run, spawnStatusCommand(h, p), spawnListCommand(h, p), spawnLogsCommand(h, p), spawnWaitCommand(h, p),
		spawnResultCommand(h, p), spawnCancelCommand(h, p), spawnCollectCommand(h, p), spawnPromptCommand(h, p), spawnWorkerCommand(h, p))
	if slices.Contains(args, run.Name()) {
		given.Further(run, args)
	}
}

// shownJob is a job of a sub-agent as the commands show it.
type shownJob struct {
	ID         string       `json:"job_id"`
	Label      string       `json:"label"`
	Status     agent.Status `json:"status"`
	Queued     bool         `json:"queued,omitzero"`
	Canceling  bool         `json:"canceling,omitzero"`
	Reason     agent.Reason `json:"reason,omitzero"`
	Approval   string       `json:"approval,omitzero"` // id of the request that it waits for
	PID        *int         `json:"pid"`               // of its worker; null before it has one
	Host       *string      `json:"host"`
	Iterations int          `json:"iterations"`
	Tokens     int64        `json:"tokens"`
	Calls      int          `json:"calls"`
	CreatedAt  time.Time    `json:"created_at"`
	StartedAt  *time.Time   `json:"started_at"`
	EndedAt    time.Time    `json:"ended_at,omitzero"`
	Attempt    int          `json:"attempt,omitzero"`
	Last       string       `json:"last,omitzero"` // what it did last
	Task       string       `json:"task"`
	Session    string       `json:"session"`
	Runtime    string       `json:"runtime"`
	Model      string       `json:"model,omitzero"`
	Limits     agent.Limits `json:"limits"`
	Labels     []string     `json:"labels,omitempty"`
	Result     string       `json:"result,omitzero"`
	Truncated  bool         `json:"truncated,omitzero"`
	Error      *agent.Fault `json:"error,omitzero"`
}

func showJob(j *agent.Job) shownJob {
	s := shownJob{
		ID: j.ID, Label: j.Label, Status: j.Status, Queued: j.Queued, Canceling: j.Canceling && !j.Status.Final(), Reason: j.Reason, Approval: j.Approval,
		Iterations: j.Iterations, Tokens: j.Tokens, Calls: j.Calls, CreatedAt: j.CreatedAt, EndedAt: j.EndedAt, Attempt: j.Attempt, Last: j.Last,
		Task: j.Task, Session: j.Origin.Session, Runtime: j.Runtime, Model: j.Model, Limits: j.Limits, Labels: j.Labels,
		Result: j.Result, Truncated: j.Truncated, Error: j.Fault,
	}
	if j.Worker != nil {
		s.PID, s.Host = &j.Worker.Process.PID, &j.Worker.Host
	}
	if !j.StartedAt.IsZero() {
		s.StartedAt = &j.StartedAt
	}
	return s
}

func showJobs(all []agent.Job) []shownJob {
	shown := make([]shownJob, len(all))
	for i := range all {
		shown[i] = showJob(&all[i])
	}
	return shown
}

// jobState says in a few words how far a job is, and why.
func jobState(p *out.Printer, j *agent.Job) string {
	said := string(j.Status)
	switch {
	case j.Queued:
		said += p.Text(", in the queue")
	case j.Canceling && !j.Status.Final():
		said += p.Text(", being canceled")
	}
	if j.Reason != "" {
		said += " (" + string(j.Reason) + ")"
	}
	return said
}

// jobText shows all about a job.
func jobText(p *out.Printer, j *agent.Job) string {
	var b strings.Builder
	row := func(name, value string) {
		if value != "" {
			b.WriteString("  " + name + indented(value, "           ") + "\n")
		}
	}
	b.WriteString(j.ID + "  " + jobState(p, j) + "\n")
	row(p.Text("label    "), j.Label)
	row(p.Text("task     "), j.Task)
	row(p.Text("done by  "), strings.TrimSpace(j.Runtime+" "+j.Model))
	row(p.Text("needs    "), strings.Join(j.Labels, ", "))
	if w := j.Worker; w != nil {
		row(p.Text("process  "), strconv.Itoa(w.Process.PID)+" "+w.Host)
	}
	row(p.Text("time     "), jobTimes(p, j))
	row(p.Text("so far   "), p.Text("%d iterations, %d tokens, %d calls", j.Iterations, j.Tokens, j.Calls))
	row(p.Text("last     "), j.Last)
	if j.Status == agent.InputRequired {
		row(p.Text("waits    "), p.Text("for a decision: helve approve %[1]s, or helve deny %[1]s", j.Approval))
	}
	if j.Fault != nil {
		row(p.Text("error    "), j.Fault.Message+" ("+string(j.Fault.Code)+")")
		row(p.Text("hint     "), j.Fault.Hint)
	}
	row(p.Text("result   "), j.Result)
	return b.String()
}

// jobTimes says when a job was added, and how long it has worked.
func jobTimes(p *out.Printer, j *agent.Job) string {
	added := j.CreatedAt.Local().Format(time.DateTime)
	if j.StartedAt.IsZero() {
		return p.Text("added %s", added)
	}
	until := j.EndedAt
	if until.IsZero() {
		until = time.Now()
	}
	return p.Text("added %s, has worked for %v", added, until.Sub(j.StartedAt).Round(time.Second))
}

// jobLine shows a job on one line.
func jobLine(p *out.Printer, j *agent.Job) string {
	line := j.ID + "  " + jobState(p, j)
	if !j.StartedAt.IsZero() {
		line += p.Text("  %d iterations, %d tokens", j.Iterations, j.Tokens)
	}
	return line + "  " + overview.FirstLine(j.Task) + "\n"
}

// endText shows what a job has come to. Of one that has completed that is its result alone.
func endText(p *out.Printer, j *agent.Job) string {
	if j.Status != agent.Completed || j.Truncated {
		return spawn.Tool.Text(spawn.Show(j), screen.View{Paint: p.Paint(), Lang: p.Lang})
	}
	if j.Result == "" || strings.HasSuffix(j.Result, "\n") {
		return j.Result
	}
	return j.Result + "\n"
}

// indented returns a text whose further lines begin with some spaces.
func indented(text, by string) string {
	return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+by)
}

// looking is the interval at which a command that waits for jobs looks at them: one that
// nobody works on any more ends only if somebody notices.
const looking = time.Second

// awaiting is a command that waits for jobs.
type awaiting struct {
	host  *host.Host
	jobs  *agent.Jobs
	input bool             // it also waits for the first that a person must decide about
	each  func(*agent.Job) // is called with the jobs as they are from time to time; may be nil
}

// over reports whether a job needs no more waiting.
func (w awaiting) over(j *agent.Job) bool {
	return j.Status.Final() || w.input && j.Status == agent.InputRequired
}

// wait waits for jobs until ctx is done, and replaces each by what has become of it.
func (w awaiting) wait(ctx context.Context, all []agent.Job) (err error) {
	for {
		pending := slices.IndexFunc(all, func(j agent.Job) bool { return !w.over(&j) })
		if pending < 0 || w.input && slices.ContainsFunc(all, func(j agent.Job) bool { return j.Status == agent.InputRequired }) {
			return nil
		}
		look, cancel := context.WithTimeout(ctx, looking)
		all[pending], err = w.jobs.Wait(look, all[pending].ID, w.input)
		cancel()
		if err != nil {
			return err
		}
		over := ctx.Err() != nil
		for i := range all {
			if i != pending && (over || w.input) && !all[i].Status.Final() {
				if all[i], err = w.jobs.Get(context.WithoutCancel(ctx), all[i].ID); err != nil {
					return err
				}
			}
			if w.each != nil {
				w.each(&all[i])
			}
		}
		if over {
			return nil //nolint:nilerr // the caller sees that the time is over
		}
		if err := w.host.Tend(); err != nil {
			return err
		}
	}
}

// chosenJobs returns the jobs that words name, each once.
func chosenJobs(ctx context.Context, jobs *agent.Jobs, words []string) (all []agent.Job, err error) {
	for _, word := range words {
		j, err := jobs.Get(ctx, word)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(all, func(one agent.Job) bool { return one.ID == j.ID }) {
			all = append(all, j)
		}
	}
	return all, nil
}
