package bus

import (
	"context"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/state/store"
)

// Status is the state of a message.
type Status string

// The states of a message.
const (
	Queued   Status = "queued"   // nobody has acknowledged it
	Received Status = "received" // a consumer has
	Expired  Status = "expired"  // it was of no use any more before anybody did
	Buried   Status = "dead"     // it went to the dead letters
)

// progress is the progress of the consumers of messages.
type progress struct {
	readers []reader
	buried  map[string]bool // dead letters, by their ids
	now     time.Time
}

// reader is a consumer.
type reader struct {
	store.ConsumerPosition
	filter Filter
}

// readersOf returns the consumers of messages.
func readersOf(r store.Reader) ([]reader, error) {
	all, err := store.ConsumerPositions(r, stream)
	if err != nil {
		return nil, err
	}
	readers := make([]reader, 0, len(all))
	for _, one := range all {
		f, err := parseFilter(one.Filter)
		if err != nil {
			return nil, err
		}
		readers = append(readers, reader{one, f})
	}
	return readers, nil
}

// Held returns how many messages a consumer has been given and not acknowledged, or that
// wait for those, as earlier ones of their conversation.
func (b *Bus) Held(ctx context.Context, consumer string) (n int, err error) {
	err = b.store.View(ctx, func(r store.Reader) error {
		n = 0
		readers, err := readersOf(r)
		for _, one := range readers {
			if one.Name == consumer {
				n = one.Open
			}
		}
		return err
	})
	return n, err
}

// progress reads the progress of the consumers.
func (b *Bus) progress(r store.Reader) (*progress, error) {
	readers, err := readersOf(r)
	if err != nil {
		return nil, err
	}
	s := &progress{readers: readers, buried: map[string]bool{}, now: b.now()}
	return s, eachOf(r, dead, func(kept *store.Message) error {
		s.buried[kept.ID] = true
		return nil
	})
}

// wants reports whether a message is one for the consumer.
func (r *reader) wants(m *Message) bool {
	return r.Began < m.Seq && r.filter.Takes(m) && m.isFor(r.Name)
}

// settled reports whether the consumer will not be given a message any more.
func (r *reader) settled(m *Message) bool {
	return m.Seq <= r.After && !slices.Contains(r.Waiting, m.Seq)
}

// of returns the state of a message.
func (p *progress) of(m *Message) Status {
	buried := false
	for _, r := range p.readers {
		switch {
		case p.buried[letterID(r.Name, m.ID)]:
			buried = true
		case r.wants(m) && r.settled(m) && !m.expired(p.now):
			return Received
		}
	}
	switch {
	case buried || p.buried[letterID("", m.ID)]:
		return Buried
	case m.expired(p.now):
		return Expired
	}
	return Queued
}

// eachOf calls visit for each message of a stream, oldest first.
func eachOf(r store.Reader, of string, visit func(*store.Message) error) error {
	for after := uint64(0); ; {
		kept, err := r.Read(of, after, page)
		if err != nil {
			return err
		}
		for i := range kept {
			after = kept[i].Seq
			if err := visit(&kept[i]); err != nil {
				return err
			}
		}
		if len(kept) < page {
			return nil
		}
	}
}
