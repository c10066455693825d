package server

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/server/pipe"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/turn"
	"github.com/helve-dev/helve/pkg/turn/dialect"
	"github.com/helve-dev/helve/pkg/turn/envelope"
)

// call is one call of a client. The client may be asked for more before it is over, and
// it is then carried out again.
type call struct {
	*mcp.CallToolRequest
	name      string // that the client called, which may not be that of Params: see calledBy
	arguments json.RawMessage
	turn      *dialect.Turn
	place     *place       // among the calls of the client
	leave     func()       // takes it out of them
	number    string       // of the request; "" for one that has none
	client    string       // that it is one of
	answered  atomic.Bool  // the client was answered before the call has ended
	asks      atomic.Value // the id of the request that a person is asked about
	came      time.Time
	env       *tool.Env
	catalog   *tools.Catalog
}

// call carries out a call. Whatever goes wrong is a result that is marked as an error, so
// that the model reads it; what the client itself did wrong is an error of JSON-RPC.
func (s *Server) call(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	c, err := s.read(ctx, r)
	if err != nil {
		return s.failed(guard.Outcome{Err: fault.As(err)}), nil
	}
	if err := s.lineUp(c); err != nil {
		return s.failed(guard.Outcome{Err: fault.As(err)}), nil
	}
	result, err := s.answer(ctx, c)
	s.tell(ctx, c, result)
	if result != nil && s.ErrorsAsText {
		result.IsError = false
	}
	return result, err
}

// lineUp gives a call its place among those of its client.
func (s *Server) lineUp(c *call) (err error) {
	if c.client = c.Session.ID(); c.client == "" {
		if c.client, err = callerOf(c.env, c); err != nil {
			return err
		}
	}
	if c.Extra != nil {
		c.number = c.Extra.Header.Get(pipe.Number)
	}
	c.place, c.leave = s.queues.place(c.number, c.client)
	return nil
}

// read reads a call as a model's turn.
func (s *Server) read(ctx context.Context, r *mcp.CallToolRequest) (*call, error) {
	d, err := dialect.Find("mcp")
	if err != nil {
		return nil, err
	}
	d.Structured = s.Structured
	c := &call{CallToolRequest: r, name: calledBy(ctx, r.Params.Name), arguments: r.Params.Arguments, came: time.Now()}
	if len(c.arguments) == 0 {
		c.arguments = json.RawMessage("{}")
	}
	document, err := schema.Marshal(map[string]any{"name": c.name, "arguments": c.arguments})
	if err != nil {
		return nil, err
	}
	if c.turn, err = dialect.Read(d, document, nil); err != nil {
		return nil, err
	}
	c.env, c.catalog, err = s.world(r.Session.ID())()
	return c, err
}

// carryOut carries out a call with what is known by now.
func (s *Server) carryOut(ctx context.Context, c *call, g given) turn.Done {
	env := *c.env // others use it
	env.Input = g.input(c)
	s.inTime(ctx, c, &env)
	tell, stop := s.goesOn(ctx, c)
	defer stop()
	if tell != nil {
		env.Progress = tell
	}
	early := c.place.enter(ctx, c.access())
	e := turn.Engine{
		World: func() (*tool.Env, *tools.Catalog, error) { return &env, c.catalog, early },
		Lang:  s.Lang,
	}
	return e.Run(g.context(ctx, s.asks(c)), c.turn)[0]
}

// result returns what a call came to, as the client gets it.
func (c *call) result(a dialect.Answer) (*mcp.CallToolResult, error) {
	text, err := schema.Marshal(c.turn.Reply([]dialect.Answer{a}))
	if err != nil {
		return nil, err
	}
	result := &mcp.CallToolResult{}
	var exact struct {
		Structured json.RawMessage `json:"structuredContent"` // with all digits of its numbers
	}
	if err := errors.Join(json.Unmarshal(text, result), json.Unmarshal(text, &exact)); err != nil {
		return nil, err
	}
	if exact.Structured != nil {
		result.StructuredContent = exact.Structured
	}
	return result, nil
}

// unfit is the fault of a result that is not one of the protocol.
func unfit(err error) *fault.Error {
	return fault.New(fault.BadDocument, fault.T("the call was carried out, but its result is not one of the protocol: %v", err)).
		WithHint(fault.T("tell the person: the tool is at fault"))
}

// failed returns the result of a call that was not carried out.
func (s *Server) failed(o guard.Outcome) *mcp.CallToolResult {
	text := envelope.Text(nil, o, screen.View{Lang: s.Lang})
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: !s.ErrorsAsText}
}
