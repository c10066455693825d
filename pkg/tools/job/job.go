// Package job is the tool that follows commands in the background. It starts none;
// see exec.
package job

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/artifact"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/track"
)

// Args are the arguments.
type Args struct {
	ID        string `json:"id,omitzero" doc:"Job id, from exec." alias:"job,job_id,bash_id,shell_id"`
	Action    string `json:"action,omitzero" doc:"read returns output, wait also waits for the end, stop kills the job." enum:"list,read,wait,stop" default:"list"`
	Since     *int   `json:"since,omitzero" doc:"Continue from here: next of the last result; 0 is the beginning." min:"0"`
	Timeout   int    `json:"timeout,omitzero" doc:"Seconds to wait." default:"30" min:"1" max:"600"`
	Raw       bool   `json:"raw,omitzero" doc:"Keep colours and progress lines, and leave nothing out but for length." unlisted:"true"`
	MaxOutput int    `json:"max_output,omitzero" doc:"Maximum number of bytes of output to return." default:"10000" min:"200" max:"200000" unlisted:"true"`
	MaxTokens int    `json:"max_tokens,omitzero" doc:"Maximum number of tokens of output to return, estimated." unlisted:"true" min:"1" max:"10000000"`
}

// Job is a job as a result shows it.
type Job struct {
	ID         string            `json:"id"`
	State      job.State         `json:"state"` // running, ended, stopped or lost
	Command    string            `json:"command"`
	Cwd        string            `json:"cwd"`
	Session    string            `json:"session"`
	Risk       policy.Risk       `json:"risk"`
	Started    time.Time         `json:"started"`
	EndedAt    time.Time         `json:"ended_at,omitzero"`
	ExitCode   *int              `json:"exit_code,omitzero"` // once it has ended; -1 when a signal ended it
	Signal     string            `json:"signal,omitzero"`
	Ended      string            `json:"ended,omitzero"`  // why it was ended, unless by itself or by stop
	Excess     string            `json:"excess,omitzero"` // what it took too much of, and what helps
	Killed     []string          `json:"killed,omitempty"`
	Restored   []string          `json:"restored,omitempty"`
	Changes    []track.Change    `json:"changes,omitempty"`      // of the workspace, once it has ended; the first hundred
	Total      int               `json:"changes_total,omitzero"` // if there are more
	UndoID     string            `json:"undo_id,omitzero"`       // undoes the changes
	NotCovered []track.Uncovered `json:"not_covered,omitempty"`  // what it changed and undo does not restore
	Others     []track.Other     `json:"also_changed_by,omitempty"`
	Planted    []sandbox.Moved   `json:"planted,omitempty"`
	TotalBytes int64             `json:"total_bytes"`
	Notes      string            `json:"notes,omitzero"` // what else matters about a command that became a job as it ran
}

// Result is the list, or one job with a part of its output.
type Result struct {
	Jobs      []Job  `json:"jobs,omitzero"`
	Job       *Job   `json:"job,omitzero"`
	Output    string `json:"output,omitzero"`
	Since     int64  `json:"since,omitzero"` // where the output begins
	Next      int64  `json:"next,omitzero"`  // where the next part begins
	Truncated bool   `json:"truncated"`      // there is more before or after, or left out for its length
	// Reduced says that what is known to be noise is left out of Output.
	Reduced *output.Reduced `json:"reduced,omitzero"`
}

// Tool follows jobs.
var Tool = tool.NewJudged(tool.Def[Args, Result]{
	Name: "job", Title: "Follow a command",
	Risk: policy.Write, Reads: true,
	Doc: "Follow or stop a command that exec started in the background. Without an id it lists all. Use wait instead of reading again and " +
		"again.",
	DefaultArg: "id",
	Examples: []tool.Example{
		{Doc: "all jobs", Args: `{}`},
		{Doc: "the output of one from an offset on", Args: `{"id":"01m7zh1bwxt3eacg76z38mmmht","action":"read","since":1200}`},
	},
	Timeout: job.StopTime + 30*time.Second, TimeoutArg: "timeout",
	Text: text,
}, tool.Judged[Args, Args, Result]{Judge: judge, Run: execute})

// judge returns the risk: stopping a job is not reading.
func judge(_ context.Context, _ *tool.Call, a Args) (*tool.Judgement, Args, error) {
	j := &tool.Judgement{Risk: policy.Read, Flags: []string{}}
	if a.Action == "stop" {
		j.Risk = policy.Write
		j.Reasons = []fault.Text{fault.T("it stops job %s", a.ID)}
	}
	return j, a, nil
}

func execute(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	dir, err := call.Env.State()
	if err != nil {
		return Result{}, err
	}
	store := job.NewStore(dir)
	if a.Action == "list" && a.ID != "" {
		a.Action = "read" // an id asks for its output
	}
	if a.Action == "list" {
		return list(store)
	}
	if a.ID == "" {
		if a.ID, err = theOnly(store, a.Action, call.Env.Session); err != nil {
			return Result{}, err
		}
	}
	var r *job.Record
	switch a.Action {
	case "stop":
		r, err = store.Stop(ctx, a.ID)
	case "wait":
		waiting, cancel := context.WithTimeout(ctx, call.Home.Within(time.Duration(a.Timeout)*time.Second))
		defer cancel()
		r, err = store.Wait(waiting, a.ID)
		if err == nil && ctx.Err() != nil {
			err = ctx.Err()
		}
	default:
		r, err = store.Get(a.ID)
	}
	if err != nil {
		return Result{}, err
	}
	if r.Untracked != "" {
		call.Warn(fault.T("what the job changed cannot be undone: %s", r.Untracked))
	}
	if a.Since == nil && !a.Raw && r.State != job.Running {
		return whole(call, store, r, a)
	}
	return part(store, r, a)
}

// theOnly returns the id of the job that the session has running, for who reads it or waits
// for it without saying which. The fault for none and for several names what there is.
func theOnly(store *job.Store, action, session string) (string, error) {
	all, err := store.List()
	if err != nil {
		return "", err
	}
	var ids, shown []string
	for _, r := range all {
		if r.Session == session && r.State == job.Running {
			ids = append(ids, r.ID)
			shown = append(shown, fmt.Sprintf("%s (%.60s)", r.ID, screen.Line(r.Command)))
		}
	}
	missing := schema.Invalid("/id", fault.T("id is required for this action"))
	switch {
	case len(ids) == 1 && action != "stop":
		return ids[0], nil
	case len(ids) > 0:
		return "", missing.WithHint(fault.T("these run: %s", strings.Join(shown[:min(len(shown), 8)], ", ")))
	}
	return "", missing.WithHint(fault.T("no job of this session runs; call job without action to list all"))
}

func list(store *job.Store) (Result, error) {
	all, err := store.List()
	if err != nil {
		return Result{}, err
	}
	r := Result{Jobs: []Job{}}
	for i := range all {
		r.Jobs = append(r.Jobs, Show(&all[i]))
	}
	return r, nil
}

// Part returns a job with up to most bytes of its output from an offset on; nil is the end.
func Part(store *job.Store, id string, since *int, most int) (Result, error) {
	r, err := store.Get(id)
	if err != nil {
		return Result{}, err
	}
	return part(store, r, Args{Since: since, MaxOutput: most})
}

// part returns a job with the requested part of its output.
func part(store *job.Store, r *job.Record, a Args) (Result, error) {
	since := -int64(a.MaxOutput)
	if a.Since != nil {
		since = int64(*a.Since)
	}
	o, err := store.Read(r.ID, since, int64(a.MaxOutput))
	if err != nil {
		return Result{}, err
	}
	one := Show(r)
	one.TotalBytes = max(one.TotalBytes, o.Total)
	asked := int64(0)
	if a.Since != nil {
		asked = int64(*a.Since)
	}
	return Result{
		Job: &one, Output: run.Text(o.Data, a.Raw), Since: o.Since, Next: o.Next,
		Truncated: o.Since > asked || o.Next < o.Total,
	}, nil
}

// whole returns a job that has ended with its whole output, as far as it is kept,
// without what is known to be noise.
func whole(call *tool.Call, store *job.Store, r *job.Record, a Args) (Result, error) {
	status := r.ExitCode
	if r.State != job.Ended || r.Ended != "" {
		status = -1
	}
	from := output.Of(r.Command, classify.Classify(r.Command, classify.Options{}).Commands, status)
	from.Own = artifact.Rules(call)
	head, tail := from.Window()
	o, err := store.Ends(r.ID, head, tail)
	if err != nil {
		return Result{}, err
	}
	one := Show(r)
	one.TotalBytes = max(one.TotalBytes, o.Total)
	var f output.Fitted
	_ = tokens.Fit(a.MaxOutput, a.MaxTokens, func(bytes int) (string, error) { // cutting does not fail
		f = output.Fit(o.Text, bytes, from)
		return f.Text, nil
	})
	return Result{
		Job: &one, Output: f.Text, Reduced: f.Reduced, Since: o.Since, Next: o.Next,
		Truncated: o.Cut || f.Truncated || o.Next < o.Total,
	}, nil
}

// Show returns a job as a result shows it.
func Show(r *job.Record) Job {
	j := Job{
		ID: r.ID, State: r.State, Command: r.Command, Cwd: r.Cwd, Session: r.Session, Risk: r.Risk, Started: r.Started, EndedAt: r.EndedAt,
		Signal: r.Signal, Ended: r.Ended, Excess: r.Excess, Killed: r.Killed, Restored: r.Restored, Planted: r.Planted, TotalBytes: r.Bytes, Notes: r.Notes,
	}
	if r.State != job.Running {
		j.ExitCode = &r.ExitCode
	}
	var o track.Outcome
	if err := json.Unmarshal(r.Changed, &o); err == nil { // nothing, if it changed nothing
		j.Changes, j.Total, j.UndoID, j.NotCovered, j.Others = o.Changes, o.Total, o.UndoID, o.NotCovered, o.Others
	}
	return j
}

// text shows the output and the state of a job, or the list of jobs.
func text(r Result, v screen.View) string {
	var b strings.Builder
	if r.Job == nil {
		for _, j := range r.Jobs {
			b.WriteString(line(j, v))
		}
		if len(r.Jobs) == 0 {
			b.WriteString("[" + v.Say(fault.T("no background jobs")) + "]\n")
		}
		return b.String()
	}
	b.WriteString(r.Output)
	if r.Output != "" && !strings.HasSuffix(r.Output, "\n") {
		b.WriteByte('\n')
	}
	b.WriteString(r.Job.Notes)
	if r.Job.UndoID != "" && r.Job.Notes == "" {
		b.WriteString("[" + v.Say(fault.T("undo what it changed with id %s", r.Job.UndoID)) + "]\n")
	}
	if r.Reduced != nil {
		b.WriteString("[" + v.Say(fault.T("%d lines left out (%s); read them with since 0 or raw", r.Reduced.Lines, r.Reduced.By)) + "]\n")
	}
	part := v.Say(fault.T("; output %d to %d of %d", r.Since, r.Next, r.Job.TotalBytes))
	b.WriteString("[" + strings.TrimSuffix(line(*r.Job, v), "\n") + part + "]\n")
	return b.String()
}

// outcome says what has become of a job.
func outcome(j Job, v screen.View) string {
	switch {
	case j.Signal != "":
		return string(j.State) + ", " + j.Signal
	case j.ExitCode != nil && j.State == job.Ended:
		return string(j.State) + v.Say(fault.T(", exit code %d", *j.ExitCode))
	}
	return string(j.State)
}

func line(j Job, v screen.View) string {
	command, _, more := strings.Cut(j.Command, "\n")
	if more {
		command += " …"
	}
	return j.ID + "  " + outcome(j, v) + "  " + command + "\n"
}
