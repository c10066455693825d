package message

import (
	"context"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/lasting"
)

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	if err := agent.Outside(ctx, call.Home, false, fault.T("send messages")); err != nil {
		return Result{}, err
	}
	m, err := compose(call, a)
	if err != nil {
		return Result{}, err
	}
	b, err := tool.Service[*bus.Bus](call.Home)
	if err != nil {
		return Result{}, err
	}
	if err := m.Check(len(a.Media)); err != nil { // before files are copied
		return Result{}, err
	}
	if m.Media, err = attach(ctx, call, b, a.Media); err != nil {
		return Result{}, err
	}
	sent, err := b.Send(ctx, m)
	if err != nil {
		return Result{}, err
	}
	lasting.Warn(call)
	if sent.Tidying != nil {
		call.WarnDone(fault.T("old messages could not be removed: %s", fault.As(sent.Tidying).Message))
	}
	if sent.Repeated {
		call.WarnDone(fault.T("the same text was sent there a moment ago; it was sent again"))
	}
	r := Result{ID: sent.ID, Seq: sent.Seq, Duplicate: sent.Duplicate, Delivery: bus.DeliveryQueued, Channel: m.Channel, To: m.To}
	if r.Delivery, err = deliver(ctx, call, b, sent); err != nil {
		call.WarnDone(fault.T("not delivered yet: %s", fault.As(err).Message))
	}
	return r, nil
}

// compose returns the message of a call, without its files. The conversation of the call
// fills in missing arguments.
func compose(call *tool.Call, a Args) (bus.Message, error) {
	env := call.Home
	m := bus.Message{
		Channel: a.Channel, To: a.To, Session: env.Session, Turn: env.Turn, Kind: bus.KindMessage,
		Content: a.Content, ReplyTo: a.ReplyTo, DedupeKey: a.DedupeKey, Buttons: a.Buttons,
	}
	if m.Channel == "" {
		m.Channel = env.Channel
	}
	if m.To == "" && m.Channel == env.Channel {
		m.To = env.Chat
	}
	if env.Run != "" {
		job, _, _ := strings.Cut(env.Run, "@")
		m.Origin = &bus.Origin{Kind: "cron", Job: job, Run: env.Run}
	}
	switch {
	case m.Channel == "":
		return m, missing("channel")
	case m.To == "":
		return m, missing("to")
	case strings.EqualFold(m.Channel, bus.System):
		return m, schema.Invalid("/channel", fault.T("%s is the channel of helve's own messages", m.Channel)).
			WithHint(fault.T("name the medium and the conversation of a person, in channel and to"))
	}
	return m, nil
}

// missing is the fault of a message to nobody.
func missing(name string) error {
	return schema.Invalid("/"+name, fault.T("is missing, and this call comes from no conversation")).
		WithHint(fault.T(`pass channel and to, such as "telegram" and "42"; or the host sets HELVE_CHANNEL and HELVE_CHAT, or sends {"context":{"channel":…,"to":…}} with the call`))
}

// patience limits the time that a call waits for a delivery. A slower one is tried again
// without it.
const patience = 20 * time.Second

// deliver tries to deliver the message at once, if something here does so. Of a
// duplicate it looks up how far the first one has come.
func deliver(ctx context.Context, call *tool.Call, b *bus.Bus, sent bus.Receipt) (bus.Delivery, error) {
	if sent.Duplicate {
		status, err := b.Status(ctx, sent.ID)
		if status == bus.Received {
			return bus.DeliveryDelivered, err
		}
		return bus.DeliveryQueued, err
	}
	try, err := tool.Service[bus.Deliver](call.Home)
	if fault.Is(err, fault.Unsupported) {
		return bus.DeliveryQueued, nil
	}
	if err != nil {
		return bus.DeliveryFailed, err
	}
	m, err := b.Get(ctx, sent.ID)
	if err != nil {
		return bus.DeliveryFailed, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return try(ctx, m)
}
