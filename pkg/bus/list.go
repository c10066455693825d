package bus

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// page is the number of messages read at once.
const page = 100

// Get returns a message; not_found, if it is not kept.
func (b *Bus) Get(ctx context.Context, id string) (Message, error) {
	if store.CheckName(id) != nil {
		return Message{}, notKept(id)
	}
	var m Message
	err := b.store.View(ctx, func(r store.Reader) error {
		kept, err := r.Find(stream, id)
		if err != nil {
			return err
		}
		if kept == nil {
			return notKept(id)
		}
		m, err = decode(kept)
		return err
	})
	return m, err
}

// Has reports whether a message with this id is kept.
func Has(r store.Reader, id string) (bool, error) {
	m, err := r.Find(stream, id)
	return m != nil, err
}

func notKept(id string) error {
	return fault.New(fault.NotFound, fault.T("there is no message %q", id)).
		WithHint(fault.T("helve messages tail lists the newest; they are kept for %d days", keepDays))
}

// Read returns up to limit messages after a sequence number that a filter takes,
// oldest first, and the sequence number after which to go on. Messages that cannot be
// read are left out; unread counts them.
func (b *Bus) Read(ctx context.Context, after uint64, limit int, f Filter) (all []Message, next uint64, unread int, err error) {
	next = after
	if err := f.check(); err != nil {
		return nil, next, 0, err
	}
	for len(all) < limit {
		var kept []store.Message
		err := b.store.View(ctx, func(r store.Reader) (err error) {
			kept, err = r.Read(stream, next, page)
			return err
		})
		if err != nil {
			return nil, after, 0, err
		}
		for i := range kept {
			if len(all) == limit {
				return all, next, unread, nil
			}
			next = kept[i].Seq
			m, err := decode(&kept[i])
			switch {
			case err != nil:
				unread++
			case f.Takes(&m):
				all = append(all, m)
			}
		}
		if len(kept) < page {
			break
		}
	}
	return all, next, unread, nil
}

// Newest returns the sequence number of the newest message; 0 if there never was one.
func (b *Bus) Newest(ctx context.Context) (seq uint64, err error) {
	err = b.store.View(ctx, func(r store.Reader) error {
		seq, err = r.Last(stream)
		return err
	})
	return seq, err
}

// Tail calls visit for each message after a sequence number, those that come later
// included, until ctx ends or visit returns an error. It is no consumer: nothing is
// taken from anybody. The end of ctx is no error.
func (b *Bus) Tail(ctx context.Context, after uint64, f Filter, visit func(Message) error) error {
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	changed, err := b.store.Watch(watching)
	if err != nil {
		return err
	}
	for {
		messages, next, _, err := b.Read(ctx, after, page, f)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		for _, m := range messages {
			if err := visit(m); err != nil {
				return err
			}
		}
		if next > after {
			after = next
			continue
		}
		if !wait(ctx, changed) {
			return nil
		}
	}
}

// longest is the time after which a listener looks without a notification.
const longest = 30 * time.Second

// wait waits for a change, at most longest; it returns false when ctx is done.
func wait(ctx context.Context, changed <-chan struct{}) bool {
	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-changed:
	case <-timer.C:
	}
	return ctx.Err() == nil
}
