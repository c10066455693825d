package client

import (
	"context"
	"encoding/json"
	"time"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/schema"
)

// slot holds the connection to one server.
type slot struct {
	turn chan struct{} // a lock for connecting; holds one token
	kept *link         // nil if there is none; the pool's mu
}

// Close ends all connections, and all calls that are under way. It returns when nothing of
// the servers is left.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.stop()
	for _, s := range p.slots {
		if s.kept != nil {
			p.end(s.kept)
			s.kept = nil
		}
	}
	p.mu.Unlock()
	p.links.Wait()
}

// link returns the connection to a server for one call; release gives it back.
func (p *Pool) link(ctx context.Context, server *upstream.Server) (*link, error) {
	s, err := p.slot(server)
	if err != nil {
		return nil, err
	}
	select { // two calls do not start a server twice
	case <-s.turn:
	case <-ctx.Done():
		return nil, ended(ctx, server.Name)
	}
	defer func() { s.turn <- struct{}{} }()
	p.mu.Lock()
	if l := s.kept; l != nil && !l.dead() {
		p.take(l)
		p.mu.Unlock()
		return l, nil
	}
	p.mu.Unlock()
	l, err := p.connect(ctx, server)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if old := s.kept; old != nil {
		p.retire(old)
	}
	s.kept, l.slot = l, s
	p.take(l)
	if p.closed {
		s.kept = nil
		p.end(l)
	}
	return l, nil
}

// slot returns the place of a server's connection. Two records of one name are two servers
// unless they are reached in the same way.
func (p *Pool) slot(server *upstream.Server) (*slot, error) {
	key, err := schema.Marshal(upstream.Server{
		Name: server.Name, Command: server.Command, Pass: server.Pass, URL: server.URL, Headers: server.Headers, Unconfined: server.Unconfined,
	})
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, closedPool()
	}
	s := p.slots[string(key)]
	if s == nil {
		s = &slot{turn: make(chan struct{}, 1)}
		s.turn <- struct{}{}
		p.slots[string(key)] = s
	}
	return s, nil
}

// take counts a call. p.mu is held.
func (p *Pool) take(l *link) {
	l.calls++
	if l.idle != nil {
		l.idle.Stop()
		l.idle = nil
	}
}

// release ends a call. A connection that cannot be trusted any more serves no further one.
func (p *Pool) release(l *link, trusted bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.calls--
	switch {
	case !trusted || l.dead() || l.slot.kept != l:
		p.retire(l)
	case l.calls == 0:
		l.idle = time.AfterFunc(p.idle, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			if l.calls == 0 {
				p.retire(l)
			}
		})
	}
}

// retire keeps a connection from further calls, and ends it when none is left. p.mu is
// held.
func (p *Pool) retire(l *link) {
	if l.slot.kept == l {
		l.slot.kept = nil
	}
	if l.calls == 0 {
		p.end(l)
	}
}

// end ends a connection; Close waits for that. p.mu is held.
func (p *Pool) end(l *link) {
	if l.ended {
		return
	}
	l.ended = true
	if l.idle != nil {
		l.idle.Stop()
	}
	go func() {
		defer p.links.Done()
		l.close()
	}()
}

// Call calls a tool with its arguments, an object, and returns what it answers. The context
// bounds it; progress may be nil.
func (p *Pool) Call(ctx context.Context, server *upstream.Server, tool string, arguments json.RawMessage, progress Progress) (*Answer, error) {
	return with(ctx, p, server, func(l *link) (*Answer, error) { return l.call(ctx, tool, arguments, progress) })
}

// Read reads a resource: its parts are the content of the answer. Without an address, that
// is a list of the resources that there are.
func (p *Pool) Read(ctx context.Context, server *upstream.Server, uri string) (*Answer, error) {
	return with(ctx, p, server, func(l *link) (*Answer, error) { return l.read(ctx, uri) })
}

// Fetch returns what a server says of itself and of its tools.
func (p *Pool) Fetch(ctx context.Context, server *upstream.Server) (*Offer, error) {
	return with(ctx, p, server, func(l *link) (*Offer, error) { return l.offer(ctx) })
}

// with asks a server something, once more over another connection if it has forgotten the
// first one.
func with[T any](ctx context.Context, p *Pool, server *upstream.Server, ask func(*link) (T, error)) (answer T, err error) {
	for again := false; ; again = true {
		l, err := p.link(ctx, server)
		if err != nil {
			return answer, err
		}
		answer, err = ask(l)
		err = l.explain(ctx, err)
		p.release(l, err == nil || l.survives(ctx, err))
		if err == nil || again || !forgotten(err) {
			return answer, err
		}
	}
}
