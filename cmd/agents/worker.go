package agents

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/overview"
	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/agent/worker"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
)

// spawnPromptCommand is "helve spawn prompt".
func spawnPromptCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var own bool
	c := &cobra.Command{
		Use: "prompt", Args: out.Args(0, 0),
		Short:   p.Text("Print the system prompt of sub-agents"),
		Long:    p.Text("Print the system prompt of sub-agents as it is in force. To edit it, write that of --default to a file and name the file in the setting spawn.prompt."),
		Example: p.Examples("helve spawn prompt --default -o text > prompt.md", p.Text("a beginning for one of your own")),
		RunE: func(*cobra.Command, []string) error {
			text := loop.OwnPrompt
			if !own {
				var err error
				if text, err = h.AgentPrompt(); err != nil {
					return err
				}
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "prompt", Value: text}}, Text: text})
		},
	}
	c.Flags().BoolVar(&own, "default", false, p.Text("helve's own, with {workspace}, {date}, {system} and {shell} as they are to be replaced"))
	return c
}

// spawnWorkerCommand is "helve spawn worker": it carries out jobs that others spawn.
func spawnWorkerCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var labels []string
	var slots int
	var grace time.Duration
	c := &cobra.Command{
		Use: "worker", Args: out.Args(0, 0),
		Short: p.Text("Run tasks of sub-agents on this host until Ctrl-C"),
		Long: p.Text("Run tasks of sub-agents on this host until Ctrl-C, for hosts that share a store (the setting store.url). It takes those that need no labels and were spawned in this workspace, and those that need only labels it has, " +
			"which then work in this workspace. The output is a stream: a line of JSON for each job that begins or ends, and at the end a summary."),
		Example: p.Examples("helve spawn worker --labels gpu", p.Text("take the jobs that need a GPU, on this host")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := out.Duration("grace", grace); err != nil {
				return err
			}
			if slots < 0 || slots > mostSlots {
				return fault.New(fault.Usage, fault.T("--slots %d: want 1 to %d", slots, mostSlots)).
					WithHint(fault.T("leave it out for the setting spawn.max_jobs"))
			}
			if err := host.Personal(fault.T("carry out the tasks of sub-agents")); err != nil {
				return err
			}
			s, err := h.AgentService(labels, slots)
			if err != nil {
				return err
			}
			ctx, stop := out.UntilSignal(cmd)
			defer stop()
			w := &workerLog{out: p, ended: map[agent.Status]int{}, gone: stop}
			s.Grace, s.Report, s.Trouble = grace, w.report, p.Trouble
			return w.run(ctx, s)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringSliceVar(&labels, "labels", nil, p.Text("labels of this host, such as gpu: it takes tasks that need some of them"))
	f.IntVar(&slots, "slots", 0, p.Text("maximum number of tasks at a time (default the setting spawn.max_jobs)"))
	f.DurationVar(&grace, "grace", time.Minute, p.Text("time that running tasks may take after the worker was asked to end"))
	return c
}

// mostSlots is the most jobs that a host works on at a time.
const mostSlots = 64

// workerLog prints what a worker does.
type workerLog struct {
	out   *out.Printer
	gone  func() // is called when nobody reads any more
	began int
	ended map[agent.Status]int
}

// run runs the service and prints the summary.
func (w *workerLog) run(ctx context.Context, s *worker.Service) error {
	since := time.Now()
	w.out.Lines()
	w.out.Note(w.out.Text("tasks are taken from now on; Ctrl-C ends that"))
	if err := s.Run(ctx); err != nil {
		return err
	}
	total, by := 0, schema.Document{}
	for _, status := range agentStatuses() {
		if n := w.ended[agent.Status(status)]; n > 0 {
			by = append(by, schema.Member{Name: status, Value: n})
			total += n
		}
	}
	return w.out.Report(out.Report{
		Data: schema.Document{{Name: "jobs", Value: w.began}, {Name: "ended", Value: total}, {Name: "by_status", Value: by}, {Name: "since", Value: since.UTC().Truncate(time.Second)}},
		Text: w.out.Text("%d tasks were begun, %d have ended\n", w.began, total),
	})
}

// report prints a line for a job that has begun, has ended or went back to the queue.
func (w *workerLog) report(j agent.Job) {
	switch {
	case j.Status.Final():
		w.ended[j.Status]++
	case !j.Queued:
		w.began++
	}
	line, err := schema.Marshal(overview.AgentOf(&j))
	if err != nil {
		return // every job encodes
	}
	if w.out.AsText() {
		line = []byte(approval.Visible(time.Now().Format(time.DateTime) + " " + jobLine(w.out, &j)))
	}
	if _, err := w.out.LineWriter().Write(line); err != nil {
		w.gone()
	}
}
