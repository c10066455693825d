package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// bury moves a message to the dead letters.
func (c *Consumer) bury(tx Tx, m *Message, given int, reason string) error {
	if c.Dead == "" {
		return nil
	}
	data, err := schema.Marshal(Dead{Consumer: c.Name, ID: m.ID, Seq: m.Seq, Deliveries: given, At: c.Now().UTC(), Reason: reason, Data: m.Data})
	if err != nil {
		return err
	}
	_, _, err = tx.Append(c.Dead, c.Name+":"+m.ID, data)
	return err
}

// Ack settles messages, by their ids. unknown are those that are not open, because they
// were acknowledged before or never given.
func (c *Consumer) Ack(ctx context.Context, ids ...string) (unknown []string, err error) {
	return c.settle(ctx, ids, func(Tx, *position, int) (bool, error) { return true, nil })
}

// Nak gives a message back. After the delay it is given again.
func (c *Consumer) Nak(ctx context.Context, delay time.Duration, ids ...string) (unknown []string, err error) {
	return c.settle(ctx, ids, func(_ Tx, p *position, at int) (bool, error) {
		p.Open[at].Until = c.Now().Add(delay)
		return false, nil
	})
}

// Extend lets the leases of messages begin anew.
func (c *Consumer) Extend(ctx context.Context, ids ...string) (unknown []string, err error) {
	return c.Nak(ctx, c.Lease, ids...)
}

// Bury moves messages to the dead letters, for a reason.
func (c *Consumer) Bury(ctx context.Context, reason string, ids ...string) (unknown []string, err error) {
	return c.settle(ctx, ids, func(tx Tx, p *position, at int) (bool, error) {
		m, err := tx.Find(c.Stream, p.Open[at].ID)
		if err != nil || m == nil {
			return true, err
		}
		return true, c.bury(tx, m, p.Open[at].Given, reason)
	})
}

// settle changes what is open of some ids. change returns whether the message is
// settled.
func (c *Consumer) settle(ctx context.Context, ids []string, change func(tx Tx, p *position, at int) (bool, error)) (unknown []string, err error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	err = c.Store.Update(ctx, func(tx Tx) error {
		unknown = nil
		e, err := tx.Get(c.key())
		if err != nil {
			return err
		}
		if e.Revision == 0 {
			return fault.New(fault.NotFound, fault.T("no consumer %s has taken messages", c.Name)).
				WithHint(fault.T("name the consumer that the messages were received with; helve messages channels lists them"))
		}
		kept := *c
		kept.Filter = filterOf(e.Value)
		p, _, err := kept.load(tx)
		if err != nil {
			return err
		}
		changed := false
		for _, id := range ids {
			at := slices.IndexFunc(p.Open, func(o open) bool { return o.ID == id && o.Given > 0 })
			if at < 0 {
				unknown = append(unknown, id)
				continue
			}
			done, err := change(tx, &p, at)
			if err != nil {
				return err
			}
			if changed = true; done {
				p.Open = slices.Delete(p.Open, at, at+1)
			}
		}
		if !changed {
			return nil
		}
		return c.save(tx, p)
	})
	return unknown, err
}

// filterOf returns the filter in the value of a position, whatever it is. Of one that
// cannot be read, load says what is wrong.
func filterOf(value []byte) string {
	var p position
	if json.Unmarshal(value, &p) != nil {
		return ""
	}
	return p.Filter
}
