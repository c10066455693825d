package nats

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	client "github.com/nats-io/nats.go"
)

// link is a connection whose server has the stream. The library does not connect again
// by itself, nor keep for later what could not be sent: a transaction decides about that.
type link struct {
	*client.Conn
	names  subjects
	direct bool // the only server with the stream answers batches of reads

	leaving chan struct{} // closed when the server asks its clients to go elsewhere
	done    chan struct{} // closed when the connection has ended

	mu   sync.Mutex
	open map[*answers]bool // those that somebody waits for
}

// errLost says that a connection has ended. What was asked before may have been carried
// out.
var errLost = errors.New("the connection was lost")

// authError is a server's refusal to let a user in.
type authError struct{ error }

// dial connects to the first of the servers that answers. The connection outlives ctx.
func (s *Store) dial(ctx context.Context) (*link, error) {
	within, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	l, err := s.dialAny(within)
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		err = errSilent
	}
	return l, err
}

func (s *Store) dialAny(ctx context.Context) (*link, error) {
	servers := slices.Clone(s.options.Servers)
	if s.link != nil {
		for _, member := range s.link.DiscoveredServers() {
			if !slices.Contains(servers, member) {
				servers = append(servers, member)
			}
		}
	}
	var first error
	for i, server := range servers {
		l, err := s.dialWithin(ctx, server, len(servers)-i)
		if err == nil {
			return l, nil
		}
		err = fmt.Errorf("%s: %w", hostOf(server), err)
		if _, refused := errors.AsType[authError](err); refused || ctx.Err() != nil {
			return nil, err // the others have the same users
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// dialWithin tries one server, and leaves time for the others.
func (s *Store) dialWithin(ctx context.Context, server string, left int) (*link, error) {
	deadline, _ := ctx.Deadline()
	ctx, cancel := context.WithTimeout(ctx, time.Until(deadline)/time.Duration(left))
	defer cancel()
	l := &link{names: s.names, leaving: make(chan struct{}), done: make(chan struct{}), open: map[*answers]bool{}}
	d := &dialer{ctx: ctx}
	o := s.options
	o.Servers, o.CustomDialer = []string{server}, d
	o.TLSConfig = s.trust(server)
	o.ClosedCB = func(*client.Conn) { close(l.done) }
	leave := sync.OnceFunc(func() { close(l.leaving) })
	o.LameDuckModeHandler = func(*client.Conn) { leave() }
	o.AsyncErrorCB = func(_ *client.Conn, _ *client.Subscription, err error) { l.refuse(err) }
	var err error
	if l.Conn, err = o.Connect(); err == nil && !d.stop() {
		l.Close()
		err = ctx.Err()
	}
	switch {
	case err == nil:
		return l, nil
	case ctx.Err() != nil:
		err = ctx.Err()
	case errors.Is(err, client.ErrNoServers) && d.err != nil:
		err = d.err // which the library leaves out
	case errors.Is(err, client.ErrNkeysNotSupported) || aboutUser(err.Error()):
		err = authError{errors.New(strings.TrimPrefix(err.Error(), "nats: "))}
	}
	return nil, err
}

// dialer makes the connections of the library, which end with ctx until stop is called.
type dialer struct {
	ctx  context.Context
	stop func() bool
	err  error
}

func (d *dialer) Dial(network, address string) (net.Conn, error) {
	nc, err := (&net.Dialer{}).DialContext(d.ctx, network, address)
	if err != nil {
		d.err = err
		return nil, err
	}
	d.stop = context.AfterFunc(d.ctx, func() { _ = nc.Close() }) // the error is that of what it interrupts
	return nc, nil
}

// aboutUser reports whether an error of the server is about who connects.
func aboutUser(text string) bool {
	text, theirs := strings.CutPrefix(strings.ToLower(text), "nats: ")
	return theirs && (strings.HasPrefix(text, "authorization") || strings.Contains(text, "authentication") || strings.Contains(text, "account"))
}

// hostOf returns the host and port of a server's address.
func hostOf(server string) string {
	_, host, _ := strings.Cut(server, "://")
	return host
}

// answers receives the answers to one publish. Whoever published closes it.
type answers struct {
	link     *link
	subjects []string // what was published to, and where the answers come
	inbox    *client.Subscription
	messages chan *client.Msg
	refused  chan error
}

// publish sends messages, in one go, whose answers go to one place.
func (l *link) publish(all ...*client.Msg) (*answers, error) {
	inbox := l.NewInbox()
	a := &answers{link: l, subjects: []string{inbox}, messages: make(chan *client.Msg, max(len(all), maxBatch)+1), refused: make(chan error, 1)}
	for _, m := range all {
		m.Reply = inbox
		a.subjects = append(a.subjects, m.Subject)
	}
	l.mu.Lock()
	l.open[a] = true
	l.mu.Unlock()
	var err error
	if a.inbox, err = l.ChanSubscribe(inbox, a.messages); err != nil {
		a.close()
		return nil, l.lost(err)
	}
	for _, m := range all {
		if err := l.PublishMsg(m); err != nil { // part of it may be sent
			a.close()
			l.Close()
			return nil, l.lost(err)
		}
	}
	return a, nil
}

// close drops what still arrives.
func (a *answers) close() {
	a.link.mu.Lock()
	delete(a.link.open, a)
	a.link.mu.Unlock()
	if a.inbox != nil {
		_ = a.inbox.Unsubscribe() // with the connection, the subscription is gone too
	}
}

// next waits for the next answer. A connection whose server is silent is given up.
func (a *answers) next(ctx context.Context, timeout time.Duration) (*client.Msg, error) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case m := <-a.messages:
		if statusOf(m) == statusNoResponders && len(m.Data) == 0 {
			return nil, errNobody
		}
		return m, nil
	case err := <-a.refused:
		return nil, err
	case <-a.link.done:
		return nil, a.link.lost(a.link.LastError())
	case <-timer.C:
		a.link.Close()
		return nil, errSilent
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ask sends a request and returns its answer.
func (l *link) ask(ctx context.Context, subject string, body []byte) (*client.Msg, error) {
	a, err := l.publish(&client.Msg{Subject: subject, Data: body})
	if err != nil {
		return nil, err
	}
	defer a.close()
	return a.next(ctx, requestTimeout)
}

// refuse hands an error of the server to those who wait for what it is about.
func (l *link) refuse(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for a := range l.open {
		if forbids(err, a.subjects...) {
			select {
			case a.refused <- err:
			default: // one is enough
			}
		}
	}
}

// forbids reports whether an error says that the user may not use one of the subjects.
func forbids(err error, subjects ...string) bool {
	return errors.Is(err, client.ErrPermissionViolation) &&
		slices.ContainsFunc(subjects, func(s string) bool { return strings.Contains(err.Error(), strconv.Quote(s)) })
}

// ping returns when the server has seen all that was sent.
func (l *link) ping(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	err := l.FlushWithContext(within)
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case within.Err() != nil:
		l.Close()
		return errSilent
	}
	return l.lost(err)
}

func (l *link) lost(cause error) error {
	if cause == nil {
		return errLost
	}
	return fmt.Errorf("%w: %w", errLost, cause)
}

// statusOf returns the status in a message's header, such as 404; 0 without one.
func statusOf(m *client.Msg) int {
	return int(number(m.Header, "Status"))
}

// number returns a field of a header as a number; 0 if it is none.
func number(h client.Header, field string) uint64 {
	n, err := strconv.ParseUint(h.Get(field), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
