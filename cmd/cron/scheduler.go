package cron

import (
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schema"
)

// cronTickCommand is "helve cron tick": one pass, for those who call it every minute.
func cronTickCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "tick", Args: out.Args(0, 0),
		Short:   p.Text("Run the jobs that are due now, and end: for crontab and timers"),
		Example: p.Examples("helve cron tick", p.Text("one pass")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := out.UntilSignal(cmd)
			defer stop()
			s, err := h.Scheduler(nil, p.Trouble)
			if err != nil {
				return err
			}
			runs, err := s.Tick(ctx)
			if err != nil {
				return err
			}
			return printRuns(p, runs, nil)
		},
	}
}

// cronRunCommand is "helve cron run": a scheduler in the foreground.
func cronRunCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "run", Args: out.Args(0, 0),
		Short:   p.Text("Run jobs at their times until Ctrl-C"),
		Example: p.Examples("helve cron run", p.Text("until Ctrl-C")),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := out.UntilSignal(cmd)
			defer stop()
			var mu sync.Mutex
			counts := map[schedule.Status]int{}
			ran := func(r schedule.Run) {
				mu.Lock()
				counts[r.Status]++
				mu.Unlock()
				p.Note(r.Job + "  " + runLine(&r, p))
			}
			s, err := h.Scheduler(ran, p.Trouble)
			if err != nil {
				return err
			}
			began := time.Now()
			p.Unsaid()
			p.Note(p.Text("jobs are run from now on; Ctrl-C ends that"))
			if err := s.Run(ctx); err != nil && ctx.Err() == nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			total := 0
			document := schema.Document{}
			for _, status := range []schedule.Status{schedule.OK, schedule.Failed, schedule.Timeout, schedule.Skipped, schedule.Missed, schedule.Lost, schedule.Queued} {
				if n := counts[status]; n > 0 {
					document = append(document, schema.Member{Name: string(status), Value: n})
					total += n
				}
			}
			return p.Report(out.Report{
				Data: schema.Document{{Name: "runs", Value: total}, {Name: "by_status", Value: document}, {Name: "since", Value: began.UTC().Truncate(time.Second)}},
				Text: p.Text("%d runs\n", total),
			})
		},
	}
}
