package cmd

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schedule/timing"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools/cron"
)

// cronCommand is "helve cron": what people do with the schedule beside the tools
// cron_add, cron_list and cron_remove.
func cronCommand(h *host.Host, out *Printer) *cobra.Command {
	c := &cobra.Command{
		Use: "cron", Short: out.Text("Schedule messages, commands and calls, and run them"),
		Example: out.Examples(
			`helve cron add --message "Call Ann back" --in 20m --channel telegram --to 42`, out.Text("a reminder"),
			"helve cron list -o text", out.Text("the jobs"),
			"helve cron run", out.Text("run them"),
		),
	}
	group(c, cronGetCommand(h, out), cronUpdateCommand(h, out), cronEnableCommand(h, out, true), cronEnableCommand(h, out, false), cronRunNowCommand(h, out),
		cronNextCommand(h, out), cronHistoryCommand(h, out), cronTickCommand(h, out), cronRunCommand(h, out), cronInstallCommand(h, out))
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if ran, err := runForeign(cmd, h, out, append([]string{c.Name()}, args...)); ran || err != nil {
			return err
		}
		return needsSubcommand(cmd, args)
	}
	return c
}

// cronGetCommand is "helve cron get": all about one job.
func cronGetCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "get ID", Args: takes(1, 1),
		Short:   out.Text("Show all about one job"),
		Example: out.Examples("helve cron get standup", out.Text("by its id or its name")),
		RunE: func(cmd *cobra.Command, args []string) error {
			jobs, err := h.Jobs()
			if err != nil {
				return err
			}
			job, err := jobs.Get(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return printJob(out, &job)
		},
	}
}

// cronEnableCommand is "helve cron enable", or "helve cron disable".
func cronEnableCommand(h *host.Host, out *Printer, on bool) *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use: "enable ID", Args: takes(1, 1),
		Short:   out.Text("Let a job run again, from now on"),
		Example: out.Examples("helve cron enable standup", out.Text("from now on")),
	}
	if !on {
		c.Use, c.Short = "disable ID", out.Text("Keep a job, but do not run it")
		c.Example = out.Examples(`helve cron disable standup --reason "on leave"`, out.Text("until it is enabled again"))
		c.Flags().StringVar(&reason, "reason", "", out.Text("why, for whoever lists the jobs"))
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
		return printJob(out, &job)
	}
	return c
}

// fullJob is a job with all that is kept of it.
type fullJob struct {
	cron.Job
	Description string       `json:"description"` // when it runs, in a sentence
	Kept        schedule.Job `json:"kept"`        // as it is in the store
}

func printJob(out *Printer, job *schedule.Job) error {
	full := fullJob{cron.Show(job, time.Now(), out.Lang), job.Timing.Describe().In(out.Lang), *job}
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
	row(out.Text("  when   "), full.Description)
	for _, at := range job.Timing.Upcoming(time.Now(), 3) {
		if job.Enabled {
			row(out.Text("  next   "), timing.Show(at).In(out.Lang))
		}
	}
	row(out.Text("  does   "), full.What())
	row(out.Text("  in     "), job.Root)
	if !job.Enabled {
		row(out.Text("  state  "), out.Text("disabled %s", full.Reason))
	}
	if last := job.State.Last; last != nil {
		row(out.Text("  last   "), runLine(last, out))
	}
	return out.Report(report{data: schema.Document{{Name: "job", Value: full}}, text: b.String()})
}
