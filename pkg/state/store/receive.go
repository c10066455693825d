package store

import (
	"context"
	"time"
)

// Receive is Claim that waits until there is a message, or ctx ends: then there is
// none, and no error.
func (c *Consumer) Receive(ctx context.Context, most int, ack bool) ([]Delivery, error) {
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	changed, err := c.Store.Watch(watching)
	if err != nil {
		return nil, err
	}
	for {
		taken, err := c.Claim(ctx, most, ack)
		if ctx.Err() != nil && len(taken) == 0 {
			return nil, nil
		}
		if err != nil || len(taken) > 0 {
			return taken, err
		}
		due, err := c.due(ctx)
		if ctx.Err() != nil {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		timer := time.NewTimer(due)
		select {
		case <-ctx.Done():
		case <-changed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// longest is the longest time, after which a waiting consumer looks by itself.
const longest = 30 * time.Second

// due returns how long it is until an open message may be given again. One that waits
// for an earlier one of its group is given after that one, and not counted here.
func (c *Consumer) due(ctx context.Context) (time.Duration, error) {
	wait := longest
	err := c.Store.View(ctx, func(r Reader) error {
		p, _, err := c.load(r)
		if err != nil {
			return err
		}
		now := c.Now()
		for _, o := range p.Open {
			if o.Given > 0 && !blocked(p.Open, o, now, nil) {
				wait = min(wait, max(o.Until.Sub(now), time.Millisecond))
			}
		}
		return nil
	})
	return wait, err
}
