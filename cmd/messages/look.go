package messages

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
)

// tailCommand is "helve messages tail".
func tailCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var f bus.Filter
	var follow bool
	var after uint64
	var limit int
	c := &cobra.Command{
		Use: "tail", Args: out.Args(0, 0),
		Short: p.Text("Show the newest messages, and with -f those that come"),
		Long:  p.Text("Show messages without taking them from anybody. With -f the output is a stream: a line of JSON for each message, until Ctrl-C."),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := atLeastOne("limit", limit); err != nil {
				return err
			}
			b, err := h.Bus()
			if err != nil {
				return err
			}
			all, next, warnings, err := newest(cmd, b, f, after, limit)
			if err != nil {
				return err
			}
			if follow {
				return followMessages(cmd.Context(), p, b, all, next, f)
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "messages", Value: all}, {Name: "next", Value: next}}, Text: messagesText(all), Warnings: warnings})
		},
	}
	c.Flags().SortFlags = false
	c.Flags().BoolVarP(&follow, "follow", "f", false, p.Text("print each as a line and go on with new ones, until interrupted"))
	chooses(c, p, &f, false)
	c.Flags().Uint64Var(&after, "after", 0, p.Text("the oldest after this sequence number, instead of the newest"))
	c.Flags().IntVar(&limit, "limit", 10, p.Text("maximum number of messages"))
	return c
}

// newest returns the newest messages, or the oldest after a sequence number that was
// given, and the number after which to go on.
func newest(cmd *cobra.Command, b *bus.Bus, f bus.Filter, after uint64, limit int) (all []bus.Message, next uint64, warnings []fault.Text, err error) {
	if cmd.Flags().Changed("after") {
		all, next, unread, err := b.Read(cmd.Context(), after, limit, f)
		if unread > 0 {
			warnings = append(warnings, fault.T("%d damaged messages were left out", unread))
		}
		return append([]bus.Message{}, all...), next, warnings, err
	}
	if next, err = b.Newest(cmd.Context()); err != nil {
		return nil, 0, nil, err
	}
	sent, err := b.Sent(cmd.Context(), f, limit)
	all = []bus.Message{}
	for i := range sent {
		if sent[i].Seq <= next { // what was sent since comes after it
			all = append(all, sent[i].Message)
		}
	}
	return all, next, nil, err
}

// followMessages prints messages, and then those that come.
func followMessages(ctx context.Context, p *out.Printer, b *bus.Bus, all []bus.Message, next uint64, f bus.Filter) error {
	p.Lines()
	lines := p.LineWriter()
	show := func(m bus.Message) error {
		text, err := schema.Marshal(m)
		if err != nil {
			return err
		}
		if p.AsText() {
			text = []byte(approval.Visible(messageText(&m)))
		}
		_, err = lines.Write(text)
		return err
	}
	for _, m := range all {
		if err := show(m); err != nil {
			return nil //nolint:nilerr // nobody reads any more
		}
	}
	gone := false
	err := b.Tail(ctx, next, f, func(m bus.Message) error {
		err := show(m)
		gone = err != nil
		return err
	})
	if gone {
		return nil
	}
	return err
}

// sentCommand is "helve messages sent".
func sentCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var f bus.Filter
	var limit int
	c := &cobra.Command{
		Use: "sent", Args: out.Args(0, 0),
		Short: p.Text("List the newest messages that were sent, and how far each has come"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := atLeastOne("limit", limit); err != nil {
				return err
			}
			b, err := h.Bus()
			if err != nil {
				return err
			}
			all, err := b.Sent(cmd.Context(), f, limit)
			if err != nil {
				return err
			}
			var text strings.Builder
			for i := range all {
				text.WriteString(string(all[i].Status) + "  " + messageText(&all[i].Message))
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "messages", Value: all}}, Text: text.String()})
		},
	}
	c.Flags().SortFlags = false
	chooses(c, p, &f, true)
	c.Flags().IntVar(&limit, "limit", 100, p.Text("maximum number of messages"))
	return c
}

// channelsCommand is "helve messages channels".
func channelsCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "channels", Args: out.Args(0, 0),
		Short: p.Text("List the conversations and the consumers"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := h.Bus()
			if err != nil {
				return err
			}
			o, err := b.Channels(cmd.Context())
			if err != nil {
				return err
			}
			var text strings.Builder
			for _, c := range o.Conversations {
				text.WriteString(p.Text("%s %s  %d messages, %d queued, %d expired, %d dead; last %s\n",
					c.Channel, c.To, c.Messages, c.Queued, c.Expired, c.Dead, c.Last.UTC().Format(time.DateTime)))
			}
			for _, c := range o.Consumers {
				text.WriteString(p.Text("consumer %s  %d open, %d to come\n", c.Name, c.Open, c.Behind))
			}
			return p.Report(out.Report{Data: o, Text: text.String()})
		},
	}
}

// deadCommand is "helve messages dead".
func deadCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var f bus.Filter
	var consumer string
	var limit int
	var retry []string
	c := &cobra.Command{
		Use: "dead", Args: out.Args(0, 0),
		Short: p.Text("List the messages that were given up, or send some again"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("retry") {
				return revive(cmd.Context(), h, p, retry)
			}
			if err := atLeastOne("limit", limit); err != nil {
				return err
			}
			b, err := h.Bus()
			if err != nil {
				return err
			}
			all, err := b.Dead(cmd.Context(), consumer, f, limit)
			if err != nil {
				return err
			}
			var text strings.Builder
			for _, l := range all {
				text.WriteString(p.Text("%s  given %d times  %s  %s\n", l.ID, l.Deliveries, l.At.UTC().Format(time.DateTime), l.Reason))
				if l.Message != nil {
					text.WriteString("  " + strings.ReplaceAll(strings.TrimSuffix(messageText(l.Message), "\n"), "\n", "\n  ") + "\n")
				}
			}
			return p.Report(out.Report{Data: schema.Document{{Name: "letters", Value: all}}, Text: text.String()})
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&consumer, "consumer", "", p.Text("only those that this consumer gave up, such as sink:hook"))
	chooses(c, p, &f, false)
	c.Flags().IntVar(&limit, "limit", 100, p.Text("maximum number of dead letters"))
	c.Flags().StringArrayVar(&retry, "retry", nil, p.Text("id of one to send again, to the consumer that gave it up; may be repeated"))
	return c
}

// revive sends dead letters again.
func revive(ctx context.Context, h *host.Host, p *out.Printer, letters []string) error {
	b, err := ownBus(h, fault.T("send dead letters again"))
	if err != nil {
		return err
	}
	ids, err := b.Revive(ctx, letters...)
	if err != nil {
		return err
	}
	type sentAgain struct {
		Letter string `json:"letter"`
		ID     string `json:"id"` // of the new message
	}
	all := make([]sentAgain, len(ids))
	var text strings.Builder
	for i, id := range ids {
		all[i] = sentAgain{letters[i], id}
		fmt.Fprintf(&text, "%s  %s\n", letters[i], id)
	}
	return p.Report(out.Report{Data: schema.Document{{Name: "revived", Value: all}}, Text: text.String()})
}
