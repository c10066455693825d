package bus

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/state/store"
)

// Record is a message with how far it has come.
type Record struct {
	Message
	Status Status `json:"status"`
}

// Sent returns the newest messages that a filter takes, oldest first, at most limit,
// with how far each has come: what was sent in a turn, or by a session.
func (b *Bus) Sent(ctx context.Context, f Filter, limit int) ([]Record, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	all := []Record{}
	err := b.each(ctx, func(m *Message, s *progress) {
		if !f.Takes(m) {
			return
		}
		if all = append(all, Record{*m, s.of(m)}); len(all) >= 2*limit {
			all = slices.Clone(all[len(all)-limit:])
		}
	})
	return all[max(0, len(all)-limit):], err
}

// Status returns how far a message has come. The fault for one that is not kept is
// not_found.
func (b *Bus) Status(ctx context.Context, id string) (status Status, err error) {
	m, err := b.Get(ctx, id)
	if err != nil {
		return "", err
	}
	err = b.store.View(ctx, func(r store.Reader) error {
		s, err := b.progress(r)
		if err == nil {
			status = s.of(&m)
		}
		return err
	})
	return status, err
}

// Conversation summarises a conversation.
type Conversation struct {
	Channel  string    `json:"channel"`
	To       string    `json:"to"`
	Messages int       `json:"messages"` // that are kept
	Queued   int       `json:"queued"`   // of these, those that nobody has acknowledged
	Expired  int       `json:"expired,omitzero"`
	Dead     int       `json:"dead,omitzero"`
	Last     time.Time `json:"last"` // when the newest was sent
}

// Consumer is a receiver with its place among the messages.
type Consumer struct {
	Name    string `json:"name"`
	Channel string `json:"channel,omitzero"` // what it chooses; empty is all
	To      string `json:"to,omitzero"`
	Session string `json:"session,omitzero"`
	After   uint64 `json:"after"`  // the last message that it was given or passed over
	Open    int    `json:"open"`   // messages that it has, or that wait for those
	Behind  int    `json:"behind"` // messages for it that it has not come to
}

// Overview summarises the bus.
type Overview struct {
	Conversations []Conversation `json:"conversations"` // by channel and conversation
	Consumers     []Consumer     `json:"consumers"`     // by name
	Unreadable    int            `json:"unreadable,omitzero"`
	Dropped       int            `json:"dropped,omitzero"` // dead letters that were removed for their age or number
}

// Channels returns what is on the bus.
func (b *Bus) Channels(ctx context.Context) (Overview, error) {
	o := Overview{Conversations: []Conversation{}, Consumers: []Consumer{}}
	err := b.store.View(ctx, func(r store.Reader) error {
		o = Overview{Conversations: []Conversation{}, Consumers: []Consumer{}}
		s, err := b.progress(r)
		if err != nil {
			return err
		}
		for _, c := range s.readers {
			o.Consumers = append(o.Consumers, Consumer{Name: c.Name, Channel: c.filter.Channel, To: c.filter.To, Session: c.filter.Session, After: c.After, Open: c.Open})
		}
		at := map[string]int{} // conversations
		err = eachOf(r, stream, func(kept *store.Message) error {
			m, err := decode(kept)
			if err != nil {
				o.Unreadable++
				return nil //nolint:nilerr // counted
			}
			o.add(at, &m, s)
			return nil
		})
		if err != nil {
			return err
		}
		o.Dropped, err = dropped(r)
		return err
	})
	slices.SortFunc(o.Conversations, func(x, y Conversation) int {
		return cmp.Or(cmp.Compare(x.Channel, y.Channel), cmp.Compare(x.To, y.To))
	})
	return o, err
}

// add counts a message.
func (o *Overview) add(at map[string]int, m *Message, s *progress) {
	key := m.group()
	i, known := at[key]
	if !known {
		i = len(o.Conversations)
		at[key] = i
		o.Conversations = append(o.Conversations, Conversation{Channel: m.Channel, To: m.To})
	}
	c := &o.Conversations[i]
	c.Messages++
	c.Last = m.CreatedAt
	switch s.of(m) {
	case Queued:
		c.Queued++
	case Expired:
		c.Expired++
	case Buried:
		c.Dead++
	case Received:
	}
	for i := range s.readers {
		if r := &s.readers[i]; r.wants(m) && m.Seq > r.After {
			o.Consumers[i].Behind++
		}
	}
}

// each calls visit for each message that can be read, oldest first.
func (b *Bus) each(ctx context.Context, visit func(*Message, *progress)) error {
	return b.store.View(ctx, func(r store.Reader) error {
		s, err := b.progress(r)
		if err != nil {
			return err
		}
		return eachOf(r, stream, func(kept *store.Message) error {
			if m, err := decode(kept); err == nil {
				visit(&m, s)
			}
			return nil
		})
	})
}
