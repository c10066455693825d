package messages

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/bus/sink"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
)

// deliverCommand is "helve messages deliver".
func deliverCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var name string
	var once, follow bool
	c := &cobra.Command{
		Use: "deliver", Args: out.Args(0, 0),
		Short: p.Text("Deliver messages to the sinks of the settings"),
		Long: p.Text("Deliver messages to the sinks of messages.sinks in the settings, or with --sink to one of them. Several processes may do so at a time and share the work. " +
			"What cannot be delivered is tried again later; helve messages dead lists what was given up. With a sink that is standard output, such as --sink stdout, the output is a stream: a line of JSON for each message."),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if once && follow {
				return fault.New(fault.Usage, fault.T("--once and --follow exclude each other")).
					WithHint(fault.T("--once is the default"))
			}
			if err := host.Personal(fault.T("deliver messages")); err != nil {
				return err
			}
			pumps, streams, warnings, err := h.Pumps(name, p.LineWriter())
			if err != nil {
				return err
			}
			t := &tally{out: p, counts: make([]delivered, len(pumps))}
			if streams {
				p.Lines()
			}
			if follow {
				p.Unsaid()
			}
			err = t.run(cmd.Context(), pumps, !follow)
			if streams {
				if p.Broken = t.gone; t.gone { // nobody reads any more
					return nil
				}
				return err
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "sinks", Value: t.counts}}, Text: t.text(), Warnings: warnings, Failure: err})
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&name, "sink", "", p.Text("only this sink; stdout needs no setting"))
	c.Flags().BoolVar(&once, "once", false, p.Text("end when nothing is left to deliver now (default)"))
	c.Flags().BoolVar(&follow, "follow", false, p.Text("go on with new messages, until interrupted"))
	return c
}

// delivered counts what became of the tries to deliver to one sink.
type delivered struct {
	Sink      string `json:"sink"`
	Delivered int    `json:"delivered"`
	Failed    int    `json:"failed"` // tries that are repeated later
	Dead      int    `json:"dead"`   // messages that were given up
	LastError string `json:"last_error,omitzero"`
}

// tally runs pumps and counts.
type tally struct {
	out    *out.Printer
	mu     sync.Mutex
	counts []delivered
	gone   bool // the reader of a stream has gone away
}

// run runs pumps until all have ended. If one ends with an error, so do the others.
func (t *tally) run(ctx context.Context, pumps []*sink.Pump, once bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	var failed error
	for i, p := range pumps {
		t.counts[i].Sink = p.Name
		p.Report = func(e sink.Event) { t.note(&t.counts[i], e) }
		all.Go(func() {
			if err := p.Run(ctx, once); err != nil {
				t.mu.Lock()
				defer t.mu.Unlock()
				if failed == nil {
					failed = err
				}
				cancel()
			}
		})
	}
	all.Wait()
	return failed
}

// note counts a try, and says on standard error why it failed.
func (t *tally) note(count *delivered, e sink.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e.Result {
	case sink.Delivered:
		count.Delivered++
		return
	case sink.Waiting:
		count.Failed++
	case sink.Buried:
		count.Dead++
	case sink.Returned:
		if e.Gone {
			t.gone = true
			return
		}
	}
	count.LastError = e.Err.Message.In(t.out.Lang)
	what := t.out.Text("given back")
	switch e.Result {
	case sink.Waiting:
		what = t.out.Text("tried again in %v", e.Delay.Round(time.Second))
	case sink.Buried:
		what = t.out.Text("given up")
	case sink.Delivered, sink.Returned:
	}
	line := fmt.Sprintf("helve: %s: %s: %s (%s)", e.Sink, e.Message.ID, count.LastError, what)
	_, _ = io.WriteString(t.out.Stderr, strings.ReplaceAll(approval.Visible(line), "\n", " ")+"\n") // for whoever looks
}

func (t *tally) text() string {
	var b strings.Builder
	for _, c := range t.counts {
		b.WriteString(t.out.Text("%s  %d delivered, %d to be tried again, %d given up\n", c.Sink, c.Delivered, c.Failed, c.Dead))
	}
	return b.String()
}
