package agents

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/overview"
	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// spawnStatusCommand is "helve spawn status": all about one job.
func spawnStatusCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "status ID", Args: out.Args(1, 1),
		Short:   p.Text("Show the status of a sub-agent"),
		Example: p.Examples("helve spawn status fix-tests", p.Text("by the beginning of its id")),
		RunE: func(cmd *cobra.Command, args []string) error {
			jobs, err := h.Agents()
			if err != nil {
				return err
			}
			j, err := jobs.Get(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return p.Report(out.Report{Data: showJob(&j), Text: jobText(p, &j)})
		},
	}
}

// spawnResultCommand is "helve spawn result": what a job has come to.
func spawnResultCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "result ID", Args: out.Args(1, 1),
		Short: p.Text("Print the result of a sub-agent that has ended"),
		Long: p.Text("Print the result of a sub-agent that has ended. The exit status is 0 if it has completed its task, and 1 if it ended otherwise: status and reason say how. " +
			"For one that has not ended yet the error is unavailable, with the exit status 6."),
		Example: p.Examples("helve spawn result find-callers -o text > callers.md", p.Text("the result alone")),
		RunE: func(cmd *cobra.Command, args []string) error {
			jobs, err := h.Agents()
			if err != nil {
				return err
			}
			j, err := jobs.Get(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if !j.Status.Final() {
				return fault.New(fault.Unavailable, fault.T("%s has no result yet: it is %s", j.ID, jobState(p, &j))).
					WithHint(fault.T("wait for its end with: helve spawn wait %s", j.ID)).
					WithDetails(showJob(&j))
			}
			return reportEnd(p, &j)
		},
	}
}

// reportEnd prints what a job has come to, and sets the exit status.
func reportEnd(p *out.Printer, j *agent.Job) error {
	if err := p.Report(out.Report{Data: showJob(j), Text: endText(p, j)}); err != nil {
		return err
	}
	if p.Status == 0 {
		p.Status = line.ExitOf(j.Status)
	}
	return nil
}

// recent is the time after its end that a job stays in the list without --all.
const recent = 24 * time.Hour

// spawnListCommand is "helve spawn list".
func spawnListCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var all bool
	var status []string
	c := &cobra.Command{
		Use: "list", Args: out.Args(0, 0),
		Short: p.Text("List the sub-agents, the newest first"),
		Long:  p.Text("List the sub-agents that are at work, wait, or have ended within a day, the newest first. --all lists those that ended before as well, until helve spawn gc forgets them."),
		Example: p.Examples(
			"helve spawn list -o text", p.Text("a line for each"),
			"helve spawn list --status failed,lost", p.Text("those that did not do their task"),
		),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, s := range status {
				if !slices.Contains(agentStatuses(), s) {
					return fault.New(fault.Usage, fault.T("--status %s: there is no such status", s)).
						WithHint(fault.T("the states are: %s", strings.Join(agentStatuses(), ", ")))
				}
			}
			jobs, err := h.Agents()
			if err != nil {
				return err
			}
			kept, err := jobs.List(cmd.Context())
			if err != nil {
				return err
			}
			since := time.Now().Add(-recent)
			listed := []overview.Agent{}
			var b strings.Builder
			for i := range kept {
				j := &kept[i]
				wanted := all || !j.Status.Final() || j.EndedAt.After(since)
				if len(status) > 0 {
					wanted = slices.Contains(status, string(j.Status))
				}
				if !wanted {
					continue
				}
				listed = append(listed, overview.AgentOf(j))
				b.WriteString(jobLine(p, j))
			}
			if len(listed) == 0 {
				b.WriteString(p.Text("no sub-agents\n"))
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "jobs", Value: listed}}, Text: b.String()})
		},
	}
	c.Flags().SortFlags = false
	c.Flags().BoolVar(&all, "all", false, p.Text("also those that ended more than a day ago"))
	c.Flags().StringSliceVar(&status, "status", nil, p.Text("only those of these states, whenever they ended: %s", strings.Join(agentStatuses(), ", ")))
	_ = c.RegisterFlagCompletionFunc("status", cobra.FixedCompletions(agentStatuses(), cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	return c
}

// agentStatuses lists the states of jobs.
func agentStatuses() []string {
	var all []string
	for _, s := range []agent.Status{agent.Working, agent.InputRequired, agent.Completed, agent.Incomplete, agent.Failed, agent.Canceled, agent.Lost} {
		all = append(all, string(s))
	}
	return all
}
