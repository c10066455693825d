package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Receipt is the result of sending a message.
type Receipt struct {
	ID  string // of the message; of the first one, if it is a duplicate
	Seq uint64
	// Duplicate is set if the message was not sent again: another one to the same
	// conversation has its dedupe key, or the same content in the same turn.
	Duplicate bool
	// Repeated is set if the message was sent although the same was sent shortly before:
	// without a turn that may be intended.
	Repeated bool
	// Tidying is the error of removing old messages. The message was sent.
	Tidying error
}

// Send sends a message. It is on the disk, or with the server, when Send returns
// without an error. An empty Kind is a message, ID and CreatedAt are given to it. The
// faults are invalid_arguments, too_large, rate_limited and those of the store.
func (b *Bus) Send(ctx context.Context, m Message) (Receipt, error) {
	if m.Kind == "" {
		m.Kind = KindMessage
	}
	if m.Kind == KindMessage {
		m.Content = WithoutThinking(m.Content)
	}
	var sent *Appended
	err := b.store.Update(ctx, func(tx store.Tx) (err error) {
		if err := b.limit(tx, &m); err != nil {
			return err
		}
		sent, err = b.Append(tx, &m)
		return err
	})
	if err != nil {
		return Receipt{}, err
	}
	r := sent.Receipt()
	if !r.Duplicate && r.Seq%tidyEvery < 2 {
		r.Tidying = b.tidy(ctx)
	}
	return r, nil
}

// Appended is a message in a transaction.
type Appended struct {
	message             *store.Message
	duplicate, repeated bool
}

// Receipt returns the receipt of the message. Its Seq is set after the transaction.
func (a *Appended) Receipt() Receipt {
	return Receipt{ID: a.message.ID, Seq: a.message.Seq, Duplicate: a.duplicate, Repeated: a.repeated}
}

// Append sends a message in a transaction of the caller, together with what else that
// writes. It sets the ID, if there is none, the Kind and CreatedAt.
func (b *Bus) Append(tx store.Tx, m *Message) (*Appended, error) {
	if m.Kind == "" {
		m.Kind = KindMessage
	}
	if err := m.Check(len(m.Media)); err != nil {
		return nil, err
	}
	now := b.now()
	if m.ID == "" {
		m.ID = state.NewID(now)
	}
	if m.CreatedAt.IsZero() {
		m.CreatedAt = now.UTC().Truncate(time.Millisecond)
	}
	keys := m.keys()
	before, repeated, err := earlier(tx, m, keys, now)
	if err != nil || before != nil {
		return &Appended{before, true, false}, err
	}
	data, err := encode(m)
	if err != nil {
		return nil, err
	}
	added, fresh, err := tx.Append(stream, m.ID, data)
	if err != nil || !fresh {
		return &Appended{added, true, false}, err
	}
	for _, key := range keys {
		if err := tx.Put(key, []byte(m.ID)); err != nil {
			return nil, err
		}
	}
	return &Appended{added, false, repeated}, nil
}

// encode returns a message as the store keeps it: without what the store knows itself.
func encode(m *Message) ([]byte, error) {
	kept := *m
	kept.Seq, kept.Deliveries = 0, 0
	data, err := schema.Marshal(kept)
	if err != nil {
		return nil, err
	}
	if len(data) > maxEncoded {
		return nil, fault.New(fault.TooLarge, fault.T("the message takes %d bytes as JSON, at most %d are sent", len(data), maxEncoded)).
			WithHint(fault.T("write content to a file, pass that in media, and send a summary"))
	}
	return data, nil
}

// decode reads a message of the store.
func decode(kept *store.Message) (Message, error) {
	var m Message
	err := json.Unmarshal(kept.Data, &m)
	if err == nil && (m.ID != kept.ID || m.Channel == "" || m.To == "") {
		err = fmt.Errorf("it says that it is %q, of %q", m.ID, m.Channel)
	}
	if err != nil {
		return Message{}, fault.New(fault.BadDocument, fault.T("message %s cannot be read", kept.ID)).
			WithHint(fault.T("helve store check says what else is damaged")).Because(err)
	}
	m.Seq, m.Deliveries = kept.Seq, 0
	return m, nil
}
