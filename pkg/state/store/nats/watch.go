package nats

import (
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/state/store/nats/wire"
)

// tick is how often a bell rings at least: what the server repeats may get lost with a
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
	var bell *wire.Bell
	err := s.try(ctx, func(ctx context.Context, now *link) (err error) {
		l = now
		if bell, err = l.Listen(s.names.bell()); err != nil {
			return err
		}
		if err = l.Ping(ctx); err == nil { // a refusal has come by then
			err = l.Err(bell)
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
				s.listen(ctx, l, bell, out)
				attempt = 0
			}
			if s.pause(ctx, attempt) != nil {
				return
			}
			l = s.listenAgain(ctx, &bell)
		}
	}()
	return out, nil
}

// listenAgain returns nil if the server is away.
func (s *Store) listenAgain(ctx context.Context, bell **wire.Bell) *link {
	l, _, err := s.connect(ctx)
	if err != nil {
		return nil
	}
	if *bell, err = l.Listen(s.names.bell()); err != nil {
		return nil
	}
	return l
}

// listen rings until the connection, the context or the store ends. It rings at once:
// something may have changed before.
func (s *Store) listen(ctx context.Context, l *link, bell *wire.Bell, out chan<- struct{}) {
	defer l.Silence(bell)
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case out <- struct{}{}:
		default:
		}
		select {
		case <-bell.C:
		case <-ticker.C:
			// A server that is gone without a word is noticed.
			within, cancel := context.WithTimeout(ctx, requestTimeout)
			err := l.Ping(within)
			cancel()
			if err != nil && ctx.Err() == nil {
				l.Close()
			}
		case <-l.Done():
			return
		case <-ctx.Done():
			return
		case <-s.closed:
			return
		}
	}
}
