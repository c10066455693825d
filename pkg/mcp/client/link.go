package client

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
)

// link is a connection to a server that has shaken hands.
type link struct {
	server  *upstream.Server
	session *mcp.ClientSession
	life    context.Context // ends when the link is closed
	cancel  context.CancelCauseFunc
	child   *child        // nil if it is reached over HTTP
	remote  *remote       // nil if it is a child
	asks    bool          // somebody answers what the server asks
	start   time.Duration // limits the time of the handshake

	tokens   atomic.Int64
	mu       sync.Mutex
	progress map[string]Progress // by the tokens of the calls under way
	headers  bool                // the library has seen which arguments it mirrors in headers

	// The pool's mu guards these.
	slot  *slot
	calls int // under way
	idle  *time.Timer
	ended bool
}

var (
	errSlow   = errors.New("the server does not shake hands in time")
	errClosed = errors.New("the connection was closed")
)

// connect starts or reaches a server and shakes hands with it.
func (p *Pool) connect(ctx context.Context, server *upstream.Server) (_ *link, err error) {
	if ctx.Err() != nil {
		return nil, ended(ctx, server.Name)
	}
	l := &link{server: server, progress: map[string]Progress{}, asks: p.Ask != nil}
	l.life, l.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	l.start = p.Start
	if server.StartTimeout > 0 {
		l.start = time.Duration(server.StartTimeout) * time.Second
	}
	limit := time.AfterFunc(l.start, func() { l.cancel(errSlow) })
	defer limit.Stop()
	defer context.AfterFunc(ctx, func() { l.cancel(context.Cause(ctx)) })()
	defer context.AfterFunc(p.life, func() { l.cancel(errClosed) })()
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		l.cancel(errClosed)
		return nil, closedPool()
	}
	p.links.Add(1)
	p.mu.Unlock()
	defer func() {
		if err != nil {
			err = l.notStarted(ctx, err)
			l.close()
			p.links.Done()
		}
	}()
	if len(server.Command) > 0 {
		err = p.startChild(ctx, l)
	} else {
		err = p.reach(ctx, l, limit)
	}
	return l, err
}

// startChild starts the command of a server.
func (p *Pool) startChild(ctx context.Context, l *link) error {
	command, err := p.Command(ctx, l.server)
	if err != nil {
		return err
	}
	var told func(*run.Result)
	if p.Ended != nil {
		told = func(r *run.Result) { p.Ended(l.server, r) }
	}
	l.child = newChild(l.server.Name, p.probe, l.start*2/3, told)
	l.child.run(ctx, command)
	return l.shake(p.client(l), l.child)
}

// shake shakes hands. The library gives up when the life of the link ends.
func (l *link) shake(c *mcp.Client, t mcp.Transport) (err error) {
	l.session, err = c.Connect(l.life, t, nil)
	if err == nil && l.life.Err() != nil {
		err = l.life.Err()
	}
	return err
}

// client returns what speaks for the person on a link.
func (p *Pool) client(l *link) *mcp.Client {
	o := &mcp.ClientOptions{
		Capabilities:                &mcp.ClientCapabilities{},
		MultiRoundTrip:              &mcp.MultiRoundTripOptions{Disabled: p.Ask == nil},
		ProgressNotificationHandler: l.progressed,
	}
	if p.Ask != nil {
		o.ElicitationHandler = func(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return p.ask(ctx, l.server, r)
		}
	}
	return mcp.NewClient(&mcp.Implementation{Name: "helve", Version: p.Version}, o)
}

// dead reports whether a link is of no use for another call.
func (l *link) dead() bool {
	return l.life.Err() != nil || l.child != nil && l.child.ending()
}

// close ends a link, and the server if it is a child. Calls under way fail.
func (l *link) close() {
	l.cancel(errClosed)
	if l.child != nil {
		_ = l.child.Close() // never fails
	}
	if l.session != nil {
		_ = l.session.Close() // of what is gone by now; a server that forgets a session late does no harm
	}
	if l.remote != nil {
		l.remote.close()
	}
}

// during returns a context that ends with the call and with the link, and that no tap of
// another call is in.
func (l *link) during(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(l.life, func() { cancel(context.Cause(l.life)) })
	return ctx, func() { stop(); cancel(nil) }
}

// follow passes the progress of a call on until the returned func is called.
func (l *link) follow(progress Progress) (token string, stop func()) {
	token = strconv.FormatInt(l.tokens.Add(1), 10)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.progress[token] = progress
	return token, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.progress, token)
	}
}

// progressed passes progress on to the call that it is of.
func (l *link) progressed(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
	token, _ := r.Params.ProgressToken.(string)
	l.mu.Lock()
	to := l.progress[token]
	l.mu.Unlock()
	if to != nil {
		to(r.Params.Progress, r.Params.Total, shown(r.Params.Message, maxLine))
	}
}

// survives reports whether a link may serve further calls after one that failed: the server
// has answered, or the caller did not want to wait. One that did not answer in time
// may hang, so the next call gets a new connection.
func (l *link) survives(ctx context.Context, err error) bool {
	var refused *jsonrpc.Error
	return errors.As(err, &refused) || errors.Is(context.Cause(ctx), context.Canceled) || fault.Is(err, fault.TooLarge) && !l.dead()
}

// warnings returns what no call was warned of yet.
func (l *link) warnings() []fault.Text {
	if l.child == nil {
		return nil
	}
	return l.child.warnings()
}
