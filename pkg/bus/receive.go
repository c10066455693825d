package bus

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/store"
)

// What Receive does if its options do not say.
const (
	defaultMax     = 10
	defaultLease   = time.Minute
	defaultDeliver = 5
	// MaxReceive is the largest number of messages that are received at once.
	MaxReceive = 100
)

// ReceiveOptions select the messages to receive.
type ReceiveOptions struct {
	Consumer string // its name, as of a stream; processes with one name share the messages
	Filter   Filter // fixed at the first time; another one is the fault conflict
	Max      int    // messages; 0 is 10, at most [MaxReceive] are given
	// Lease is the time until a message that the receiver has not acknowledged goes to
	// others; 0 is a minute.
	Lease time.Duration
	// Wait limits the wait for the first message; 0 does not wait.
	Wait time.Duration
	// MaxDeliver limits the deliveries of a message before it goes to the dead letters; 0
	// is five.
	MaxDeliver int
	FromNow    bool // a new consumer gets only what is sent from now on
	// Ack acknowledges messages at once: each is delivered at most once, and lost if the
	// receiver dies.
	Ack bool
}

// Receive takes messages, oldest first. Messages of one conversation come in the order of
// sending: none comes while an earlier one is with another receiver. If none comes in
// time, the result is empty. Expired messages are skipped, and unreadable ones go to the
// dead letters.
func (b *Bus) Receive(ctx context.Context, o ReceiveOptions) ([]Message, error) {
	if err := checkConsumer(o.Consumer); err != nil {
		return nil, err
	}
	if err := o.Filter.check(); err != nil {
		return nil, err
	}
	c := b.consumer(o)
	most := min(max(o.Max, 0), MaxReceive)
	if most == 0 {
		most = defaultMax
	}
	waiting := ctx
	if o.Wait > 0 {
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(ctx, o.Wait)
		defer cancel()
	}
	for {
		var taken []store.Delivery
		var err error
		if o.Wait > 0 {
			taken, err = c.Receive(waiting, most, o.Ack)
			if len(taken) == 0 && waiting.Err() != nil {
				return nil, nil
			}
		} else {
			taken, err = c.Claim(ctx, most, o.Ack)
		}
		if err != nil || len(taken) == 0 {
			return nil, err
		}
		// What was claimed is given, or settled: also if the wait has ended meanwhile.
		messages, err := b.given(context.WithoutCancel(ctx), c, taken)
		if err != nil || len(messages) > 0 {
			return messages, err
		}
	}
}

// consumer returns the consumer that options speak of.
func (b *Bus) consumer(o ReceiveOptions) *store.Consumer {
	c := &store.Consumer{
		Store: b.store, Stream: stream, Name: o.Consumer, Filter: o.Filter.String(), FromNow: o.FromNow,
		Lease: o.Lease, MaxDeliver: o.MaxDeliver, Dead: dead, Now: b.now,
		Match: func(kept *store.Message) bool {
			m, err := decode(kept)
			return err != nil || o.Filter.Takes(&m) && m.isFor(o.Consumer) && !m.expired(b.now())
		},
		Group: func(kept *store.Message) string {
			m, err := decode(kept)
			if err != nil {
				return ""
			}
			return m.group()
		},
	}
	if c.Lease <= 0 {
		c.Lease = defaultLease
	}
	if c.MaxDeliver <= 0 {
		c.MaxDeliver = defaultDeliver
	}
	return c
}

// isFor reports whether a consumer may have the message.
func (m *Message) isFor(consumer string) bool { return m.Only == "" || m.Only == consumer }

// group names the conversation, in which messages stay in their order.
func (m *Message) group() string { return m.Channel + "/" + m.To } // no channel has a slash

// expired reports whether the message is of no use any more.
func (m *Message) expired(now time.Time) bool {
	return !m.ExpiresAt.IsZero() && !now.Before(m.ExpiresAt)
}

// given returns the messages of deliveries, and settles those that nobody is to have.
func (b *Bus) given(ctx context.Context, c *store.Consumer, taken []store.Delivery) ([]Message, error) {
	messages := make([]Message, 0, len(taken))
	for _, d := range taken {
		m, err := decode(&d.Message)
		switch {
		case err != nil:
			err = b.bury(ctx, c, &d, fault.As(err).Message.In(fault.English))
		case m.expired(b.now()):
			_, err = c.Ack(ctx, d.ID)
		default:
			m.Deliveries = d.Deliveries
			err = b.fetch(ctx, &m)
			messages = append(messages, m)
		}
		if err != nil {
			return nil, err
		}
	}
	return messages, nil
}

// Ack acknowledges messages of a consumer by their ids. unknown lists the ids that it
// does not have: they were acknowledged before, or never given to it.
func (b *Bus) Ack(ctx context.Context, consumer string, ids ...string) (unknown []string, err error) {
	if err := checkConsumer(consumer); err != nil {
		return nil, err
	}
	return b.consumer(ReceiveOptions{Consumer: consumer}).Ack(ctx, ids...)
}

// Nak gives messages back: after the delay a consumer gets them again.
func (b *Bus) Nak(ctx context.Context, consumer string, delay time.Duration, ids ...string) (unknown []string, err error) {
	if err := checkConsumer(consumer); err != nil {
		return nil, err
	}
	return b.consumer(ReceiveOptions{Consumer: consumer}).Nak(ctx, max(0, delay), ids...)
}

// Extend gives a receiver more time for messages that it has.
func (b *Bus) Extend(ctx context.Context, consumer string, lease time.Duration, ids ...string) (unknown []string, err error) {
	if err := checkConsumer(consumer); err != nil {
		return nil, err
	}
	return b.consumer(ReceiveOptions{Consumer: consumer, Lease: lease}).Extend(ctx, ids...)
}

// Bury moves messages that a consumer has to the dead letters, for a reason.
func (b *Bus) Bury(ctx context.Context, consumer, reason string, ids ...string) (unknown []string, err error) {
	if err := checkConsumer(consumer); err != nil {
		return nil, err
	}
	return b.consumer(ReceiveOptions{Consumer: consumer}).Bury(ctx, reason, ids...)
}

func checkConsumer(name string) error {
	if store.CheckName(name) == nil && len(name) <= maxChannel && name != nobody {
		return nil
	}
	return schema.Invalid("/consumer", fault.T("not a name of a consumer: %q", name)).
		WithHint(fault.T("name the program that receives, such as telegram-bot: up to %d of a-z A-Z 0-9 . _ - + @ and :", maxChannel))
}
