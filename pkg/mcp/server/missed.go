package server

import (
	"context"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// maxMissed limits the calls of a client whose outcomes are kept, maxClients the clients.
	maxMissed, maxClients = 8, 1000
	// missedBytes limits what the next answer says of one of them.
	missedBytes = 1500
)

// missed holds what calls came to that their clients had canceled: clients cancel those that
// take long by themselves, and their models are not told how far a call has come. The next
// answer says it.
type missed struct {
	mu sync.Mutex
	of map[string][]fault.Text // by client
}

func (m *missed) add(client string, said fault.Text) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil || len(m.of) >= maxClients {
		m.of = map[string][]fault.Text{}
	}
	if all := append(m.of[client], said); len(all) <= maxMissed {
		m.of[client] = all
	}
}

// take returns what a client has missed, once.
func (m *missed) take(client string) []fault.Text {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.of[client]
	delete(m.of, client)
	return all
}

// tell keeps the result of a call that nobody waits for, and adds to another what its
// client has missed.
func (s *Server) tell(ctx context.Context, c *call, result *mcp.CallToolResult) {
	if result == nil || result.InputRequests != nil {
		return
	}
	if ctx.Err() != nil {
		s.missed.add(c.client, fault.T("the call of %s before was canceled, and its answer got lost; it came to: %s", c.name, excerpt(result)))
		return
	}
	var b strings.Builder
	for _, said := range s.missed.take(c.client) {
		b.WriteString(fault.T("warning: %s\n", said).In(s.Lang))
	}
	if b.Len() == 0 {
		return
	}
	if len(result.Content) > 0 { // some clients read the first block alone
		if first, ok := result.Content[0].(*mcp.TextContent); ok {
			first.Text = b.String() + first.Text
			return
		}
	}
	result.Content = append([]mcp.Content{&mcp.TextContent{Text: b.String()}}, result.Content...)
}

// excerpt returns the beginning of the text of a result.
func excerpt(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	text := strings.TrimSpace(b.String())
	if len(text) > missedBytes {
		text = strings.ToValidUTF8(text[:missedBytes], "") + " …"
	}
	return text
}
