package server

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/server/ticket"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// maxAwaited bounds the calls whose requests are remembered.
const maxAwaited = 1000

// awaited are the requests of calls that failed as somebody elsewhere must decide first. A
// client cannot name a request: the same call, made again, gets what its request came to.
type awaited struct {
	mu  sync.Mutex
	ids map[ticket.Call]string
}

func (a *awaited) set(of ticket.Call, id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ids == nil || len(a.ids) >= maxAwaited {
		a.ids = map[ticket.Call]string{}
	}
	a.ids[of] = id
}

func (a *awaited) get(of ticket.Call) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ids[of]
}

// take forgets a request; ok is false if somebody else took it.
func (a *awaited) take(of ticket.Call, id string) (ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	ok = a.ids[of] == id
	if ok {
		delete(a.ids, of)
	}
	return ok
}

// decided returns the id of the request of a call that was made before, if it has been
// decided since; "" if there is none. It does so once.
func (s *Server) decided(c *call) (string, error) {
	of, err := c.of()
	if err != nil {
		return "", nil //nolint:nilerr // the call itself says what is wrong with its arguments
	}
	id := s.awaited.get(of)
	if id == "" {
		return "", nil
	}
	store, err := s.Approvals()
	if err != nil {
		return "", err
	}
	r, err := store.Get(id)
	switch {
	case fault.Is(err, fault.NotFound), err == nil && r.State == approval.Expired:
		s.awaited.take(of, id)
		return "", nil
	case err != nil:
		return "", err
	case r.State == approval.Pending || !s.awaited.take(of, id):
		return "", nil
	}
	return id, nil
}

// elsewhere returns the result of a call that failed. If the call waits for a decision
// elsewhere, the result explains how the client gets its outcome.
func (s *Server) elsewhere(c *call, o guard.Outcome) (*mcp.CallToolResult, error) {
	id := approval.Awaited(o.Err)
	if id == "" {
		return s.failed(o), nil
	}
	of, err := c.of()
	if err != nil {
		return s.refused(err)
	}
	s.awaited.set(of, id)
	told := *o.Err
	o.Err = told.WithHint(fault.T("ask the person to run: helve approve %s; then make the same call again to get its result", id))
	return s.failed(o), nil
}
