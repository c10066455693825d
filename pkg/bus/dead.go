package bus

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
)

// nobody stands for the consumer of a dead letter that none has asked for.
const nobody = "nobody"

// Letter is a dead letter: a message that a consumer was given too often, that it gave
// up, or that was too old before anybody acknowledged it.
type Letter struct {
	ID         string    `json:"id"`       // of the letter, such as telegram-bot:01J…
	Consumer   string    `json:"consumer"` // whose it is; nobody, if none has asked for it
	Deliveries int       `json:"deliveries"`
	At         time.Time `json:"at"` // when it went to the dead letters
	Reason     string    `json:"reason"`
	// Message is nil if it cannot be read; then Data has the stored bytes.
	Message *Message `json:"message,omitzero"`
	Data    []byte   `json:"data,omitempty"`
}

// letterID returns the id of the dead letter of a consumer; "" is nobody.
func letterID(consumer, message string) string { return cmp.Or(consumer, nobody) + ":" + message }

// letterOf reads a dead letter.
func letterOf(kept *store.Message) Letter {
	l := Letter{ID: kept.ID, At: kept.Time, Reason: "it cannot be read", Data: kept.Data}
	var d store.Dead
	if json.Unmarshal(kept.Data, &d) != nil {
		return l
	}
	l.Consumer, l.Deliveries, l.At, l.Data = cmp.Or(d.Consumer, nobody), d.Deliveries, d.At, d.Data
	l.Reason = cmp.Or(d.Reason, "it was given and not acknowledged")
	if m, err := decode(&store.Message{ID: d.ID, Seq: d.Seq, Data: d.Data}); err == nil {
		l.Message, l.Data = &m, nil
	}
	return l
}

// Dead returns the newest dead letters that a filter takes, oldest first, at most
// limit. An empty consumer is all.
func (b *Bus) Dead(ctx context.Context, consumer string, f Filter, limit int) ([]Letter, error) {
	all := []Letter{}
	err := b.store.View(ctx, func(r store.Reader) error {
		all = []Letter{}
		return eachOf(r, dead, func(kept *store.Message) error {
			l := letterOf(kept)
			if (consumer == "" || consumer == l.Consumer) && (f == Filter{} || l.Message != nil && f.Takes(l.Message)) {
				all = append(all, l)
			}
			return nil
		})
	})
	return slices.Clone(all[max(0, len(all)-limit):]), err
}

// Revive sends messages among the dead letters again, by the ids of the letters, and
// removes these. Each is a new message, for the consumer alone that gave it up; a
// letter of nobody is for all. The result is the ids of the new messages.
func (b *Bus) Revive(ctx context.Context, letters ...string) (ids []string, err error) {
	now := b.now()
	fresh := make([]string, len(letters))
	for i := range fresh {
		fresh[i] = state.NewID(now)
	}
	err = b.store.Update(ctx, func(tx store.Tx) error {
		for i, id := range letters {
			if err := b.revive(tx, id, fresh[i], now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return fresh, nil
}

func (b *Bus) revive(tx store.Tx, letter, id string, now time.Time) error {
	if store.CheckName(letter) != nil {
		return noLetter(letter)
	}
	kept, err := tx.Find(dead, letter)
	if err != nil {
		return err
	}
	if kept == nil {
		return noLetter(letter)
	}
	l := letterOf(kept)
	if l.Message == nil {
		return fault.New(fault.BadDocument, fault.T("the dead letter %s cannot be read", letter)).
			WithHint(fault.T("look at its data: helve messages dead"))
	}
	m := *l.Message
	m.Again, m.ID = cmp.Or(m.Again, m.ID), id
	m.DedupeKey, m.ExpiresAt = "", time.Time{}
	m.CreatedAt = now.UTC().Truncate(time.Millisecond)
	if m.Only = l.Consumer; m.Only == nobody {
		m.Only = ""
	}
	if _, err := b.Append(tx, &m); err != nil {
		return err
	}
	return tx.Remove(dead, letter)
}

// bury makes a dead letter of what a consumer was given, also if that counts as
// acknowledged already.
func (b *Bus) bury(ctx context.Context, c *store.Consumer, d *store.Delivery, reason string) error {
	err := b.store.Update(ctx, func(tx store.Tx) error {
		return b.appendDead(tx, c.Name, &d.Message, d.Deliveries, reason)
	})
	if err == nil {
		_, err = c.Ack(ctx, d.ID)
	}
	return err
}

// appendDead adds a dead letter of a message; consumer "" is nobody. One that is there
// stays as it is.
func (b *Bus) appendDead(tx store.Tx, consumer string, kept *store.Message, given int, reason string) error {
	data, err := schema.Marshal(store.Dead{Consumer: consumer, ID: kept.ID, Seq: kept.Seq, Deliveries: given, At: b.now().UTC(), Reason: reason, Data: kept.Data})
	if err != nil {
		return err
	}
	_, _, err = tx.Append(dead, letterID(consumer, kept.ID), data)
	return err
}

func noLetter(id string) error {
	return fault.New(fault.NotFound, fault.T("there is no dead letter %q", id)).
		WithHint(fault.T("helve messages dead lists them"))
}
