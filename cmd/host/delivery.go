package host

import (
	"context"
	"io"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/bus/sink"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// beginWithin limits the time for which a call that sends a message goes on to deliver
	// those before it; atOnce limits one delivery.
	beginWithin = 5 * time.Second
	atOnce      = 10 * time.Second
)

// delivery returns the function that delivers a message to the sinks that want it at
// once. Earlier messages that wait for the same sink are delivered before it.
func (s *Settings) delivery() func() (bus.Deliver, error) {
	return func() (bus.Deliver, error) {
		return func(ctx context.Context, m bus.Message) (bus.Delivery, error) {
			all := bus.DeliveryQueued
			for i := range s.Config.Messages.Sinks {
				settings := &s.Config.Messages.Sinks[i]
				if !settings.AtOnce {
					continue
				}
				one, err := s.deliver(ctx, settings, m)
				if err != nil {
					return bus.DeliveryFailed, err
				}
				if one == bus.DeliveryDelivered {
					all = one
				}
			}
			return all, nil
		}, nil
	}
}

// deliver delivers a message to a sink; queued, if the sink does not want it, or another
// process has it.
func (s *Settings) deliver(ctx context.Context, settings *config.Sink, m bus.Message) (bus.Delivery, error) {
	short := *settings
	short.Timeout = min(settings.Timeout, int(atOnce/time.Second))
	b, err := s.bus()()
	if err != nil {
		return "", err
	}
	to, err := s.open(&short, io.Discard)
	if err != nil {
		return "", err
	}
	p := pumpOf(b, &short, to)
	if !p.Filter.Takes(&m) {
		return bus.DeliveryQueued, nil
	}
	ctx, cancel := context.WithTimeout(ctx, beginWithin)
	defer cancel()
	p.Workers = 1
	result := bus.DeliveryQueued
	var why *fault.Error
	p.Report = func(e sink.Event) {
		if e.Message.ID != m.ID {
			return
		}
		cancel()
		if result, why = bus.DeliveryDelivered, e.Err; why != nil {
			result = bus.DeliveryFailed
		}
	}
	if err := p.Run(ctx, true); err != nil {
		return "", err
	}
	if why != nil {
		return result, why
	}
	return result, nil
}
