package cmd

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/desk/overview"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// spawnStatusCommand is "helve spawn status": all about one job.
func spawnStatusCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "status ID", Args: takes(1, 1),
		Short:   out.Text("Show how far a sub-agent has come"),
		Example: out.Examples("helve spawn status fix-tests", out.Text("by the beginning of its id")),
		RunE: func(cmd *cobra.Command, args []string) error {
			jobs, err := h.Agents()
			if err != nil {
				return err
			}
			j, err := jobs.Get(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return out.Report(report{data: showJob(&j), text: jobText(out, &j)})
		},
	}
}

// spawnResultCommand is "helve spawn result": what a job has come to.
func spawnResultCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "result ID", Args: takes(1, 1),
		Short: out.Text("Print the result of a sub-agent that has ended"),
		Long: out.Text("Print the result of a sub-agent that has ended. The exit status is 0 if it has completed its task, and 1 if it ended otherwise: status and reason say how. " +
			"For one that has not ended yet the error is unavailable, with the exit status 6."),
		Example: out.Examples("helve spawn result find-callers -o text > callers.md", out.Text("the result alone")),
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
				return fault.New(fault.Unavailable, fault.T("%s has no result yet: it is %s", j.ID, jobState(out, &j))).
					WithHint(fault.T("wait for its end with: helve spawn wait %s", j.ID)).
					WithDetails(showJob(&j))
			}
			return reportEnd(out, &j)
		},
	}
}

// reportEnd prints what a job has come to, and sets the exit status.
func reportEnd(out *Printer, j *agent.Job) error {
	if err := out.Report(report{data: showJob(j), text: endText(out, j)}); err != nil {
		return err
	}
	if out.status == 0 {
		out.status = exitOf(j.Status)
	}
	return nil
}

// recent is how long a job stays in the list without --all after its end.
const recent = 24 * time.Hour

// spawnListCommand is "helve spawn list".
func spawnListCommand(h *host.Host, out *Printer) *cobra.Command {
	var all bool
	var status []string
	c := &cobra.Command{
		Use: "list", Args: takes(0, 0),
		Short: out.Text("List the sub-agents, the newest first"),
		Long:  out.Text("List the sub-agents that are at work, wait, or have ended within a day, the newest first. --all lists those that ended before as well, until helve spawn gc forgets them."),
		Example: out.Examples(
			"helve spawn list -o text", out.Text("a line for each"),
			"helve spawn list --status failed,lost", out.Text("those that did not do their task"),
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
				b.WriteString(jobLine(out, j))
			}
			if len(listed) == 0 {
				b.WriteString(out.Text("no sub-agents\n"))
			}
			return out.Report(report{data: schema.Document{{Name: "jobs", Value: listed}}, text: b.String()})
		},
	}
	c.Flags().SortFlags = false
	c.Flags().BoolVar(&all, "all", false, out.Text("also those that ended more than a day ago"))
	c.Flags().StringSliceVar(&status, "status", nil, out.Text("only those of these states, whenever they ended: %s", strings.Join(agentStatuses(), ", ")))
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
