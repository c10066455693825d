package agents

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// spawnWaitCommand is "helve spawn wait".
func spawnWaitCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var timeout time.Duration
	var input bool
	c := &cobra.Command{
		Use: "wait ID…", Args: takesJobs,
		Short: p.Text("Wait until sub-agents have ended"),
		Long: p.Text("Wait until sub-agents have ended, and print what each has come to. The exit status is 0 if all have completed their tasks, 1 if one ended otherwise, " +
			"and 6 if the time is over before; with --input it is 4 if a person must decide about a call. They go on whatever becomes of this command."),
		Example: p.Examples("helve spawn wait fix-tests find-callers --timeout 10m", p.Text("for two of them")),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.Duration("timeout", timeout); err != nil {
				return err
			}
			jobs, err := h.Agents()
			if err != nil {
				return err
			}
			all, err := chosenJobs(cmd.Context(), jobs, args)
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			if timeout > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, timeout)
				defer cancel()
			}
			if err := (awaiting{host: h, jobs: jobs, input: input}).wait(ctx, all); err != nil {
				return err
			}
			return reportEnds(cmd.Context(), p, all, input, fault.T("not all have ended within %v", timeout))
		},
	}
	c.Flags().SortFlags = false
	c.Flags().DurationVar(&timeout, "timeout", 0, p.Text("how long to wait, such as 10m; without it, until they have ended"))
	c.Flags().BoolVar(&input, "input", false, p.Text("also end when a person must decide about a call"))
	return c
}

// reportEnds prints what jobs have come to, and sets the exit status. late says that
// some have not ended.
func reportEnds(ctx context.Context, p *out.Printer, all []agent.Job, input bool, late fault.Text) error {
	r := out.Report{Data: schema.Document{{Name: "jobs", Value: showJobs(all)}}}
	var b strings.Builder
	var working []string
	status := 0
	for i := range all {
		j := &all[i]
		switch {
		case !j.Status.Final() && !(input && j.Status == agent.InputRequired):
			working = append(working, j.ID)
		case status != fault.ApprovalRequired.Exit():
			status = max(status, line.ExitOf(j.Status))
		}
		if j.Status.Final() {
			b.WriteString(j.ID + "  " + jobState(p, j) + "\n")
			if text := strings.TrimSpace(j.Result); text != "" {
				b.WriteString("  " + indented(text, "  ") + "\n")
			}
			if j.Fault != nil {
				b.WriteString("  " + indented(j.Fault.Message, "  ") + "\n")
			}
		} else {
			b.WriteString(jobText(p, j))
		}
	}
	r.Text = b.String()
	switch {
	case len(working) == 0 || status == fault.ApprovalRequired.Exit():
	case ctx.Err() != nil:
		r.Failure = fault.New(fault.Canceled, fault.T("the wait was interrupted")).
			WithHint(fault.T("the sub-agents go on; to end them: helve spawn cancel %s", strings.Join(working, " ")))
	default:
		r.Failure = fault.New(fault.Timeout, late).
			WithHint(fault.T("they go on; wait longer with: helve spawn wait %s", strings.Join(working, " ")))
	}
	if err := p.Report(r); err != nil {
		return err
	}
	if p.Status == 0 {
		p.Status = status
	}
	return nil
}

// takesJobs refuses no arguments.
func takesJobs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return fault.New(fault.Usage, fault.T("%s needs the id of a job", c.CommandPath())).
		WithHint(fault.T("helve spawn list shows them; usage: %s", c.UseLine()))
}
