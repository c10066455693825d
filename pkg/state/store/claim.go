package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"
)

// Claim takes up to most messages. With ack they count as acknowledged at once, and are
// lost if the caller dies before it has dealt with them.
func (c *Consumer) Claim(ctx context.Context, most int, ack bool) ([]Delivery, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	most = max(1, most)
	for {
		idle := false
		err := c.Store.View(ctx, func(r Reader) (err error) {
			idle, err = c.idle(r)
			return err
		})
		if err != nil || idle {
			return nil, err
		}
		var taken []Delivery
		more := false
		err = c.Store.Update(ctx, func(tx Tx) (err error) {
			taken, more, err = c.claim(tx, most, ack)
			return err
		})
		if err != nil {
			return nil, err // what was taken is not noted
		}
		if len(taken) > 0 || !more {
			return taken, nil
		}
	}
}

// idle reports whether there is nothing to take and nothing to note, so that whoever
// waits does not write.
func (c *Consumer) idle(r Reader) (bool, error) {
	p, found, err := c.load(r)
	if err != nil || !found {
		return false, err
	}
	now := c.Now()
	for _, o := range p.Open {
		if !now.Before(o.Until) && !blocked(p.Open, o, now, nil) {
			return false, nil
		}
	}
	if len(p.Open) >= maxOpen {
		return true, nil
	}
	next, err := r.Read(c.Stream, p.After, unsaved)
	if err != nil {
		return false, err
	}
	return len(next) < unsaved && !slices.ContainsFunc(next, func(m Message) bool { return c.wants(&m) }), nil
}

func (c *Consumer) wants(m *Message) bool { return c.Match == nil || c.Match(m) }

// claim takes messages: first those that are to be given again, then new ones. more
// says that there may be others although none was taken.
func (c *Consumer) claim(tx Tx, most int, ack bool) (taken []Delivery, more bool, err error) {
	p, _, err := c.load(tx)
	if err != nil {
		return nil, false, err
	}
	now := c.Now()
	mine := map[uint64]bool{} // taken now
	ended := 0                // dead letters made now
	kept := make([]open, 0, len(p.Open)+most)
	for _, o := range p.Open {
		if len(taken) >= most || now.Before(o.Until) || blocked(p.Open, o, now, mine) {
			kept = append(kept, o)
			continue
		}
		last := c.MaxDeliver > 0 && o.Given >= c.MaxDeliver
		if last && ended == page { // a transaction has room for so many writes
			kept, more = append(kept, o), true
			continue
		}
		m, err := tx.Find(c.Stream, o.ID)
		if err != nil {
			return nil, false, err
		}
		mine[o.Seq] = true
		switch {
		case m == nil: // it was removed meanwhile
			more = true
			continue
		case last:
			ended++
			if err := c.bury(tx, m, o.Given, ""); err != nil {
				return nil, false, err
			}
			more = true
			continue
		}
		o.Given++
		o.Until = now.Add(c.Lease)
		taken = append(taken, Delivery{*m, o.Given, o.Until})
		if !ack {
			kept = append(kept, o)
		}
	}
	p.Open = kept
	if len(taken) < most {
		passed, err := c.advance(tx, &p, most, ack, now, &taken)
		if err != nil {
			return nil, false, err
		}
		more = more || passed
	}
	return taken, more, c.save(tx, p)
}

// advance takes new messages, of the first page of the stream that has some. more says
// that there are others after it.
func (c *Consumer) advance(tx Tx, p *position, most int, ack bool, now time.Time, taken *[]Delivery) (more bool, err error) {
	for range pages {
		before := len(*taken)
		more, err = c.turn(tx, p, most, ack, now, taken)
		if err != nil || !more || len(*taken) > before {
			return more, err
		}
	}
	return more, nil
}

// turn takes new messages of one page.
func (c *Consumer) turn(tx Tx, p *position, most int, ack bool, now time.Time, taken *[]Delivery) (more bool, err error) {
	next, err := tx.Read(c.Stream, p.After, page)
	if err != nil {
		return false, err
	}
	for _, m := range next {
		if len(*taken) >= most || len(p.Open) >= maxOpen {
			return false, nil
		}
		p.After = m.Seq
		if !c.wants(&m) {
			continue
		}
		o := open{ID: m.ID, Seq: m.Seq}
		if c.Group != nil {
			o.Group = short(c.Group(&m))
			if others(p.Open, o, *taken) {
				p.Open = append(p.Open, o)
				continue
			}
		}
		o.Given, o.Until = 1, now.Add(c.Lease)
		*taken = append(*taken, Delivery{m, 1, o.Until})
		if !ack {
			p.Open = append(p.Open, o)
		}
	}
	return len(next) == page, nil
}

// short returns the name of a group as it is stored with each open message: hashed if
// long, as one value of the store must hold a thousand of them.
func short(group string) string {
	if len(group) <= maxConsumer {
		return group
	}
	sum := sha256.Sum256([]byte(group))
	return hex.EncodeToString(sum[:])
}

// others reports whether an earlier message of the group of o is open and was not taken
// together with it.
func others(all []open, o open, taken []Delivery) bool {
	return slices.ContainsFunc(all, func(e open) bool {
		return e.Group == o.Group && !slices.ContainsFunc(taken, func(d Delivery) bool { return d.Seq == e.Seq })
	})
}

// blocked reports whether o must wait for an earlier message of its group, which was
// not taken just now.
func blocked(all []open, o open, now time.Time, mine map[uint64]bool) bool {
	if o.Group == "" {
		return false
	}
	return slices.ContainsFunc(all, func(e open) bool {
		return e.Seq < o.Seq && e.Group == o.Group && !mine[e.Seq] && (mine != nil || now.Before(e.Until))
	})
}
