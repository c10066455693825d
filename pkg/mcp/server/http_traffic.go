package server

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
)

// traffic is the requests that are carried out. They end when the server does, or when
// their client has gone for good, and not only when the client cancels them.
type traffic struct {
	ending context.Context // the server's; its cause says why

	mu      sync.Mutex
	running map[string]map[*running]bool // by the ids of sessions; "" is of requests without one
	open    int                          // that run, or are answered
	drained chan struct{}                // closed once none is open; nil if nobody waits for that
}

// running is a request that is carried out.
type running struct{ cancel context.CancelCauseFunc }

// watch lets go of requests when their time is over.
func (t *traffic) watch(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer context.AfterFunc(t.ending, func() { cancel(context.Cause(t.ending)) })()
		defer t.begin(r.GetSession().ID(), &running{cancel})()
		return next(ctx, method, r)
	}
}

// begin notes a request that runs, and returns what forgets it.
func (t *traffic) begin(session string, r *running) (end func()) {
	t.enter()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.running[session] == nil {
		t.running[session] = map[*running]bool{}
	}
	t.running[session][r] = true
	return func() {
		t.mu.Lock()
		delete(t.running[session], r)
		if len(t.running[session]) == 0 {
			delete(t.running, session)
		}
		t.mu.Unlock()
		t.leave()
	}
}

// enter counts a request: until it is answered, and until it has run, which differs where
// the client has gone.
func (t *traffic) enter() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open++
}

func (t *traffic) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open--; t.open == 0 && t.drained != nil {
		close(t.drained)
		t.drained = nil
	}
}

// cancel ends the requests of a session.
func (t *traffic) cancel(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for r := range t.running[session] {
		r.cancel(fault.New(fault.Canceled, fault.T("the client has gone")))
	}
}

// idle waits until no request is open. It reports whether that came before the end of ctx.
func (t *traffic) idle(ctx context.Context) bool {
	t.mu.Lock()
	if t.open == 0 {
		t.mu.Unlock()
		return true
	}
	if t.drained == nil {
		t.drained = make(chan struct{})
	}
	drained := t.drained
	t.mu.Unlock()
	select {
	case <-drained:
		return true
	case <-ctx.Done():
		return false
	}
}
