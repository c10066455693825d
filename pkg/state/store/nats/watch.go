package nats

import (
	"context"
	"time"

	client "github.com/nats-io/nats.go"
)

// tick is the longest pause between two notifications: the server's own may get lost with a
// connection.
const tick = 2 * time.Second

// Watch returns a bell. Its goroutine ends with the context, or with the store, and
// connects again whenever the connection is lost.
func (s *Store) Watch(ctx context.Context) (<-chan struct{}, error) {
	out := make(chan struct{}, 1)
	select {
	case <-ctx.Done():
		close(out)
		return out, nil
	default:
	}
	var l *link
	var b *bell
	err := s.try(ctx, func(ctx context.Context, now *link) (err error) {
		l = now
		if b, err = l.listen(); err != nil {
			return err
		}
		if err = l.ping(ctx); err != nil {
			return err
		}
		if last := l.LastError(); forbids(last, b.inbox.Subject) { // a refusal has come by then
			err = last
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	go func() {
		defer close(out)
		for attempt := 0; ; attempt++ {
			if l != nil {
				s.ring(ctx, l, b, out)
				attempt = 0
			}
			if s.pause(ctx, attempt) != nil {
				return
			}
			l, b = s.listenAgain(ctx)
		}
	}()
	return out, nil
}

// bell is a subscription of which only that something came is of interest.
type bell struct {
	inbox *client.Subscription
	c     chan *client.Msg
}

func (l *link) listen() (*bell, error) {
	b := &bell{c: make(chan *client.Msg, 1)}
	var err error
	if b.inbox, err = l.ChanSubscribe(l.names.bell(), b.c); err != nil {
		return nil, l.lost(err)
	}
	return b, nil
}

// listenAgain returns nil if the server is away.
func (s *Store) listenAgain(ctx context.Context) (*link, *bell) {
	l, _, err := s.connect(ctx)
	if err != nil {
		return nil, nil
	}
	b, err := l.listen()
	if err != nil {
		return nil, nil
	}
	return l, b
}

// ring rings until the connection, the context or the store ends, or the server asks its
// clients to go elsewhere. It rings at once: something may have changed before.
func (s *Store) ring(ctx context.Context, l *link, b *bell, out chan<- struct{}) {
	defer func() { _ = b.inbox.Unsubscribe() }() // with the connection, the subscription is gone too
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case out <- struct{}{}:
		default:
		}
		select {
		case <-b.c:
		case <-ticker.C:
			select {
			case <-l.leaving:
				return
			default:
			}
			_ = l.ping(ctx) // a server that is gone without a word is noticed
		case <-l.done:
			return
		case <-ctx.Done():
			return
		case <-s.closed:
			return
		}
	}
}
