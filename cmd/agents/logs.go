package agents

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/agent/transcript"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state"
)

// spawnLogsCommand is "helve spawn logs".
func spawnLogsCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var follow, stream bool
	c := &cobra.Command{
		Use: "logs ID", Args: out.Args(1, 1),
		Short:   p.Text("Show what a sub-agent has done, and with -f what it does"),
		Long:    p.Text("Show the transcript of a sub-agent, on the host where it works. With -f the output is a stream, until the sub-agent has ended: a line of JSON for each event, or text with -o text."),
		Example: p.Examples("helve spawn logs -f fix-tests", p.Text("what it does, until it has ended")),
		RunE: func(cmd *cobra.Command, args []string) error {
			jobs, err := h.Agents()
			if err != nil {
				return err
			}
			dir, err := h.Transcripts()
			if err != nil {
				return err
			}
			j, err := jobs.Get(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if !follow && !stream {
				return printTranscript(cmd.Context(), p, dir, &j)
			}
			if stream {
				p.Format = "json"
			}
			w := &watching{dir: dir, job: j, each: eventPrinter(p)}
			if !follow || elsewhere(&j) {
				w.ended.Store(true)
				return quietly(w.follow(cmd.Context(), w.job.ID))
			}
			return quietly(w.untilEnd(cmd.Context(), awaiting{host: h, jobs: jobs}))
		},
	}
	c.Flags().SortFlags = false
	c.Flags().BoolVarP(&follow, "follow", "f", false, p.Text("go on with what it does, until it has ended"))
	c.Flags().BoolVar(&stream, "stream", false, p.Text("print events as lines of JSON"))
	return c
}

// printTranscript prints what a sub-agent has done so far.
func printTranscript(ctx context.Context, p *out.Printer, dir *state.Dir, j *agent.Job) error {
	events := []loop.Event{}
	var text strings.Builder
	err := transcript.Follow(ctx, dir, j.ID, false, nil, func(e loop.Event) error {
		events = append(events, e)
		text.WriteString(transcript.Render(e, p.Lang))
		return nil
	})
	switch {
	case fault.Is(err, fault.NotFound) && j.Worker == nil: // it has done nothing yet
		text.WriteString("[" + j.ID + "  " + jobState(p, j) + "]\n")
	case err != nil:
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return p.Report(out.Report{Data: schema.Document{{Name: "job_id", Value: j.ID}, {Name: "status", Value: j.Status}, {Name: "events", Value: events}}, Text: text.String()})
}

// errGone says that nobody reads what is printed any more.
var errGone = errors.New("nobody reads")

// eventPrinter returns what prints events, each as a line of JSON or as text. Its error is
// errGone.
func eventPrinter(p *out.Printer) func(loop.Event) error {
	p.Lines()
	lines := p.LineWriter()
	return func(e loop.Event) error {
		text := []byte(transcript.Render(e, p.Lang))
		if !p.AsText() {
			var err error
			if text, err = schema.Marshal(e); err != nil {
				return err
			}
		}
		if len(text) == 0 {
			return nil
		}
		if _, err := lines.Write(text); err != nil {
			return errGone
		}
		return nil
	}
}

// watching is a transcript that is shown as it grows.
type watching struct {
	dir   *state.Dir
	job   agent.Job
	each  func(loop.Event) error
	ended atomic.Bool // the job has ended: what there is now is all
}

// follow shows the events of a job until it has ended or ctx is done.
func (w *watching) follow(ctx context.Context, id string) error {
	return transcript.Follow(ctx, w.dir, id, true, w.ended.Load, w.each)
}

// elsewhere reports whether a job is carried out on another machine, where its transcript
// is.
func elsewhere(j *agent.Job) bool {
	here := process.Machine()
	return j.Worker != nil && here != "" && j.Worker.Machine != "" && j.Worker.Machine != here
}

// untilEnd waits for the end of the job and shows its events meanwhile.
func (w *watching) untilEnd(ctx context.Context, waiter awaiting) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	shown := make(chan error, 1)
	id := w.job.ID
	go func() {
		err := w.follow(ctx, id)
		if err != nil { // nobody reads, or there is nothing to be read
			stop()
		}
		shown <- err
	}()
	all := []agent.Job{w.job}
	err := waiter.wait(ctx, all)
	w.job = all[0]
	if err != nil {
		stop()
	}
	w.ended.Store(true)
	return errors.Join(<-shown, err)
}

// quietly returns an error, unless it says that nobody reads any more.
func quietly(err error) error {
	if errors.Is(err, errGone) {
		return nil
	}
	return err
}
