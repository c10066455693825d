// Package cron has the commands about the schedule that are not tools.
package cron

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schedule/timing"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools/cron"
)

// Command is "helve cron": what people do with the schedule beside the tools
// cron_add, cron_list and cron_remove.
func Command(h *host.Host, p *out.Printer) *cobra.Command {
	c := &cobra.Command{
		Use: "cron", Short: p.Text("Schedule messages, commands and calls, and run them"),
		Example: p.Examples(
			`helve cron add --message "Call Ann back" --in 20m --channel telegram --to 42`, p.Text("a reminder"),
			"helve cron list -o text", p.Text("the jobs"),
			"helve cron run", p.Text("run them"),
		),
	}
	out.Group(c, cronGetCommand(h, p), cronUpdateCommand(h, p), cronEnableCommand(h, p, true), cronEnableCommand(h, p, false), cronRunNowCommand(h, p),
		cronNextCommand(h, p), cronHistoryCommand(h, p), cronTickCommand(h, p), cronRunCommand(h, p), cronInstallCommand(h, p))
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if ran, err := line.RunForeign(cmd, h, p, append([]string{c.Name()}, args...)); ran || err != nil {
			return err
		}
		return out.NeedsSubcommand(cmd, args)
	}
	return c
}

// cronGetCommand is "helve cron get": all about one job.
func cronGetCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "get ID", Args: out.Args(1, 1),
		Short:   p.Text("Show all about one job"),
		Example: p.Examples("helve cron get standup", p.Text("by its id or its name")),
		RunE: func(cmd *cobra.Command, args []string) error {
			jobs, err := h.Jobs()
			if err != nil {
				return err
			}
			job, err := jobs.Get(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return printJob(p, &job)
		},
	}
}

// cronEnableCommand is "helve cron enable", or "helve cron disable".
func cronEnableCommand(h *host.Host, p *out.Printer, on bool) *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use: "enable ID", Args: out.Args(1, 1),
		Short:   p.Text("Let a job run again, from now on"),
		Example: p.Examples("helve cron enable standup", p.Text("from now on")),
	}
	if !on {
		c.Use, c.Short = "disable ID", p.Text("Keep a job, but do not run it")
		c.Example = p.Examples(`helve cron disable standup --reason "on leave"`, p.Text("until it is enabled again"))
		c.Flags().StringVar(&reason, "reason", "", p.Text("why, for whoever lists the jobs"))
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if err := host.Personal(fault.T("enable or disable jobs")); err != nil {
			return err
		}
		jobs, err := h.Jobs()
		if err != nil {
			return err
		}
		var job schedule.Job
		if on {
			job, err = jobs.Enable(cmd.Context(), args[0])
		} else {
			job, err = jobs.Disable(cmd.Context(), args[0], reason)
		}
		if err != nil {
			return err
		}
		return printJob(p, &job)
	}
	return c
}

// fullJob is a job with all that is kept of it.
type fullJob struct {
	cron.Job
	Description string       `json:"description"` // when it runs, in a sentence
	Kept        schedule.Job `json:"kept"`        // as it is in the store
}

func printJob(p *out.Printer, job *schedule.Job) error {
	full := fullJob{cron.Show(job, time.Now(), p.Lang), job.Timing.Describe().In(p.Lang), *job}
	var b strings.Builder
	row := func(name, value string) {
		if value != "" {
			b.WriteString(name + value + "\n")
		}
	}
	title := job.ID
	if job.Name != "" {
		title += "  " + job.Name
	}
	b.WriteString(title + "\n")
	row(p.Text("  when   "), full.Description)
	for _, at := range job.Timing.Upcoming(time.Now(), 3) {
		if job.Enabled {
			row(p.Text("  next   "), timing.Show(at).In(p.Lang))
		}
	}
	row(p.Text("  does   "), full.What())
	row(p.Text("  in     "), job.Root)
	if !job.Enabled {
		row(p.Text("  state  "), p.Text("disabled %s", full.Reason))
	}
	if last := job.State.Last; last != nil {
		row(p.Text("  last   "), runLine(last, p))
	}
	return p.Report(out.Report{Data: schema.Document{{Name: "job", Value: full}}, Text: b.String()})
}
