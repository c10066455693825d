package client

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// tap keeps the result of a request as the server sent it. The library decodes results
// into types of its own: numbers lose digits, members lose their order, and one block of an
// unknown type loses the rest.
type tap struct {
	mu  sync.Mutex
	got json.RawMessage
}

type tapKey struct{}

// tapped returns a context whose request is tapped.
func tapped(ctx context.Context) (context.Context, *tap) {
	t := &tap{}
	return context.WithValue(ctx, tapKey{}, t), t
}

func (t *tap) set(result json.RawMessage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.got = result
}

// result returns the last result; nil if there was none.
func (t *tap) result() json.RawMessage {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.got
}

// taps are those of the requests of a connection that are under way.
type taps struct {
	mu  sync.Mutex
	all map[jsonrpc.ID]*tap
}

func (ts *taps) sent(ctx context.Context, m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Request)
	t, tapped := ctx.Value(tapKey{}).(*tap)
	if !ok || !tapped || !r.IsCall() {
		return
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.all == nil {
		ts.all = map[jsonrpc.ID]*tap{}
	}
	ts.all[r.ID] = t
	context.AfterFunc(ctx, func() { ts.take(r.ID) }) // no answer may come
}

func (ts *taps) received(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return
	}
	if t := ts.take(r.ID); t != nil && r.Error == nil {
		t.set(r.Result)
	}
}

func (ts *taps) take(id jsonrpc.ID) *tap {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.all[id]
	delete(ts.all, id)
	return t
}
