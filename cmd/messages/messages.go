// Package messages has the commands below "helve messages": receive, deliver and list.
package messages

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
)

// Command is "helve messages": what hosts and people do with the messages that
// agents and jobs send.
func Command(h *host.Host, p *out.Printer) *cobra.Command {
	return out.Group(
		&cobra.Command{Use: "messages", Short: p.Text("Receive, deliver and look at messages")},
		receiveCommand(h, p),
		ackCommand(h, p),
		nakCommand(h, p),
		tailCommand(h, p),
		sentCommand(h, p),
		channelsCommand(h, p),
		deliverCommand(h, p),
		deadCommand(h, p),
	)
}

// chooses adds the flags of a choice of messages, and those of their sender as well.
func chooses(c *cobra.Command, p *out.Printer, f *bus.Filter, sender bool) {
	c.Flags().StringVar(&f.Channel, "channel", "", p.Text("only messages of this channel, such as telegram"))
	c.Flags().StringVar(&f.To, "to", "", p.Text("only messages of this conversation, such as a chat id"))
	if sender {
		c.Flags().StringVar(&f.Session, "session", "", p.Text("only messages that this session sent"))
		c.Flags().StringVar(&f.Turn, "turn", "", p.Text("only messages that were sent in this turn"))
	}
}

// consumes adds the flag that names a consumer.
func consumes(c *cobra.Command, p *out.Printer, name *string) {
	c.Flags().StringVar(name, "consumer", "", p.Text("name of the program that receives, such as telegram-bot"))
}

// needsConsumer refuses a command without a consumer.
func needsConsumer(c *cobra.Command, name string) error {
	if name != "" {
		return nil
	}
	return fault.New(fault.Usage, fault.T("helve messages %s needs --consumer", c.Name())).
		WithHint(fault.T("name the program that receives, as in --consumer telegram-bot: what one name has acknowledged, it does not get again; programs with one name share the messages, and each name gets them all"))
}

// messageText returns a message as people read it.
func messageText(m *bus.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s %s  %s  %s", m.ID, m.Channel, m.To, m.Kind, m.CreatedAt.UTC().Format(time.DateTime))
	if m.From != "" {
		b.WriteString("  " + m.From)
	}
	if m.Deliveries > 1 {
		fmt.Fprintf(&b, "  ×%d", m.Deliveries)
	}
	b.WriteByte('\n')
	for line := range strings.Lines(m.Content) {
		b.WriteString("  " + strings.TrimSuffix(line, "\n") + "\n")
	}
	for _, f := range m.Media {
		fmt.Fprintf(&b, "  %s (%s, %d B)\n", f.Path, f.MIME, f.Bytes)
	}
	return b.String()
}

func messagesText(all []bus.Message) string {
	var b strings.Builder
	for i := range all {
		b.WriteString(messageText(&all[i]))
	}
	return b.String()
}

// atLeastOne refuses a number below one.
func atLeastOne(name string, n int) error {
	if n >= 1 {
		return nil
	}
	return fault.New(fault.Usage, fault.T("--%s %d: want 1 or more", name, n)).
		WithHint(fault.T("leave it out for the default"))
}
