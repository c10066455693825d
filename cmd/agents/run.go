package agents

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/agent/transcript"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// waitArgument is the argument of spawn that says whether the call waits for the result.
const waitArgument = "wait"

// spawnRunCommand is "helve spawn run": a call of spawn that waits, and shows meanwhile
// what the sub-agent does. It also returns what is given as flags.
func spawnRunCommand(h *host.Host, p *out.Printer) (*cobra.Command, *line.Given) {
	var stream bool
	t := line.Builtin(spawnTool)
	c := &cobra.Command{
		Use: "run [JSON | TASK]", Args: cobra.ArbitraryArgs,
		Short: p.Text("Give a task to a sub-agent, wait for its result and see what it does"),
		Long: p.Text("Give a task to a sub-agent and wait for its result. Standard error, if it is a terminal, shows what it does meanwhile. The exit status is 0 if it has completed the task, and 1 if it ended otherwise. " +
			"Ctrl-C cancels it. If this process is killed, or nobody reads its output any more, the sub-agent goes on, and its result comes as a message."),
		Example: p.Examples(
			`helve spawn run "Run the tests in pkg/web and say which fail, and why"`, p.Text("see what it does, and its result"),
			"helve spawn run --stream --timeout 600 < task.md", p.Text("a long task, for a program that reads lines"),
		),
	}
	given := line.ToolFlags(c, t, p)
	c.Flags().Lookup(waitArgument).Usage = p.Text("With =false, return at once.")
	c.Flags().BoolVar(&stream, "stream", false, p.Text("print what it does as it happens, a line of JSON each, and then the result"))
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if stream {
			p.Format = "json"
			p.Lines()
		}
		made, err := line.CallOf(cmd, h, t, given, args)
		if err != nil {
			return err
		}
		input, waits := withoutWait(made.Input)
		o := guard.Run(cmd.Context(), made.Env, made.Tool, input)
		o.Warnings = slices.Concat(made.Warnings(), o.Warnings)
		var spawned struct {
			ID       string `json:"job_id"`
			Existing bool   `json:"existing"`
		}
		if o.Err != nil || !waits || json.Unmarshal(o.JSON, &spawned) != nil || spawned.ID == "" {
			p.Result(made.Tool, o)
			return nil //nolint:nilerr // a result that names no job is printed as it is
		}
		r := &spawnRun{host: h, out: p, existing: spawned.Existing, warnings: o.Warnings}
		return r.run(cmd.Context(), spawned.ID, stream)
	}
	return c, given
}

// withoutWait returns the arguments of a call without those that say whether it waits, and
// what they say; true if they say nothing. What is no JSON object, or no boolean, stays for
// the decoder to refuse.
func withoutWait(input []byte) (rest []byte, waits bool) {
	d := json.NewDecoder(bytes.NewReader(input))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return input, true
	}
	waits = true
	var kept [][]byte
	for d.More() {
		from := d.InputOffset()
		name, err := d.Token()
		if err != nil {
			return input, true
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return input, true
		}
		var b *bool
		if name == waitArgument && json.Unmarshal(value, &b) == nil {
			waits = b == nil || *b
			continue
		}
		kept = append(kept, bytes.TrimLeft(input[from:d.InputOffset()], ", \t\r\n"))
	}
	if _, err := d.Token(); err != nil || len(bytes.TrimSpace(input[d.InputOffset():])) > 0 {
		return input, true
	}
	return slices.Concat([]byte("{"), bytes.Join(kept, []byte(",")), []byte("}")), waits
}

// spawnRun is a job that a person waits for.
type spawnRun struct {
	host     *host.Host
	out      *out.Printer
	existing bool // another call has spawned it
	warnings []fault.Text

	watched *watching
	asked   string // id of the last request that was shown to the person
	steps   int    // shown to the person, of a job on another machine
}

func (r *spawnRun) run(ctx context.Context, id string, stream bool) error {
	jobs, err := r.host.Agents()
	if err != nil {
		return err
	}
	dir, err := r.host.Transcripts()
	if err != nil {
		return err
	}
	j, err := jobs.Get(ctx, id)
	if err != nil {
		return err
	}
	waiter := awaiting{host: r.host, jobs: jobs, each: r.look}
	r.watched = &watching{dir: dir, job: j, each: r.show}
	switch {
	case stream:
		r.watched.each = eventPrinter(r.out)
	case !process.IsTerminal(r.out.Stderr):
		r.watched.each = func(loop.Event) error { return nil }
	}
	err = r.watched.untilEnd(ctx, waiter)
	j = r.watched.job
	switch {
	case errors.Is(err, errGone):
		return nil
	case ctx.Err() != nil && !j.Status.Final():
		return r.interrupted(ctx, jobs, j)
	case err != nil && !(fault.Is(err, fault.NotFound) && j.Status.Final()): // one without a transcript here
		return err
	}
	return r.end(&j, nil)
}

// show shows an event to the person.
func (r *spawnRun) show(e loop.Event) error {
	_, _ = io.WriteString(r.out.Stderr, transcript.Render(e, r.out.Lang)) // nobody need read it
	return nil
}

// look tells the person what no transcript here says.
func (r *spawnRun) look(j *agent.Job) {
	if j.Status == agent.InputRequired && j.Approval != r.asked {
		r.asked = j.Approval
		r.out.Note(r.out.Text("%[1]s waits for a decision: helve approve %[2]s, or helve deny %[2]s", j.ID, j.Approval))
	}
	if elsewhere(j) && j.Iterations > r.steps && process.IsTerminal(r.out.Stderr) {
		r.steps = j.Iterations
		r.out.Note(r.out.Text("%s on %s: step %d, %d tokens so far", j.ID, j.Worker.Host, j.Iterations, j.Tokens))
	}
}

// end prints what the job has come to.
func (r *spawnRun) end(j *agent.Job, failure error) error {
	text := j.Result
	if failure == nil {
		text = endText(r.out, j)
	}
	err := r.out.Report(out.Report{Data: showJob(j), Text: text, Warnings: r.warnings, Failure: failure})
	if err == nil && r.out.Status == 0 {
		r.out.Status = line.ExitOf(j.Status)
	}
	return err
}

// interrupted ends the job that the person no longer waits for, unless it is another's.
func (r *spawnRun) interrupted(ctx context.Context, jobs *agent.Jobs, j agent.Job) error {
	if r.existing {
		return r.end(&j, fault.New(fault.Canceled, fault.T("the wait was interrupted; job %s goes on, as another call has spawned it", j.ID)).
			WithHint(fault.T("helve spawn cancel %s ends it", j.ID)))
	}
	r.out.Note(r.out.Text("%s is being canceled", j.ID))
	all := []agent.Job{j}
	if err := cancelJobs(context.WithoutCancel(ctx), r.host, jobs, all); err != nil {
		return err
	}
	switch j = all[0]; {
	case !j.Status.Final():
		return r.end(&j, stillWorking(j.ID))
	case j.Status == agent.Canceled:
		return r.end(&j, fault.New(fault.Canceled, fault.T("job %s was canceled", j.ID)).
			WithHint(fault.T("what it has changed stays; helve history lists it, and helve undo takes it back")))
	}
	return r.end(&j, nil) // it ended by itself just then
}
