package messages

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// receiveCommand is "helve messages recv".
func receiveCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var o bus.ReceiveOptions
	var ack bool
	c := &cobra.Command{
		Use: "recv", Args: out.Args(0, 0),
		Short: p.Text("Take messages for a consumer"),
		Long: p.Text("Take messages for a consumer, the oldest first. Each is given to one receiver of that name, which acknowledges it with ack within the lease; otherwise it is given again. " +
			"Those of one conversation come in their order. No message is no fault: the list is empty."),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needsConsumer(cmd, o.Consumer); err != nil {
				return err
			}
			for _, err := range []error{out.Duration("wait", o.Wait), out.Duration("lease", o.Lease), atLeastOne("max", o.Max)} {
				if err != nil {
					return err
				}
			}
			b, err := ownBus(h, fault.T("take messages"))
			if err != nil {
				return err
			}
			all, err := b.Receive(cmd.Context(), o)
			if err != nil {
				return err
			}
			if len(all) == 0 && cmd.Context().Err() != nil {
				return context.Cause(cmd.Context())
			}
			var warnings []fault.Text
			if len(all) == 0 {
				all = []bus.Message{}
				if warnings, err = withheld(cmd.Context(), b, o.Consumer); err != nil {
					return err
				}
			}
			if err := p.Report(out.Report{Data: schema.Document{{Name: "messages", Value: all}}, Text: messagesText(all), Warnings: warnings}); err != nil || !ack {
				return err
			}
			return acknowledge(b, o.Consumer, all, p.Broken)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	consumes(c, p, &o.Consumer)
	chooses(c, p, &o.Filter, false)
	f.DurationVar(&o.Wait, "wait", 0, p.Text("how long to wait for the first message, such as 30s"))
	f.IntVar(&o.Max, "max", 10, p.Text("maximum number of messages to take, up to %d", bus.MaxReceive))
	f.DurationVar(&o.Lease, "lease", time.Minute, p.Text("how long the receiver may take until it acknowledges them"))
	f.BoolVar(&ack, "ack", false, p.Text("acknowledge them once they are printed"))
	return c
}

// withheld says why a consumer gets nothing although there is something for it.
func withheld(ctx context.Context, b *bus.Bus, consumer string) ([]fault.Text, error) {
	n, err := b.Held(ctx, consumer)
	if err != nil || n == 0 {
		return nil, err
	}
	return []fault.Text{fault.T("%[1]s holds %[2]d messages that it has not acknowledged, or that wait for those; acknowledge them with: helve messages ack ID --consumer %[1]s", consumer, n)}, nil
}

// acknowledge acknowledges messages that were printed, or gives them back if they could
// not be.
func acknowledge(b *bus.Bus, consumer string, all []bus.Message, unread bool) error {
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	if len(ids) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), settling) // also after Ctrl-C: they are printed
	defer cancel()
	var err error
	if unread {
		_, err = b.Nak(ctx, consumer, 0, ids...)
	} else {
		_, err = b.Ack(ctx, consumer, ids...)
	}
	return err
}

// settling limits the time to record in the store what was received.
const settling = 10 * time.Second

// ackCommand is "helve messages ack".
func ackCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var consumer string
	c := &cobra.Command{
		Use: "ack ID…", Args: takesSome,
		Short: p.Text("Acknowledge messages"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if err := needsConsumer(cmd, consumer); err != nil {
				return err
			}
			b, err := ownBus(h, fault.T("acknowledge messages"))
			if err != nil {
				return err
			}
			unknown, err := b.Ack(cmd.Context(), consumer, ids...)
			if err != nil {
				return err
			}
			return settled(p, "acknowledged", consumer, ids, unknown)
		},
	}
	consumes(c, p, &consumer)
	return c
}

// nakCommand is "helve messages nak".
func nakCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var consumer string
	var delay time.Duration
	c := &cobra.Command{
		Use: "nak ID…", Args: takesSome,
		Short: p.Text("Return messages, to be delivered again"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if err := needsConsumer(cmd, consumer); err != nil {
				return err
			}
			if err := out.Duration("delay", delay); err != nil {
				return err
			}
			b, err := ownBus(h, fault.T("give messages back"))
			if err != nil {
				return err
			}
			unknown, err := b.Nak(cmd.Context(), consumer, delay, ids...)
			if err != nil {
				return err
			}
			return settled(p, "returned", consumer, ids, unknown)
		},
	}
	consumes(c, p, &consumer)
	c.Flags().DurationVar(&delay, "delay", 0, p.Text("how long until they are given again, such as 30s"))
	return c
}

// takesSome refuses no arguments.
func takesSome(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return fault.New(fault.Usage, fault.T("%s needs the id of a message", c.CommandPath())).
		WithHint(fault.T("usage: %s", c.UseLine()))
}

// settled prints which messages were settled. Those that the consumer does not have are a
// fault: it was too late, or somebody else has them.
func settled(p *out.Printer, what, consumer string, ids, unknown []string) error {
	done := []string{}
	missing := map[string]bool{}
	for _, id := range unknown {
		missing[id] = true
	}
	for _, id := range ids {
		if !missing[id] {
			done = append(done, id)
		}
	}
	r := out.Report{Data: schema.Document{{Name: what, Value: done}}, Text: strings.Join(done, "\n") + "\n"}
	if len(unknown) > 0 {
		r.Data = schema.Document{{Name: what, Value: done}, {Name: "unknown", Value: unknown}}
		r.Failure = fault.New(fault.NotFound, fault.T("%s does not have %s", consumer, strings.Join(unknown, ", "))).
			WithHint(fault.T("it was acknowledged before, or never received under this name; helve messages recv gives what is left")).
			WithDetails(schema.Document{{Name: "unknown", Value: unknown}})
	}
	return p.Report(r)
}

// ownBus opens the bus for what only a host or a person may do.
func ownBus(h *host.Host, what fault.Text) (*bus.Bus, error) {
	if err := host.Personal(what); err != nil {
		return nil, err
	}
	return h.Bus()
}
