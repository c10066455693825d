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
	c := &cobra.Command{
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
			if h.Everywhere {
				more, err := tickOthers(ctx, h, p.Trouble)
				if err != nil {
					return err
				}
				runs = append(runs, more...)
			}
			return printRuns(p, runs, nil)
		},
	}
	everywhere(c, h, p)
	return c
}

// cronRunCommand is "helve cron run": a scheduler in the foreground.
func cronRunCommand(h *host.Host, p *out.Printer) *cobra.Command {
	c := &cobra.Command{
		Use: "run", Args: out.Args(0, 0),
		Short: p.Text("Run jobs at their times until Ctrl-C"),
		Example: p.Examples(
			"helve cron run", p.Text("until Ctrl-C"),
			"helve cron run --all", p.Text("those of all workspaces of this machine"),
		),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := out.UntilSignal(cmd)
			defer stop()
			ran := &tally{p: p, began: time.Now(), counts: map[schedule.Status]int{}}
			s, err := h.Scheduler(ran.add(""), ran.trouble)
			if err != nil {
				return err
			}
			p.Unsaid()
			p.Note(p.Text("jobs are run from now on; Ctrl-C ends that"))
			beside := others{host: h, tally: ran}
			if h.Everywhere {
				beside.start(ctx)
			}
			err = s.Run(ctx)
			asked := ctx.Err() != nil
			stop()
			beside.wait()
			if err != nil && !asked {
				return err
			}
			return ran.report()
		},
	}
	everywhere(c, h, p)
	return c
}

// tally counts the runs of schedulers, and shows each.
type tally struct {
	p      *out.Printer
	began  time.Time
	mu     sync.Mutex
	counts map[schedule.Status]int
}

// add returns the function that counts the runs of a workspace; "" is the one of the command.
func (t *tally) add(root string) func(schedule.Run) {
	if root != "" {
		root += "  "
	}
	return func(r schedule.Run) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.counts[r.Status]++
		t.p.Note(root + r.Job + "  " + runLine(&r, t.p))
	}
}

func (t *tally) trouble(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.p.Trouble(err)
}

// report prints the counts.
func (t *tally) report() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	total := 0
	document := schema.Document{}
	for _, status := range []schedule.Status{schedule.OK, schedule.Failed, schedule.Timeout, schedule.Skipped, schedule.Missed, schedule.Lost, schedule.Queued} {
		if n := t.counts[status]; n > 0 {
			document = append(document, schema.Member{Name: string(status), Value: n})
			total += n
		}
	}
	return t.p.Report(out.Report{
		Data: schema.Document{{Name: "runs", Value: total}, {Name: "by_status", Value: document}, {Name: "since", Value: t.began.UTC().Truncate(time.Second)}},
		Text: t.p.Text("%d runs\n", total),
	})
}
