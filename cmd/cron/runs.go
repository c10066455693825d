package cron

import (
	"cmp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schedule/timing"
	zones "github.com/helve-dev/helve/pkg/schedule/zone"
	"github.com/helve-dev/helve/pkg/schema"
)

// cronHistoryCommand is "helve cron history": what has run.
func cronHistoryCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use: "history [ID]", Args: out.Args(0, 1),
		Short:   p.Text("List the runs of a job, or of all"),
		Example: p.Examples("helve cron history backup --limit 5", p.Text("the last runs of a job")),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 1 {
				return fault.New(fault.Usage, fault.T("--limit: want 1 or more, got %d", limit))
			}
			jobs, err := h.Jobs()
			if err != nil {
				return err
			}
			runs, err := jobs.History(cmd.Context(), strings.Join(args, ""), limit)
			if err != nil {
				return err
			}
			return printRuns(p, runs, nil)
		},
	}
	c.Flags().IntVar(&limit, "limit", 100, p.Text("maximum number of runs to list"))
	return c
}

// printRuns prints runs. extra are further members of the document.
func printRuns(p *out.Printer, runs []schedule.Run, extra schema.Document) error {
	if runs == nil {
		runs = []schedule.Run{}
	}
	var b strings.Builder
	for i := range runs {
		b.WriteString(runs[i].Job + "  " + runLine(&runs[i], p) + "\n")
	}
	if len(runs) == 0 {
		b.WriteString(p.Text("no runs\n"))
	}
	return p.Report(out.Report{Data: append(schema.Document{{Name: "runs", Value: runs}}, extra...), Text: b.String()})
}

// runLine shows a run on one line, without its job.
func runLine(r *schedule.Run, p *out.Printer) string {
	here, _ := zones.System("")
	line := timing.Show(r.ScheduledAt.In(here).Truncate(time.Second)).In(p.Lang) + "  " + string(r.Status)
	if r.Attempt > 1 {
		line += p.Text(" (attempt %d)", r.Attempt)
	}
	if r.Slots > 1 {
		line += p.Text(" (%d times)", r.Slots)
	}
	if !r.StartedAt.IsZero() && !r.EndedAt.IsZero() {
		line += "  " + r.EndedAt.Sub(r.StartedAt).Round(time.Millisecond).String()
	}
	if r.Error != "" {
		line += "  " + r.Error
	}
	return line
}

// cronRunNowCommand is "helve cron run-now".
func cronRunNowCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "run-now ID", Args: out.Args(1, 1),
		Short:   p.Text("Run a job now, and wait for its end"),
		Example: p.Examples("helve cron run-now backup", p.Text("outside of its times")),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("run jobs at other times")); err != nil {
				return err
			}
			s, err := h.Scheduler(nil, p.Trouble)
			if err != nil {
				return err
			}
			run, err := s.RunNow(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			text := runLine(&run, p) + "\n"
			if run.Output != "" {
				text += strings.TrimSuffix(run.Output, "\n") + "\n"
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "run", Value: run}}, Text: text})
		},
	}
}

// cronNextCommand is "helve cron next": when an expression, or a job, runs.
func cronNextCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var count int
	var zone string
	c := &cobra.Command{
		Use: "next EXPRESSION|ID", Args: out.Args(1, 1),
		Short: p.Text("Show the next runs of a job, or of a cron expression"),
		Example: p.Examples(
			"helve cron next '0 9 * * MON#1' --timezone Europe/Berlin", p.Text("of an expression, before it is added"),
			"helve cron next standup --count 10", p.Text("of a job"),
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			if count < 1 || count > 1000 {
				return fault.New(fault.Usage, fault.T("--count: want 1 to 1000, got %d", count))
			}
			now := time.Now()
			spec, notes, err := specOf(cmd, h, args[0], zone, now)
			if err != nil {
				return err
			}
			times := []string{}
			var b strings.Builder
			for _, at := range spec.Upcoming(now, count) {
				times = append(times, at.Format(time.RFC1123Z))
				b.WriteString(timing.Show(at).In(p.Lang) + "\n")
			}
			return p.Report(out.Report{Data: schema.Document{
				{Name: "next_runs", Value: times}, {Name: "description", Value: spec.Describe().In(p.Lang)}, {Name: "timezone", Value: spec.Zone},
			}, Text: b.String(), Warnings: notes})
		},
	}
	c.Flags().IntVar(&count, "count", 3, p.Text("number of runs"))
	c.Flags().StringVar(&zone, "timezone", "", p.Text("IANA name of the zone of an expression, by default the person's"))
	return c
}

// specOf returns when something runs: an expression, which has fields or begins with @,
// or a job. The notes are those of [timing.Parse].
func specOf(cmd *cobra.Command, h *host.Host, text, zone string, now time.Time) (timing.Spec, []fault.Text, error) {
	if len(strings.Fields(text)) > 1 || strings.HasPrefix(text, "@") {
		env, _, err := h.Env()
		if err != nil {
			return timing.Spec{}, nil, err
		}
		person, _, err := zones.Person(env.Timezone, env.TZ)
		if err != nil {
			return timing.Spec{}, nil, err
		}
		return timing.Parse(timing.Given{Cron: text, Zone: cmp.Or(zone, person.String())}, now)
	}
	jobs, err := h.Jobs()
	if err != nil {
		return timing.Spec{}, nil, err
	}
	job, err := jobs.Get(cmd.Context(), text)
	switch {
	case err != nil:
		return timing.Spec{}, nil, err
	case job.Problem != nil:
		return timing.Spec{}, nil, job.Problem
	case zone != "":
		return timing.Spec{}, nil, fault.New(fault.Usage, fault.T("a job has its own time zone")).
			WithHint(fault.T("leave out --timezone, or pass an expression"))
	}
	return job.Timing, nil, nil
}
