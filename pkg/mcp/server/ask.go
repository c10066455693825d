package server

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/server/ticket"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/turn"
)

const (
	// maxRounds limits the questions of one call to a client that is asked during the
	// call.
	maxRounds = 8
	// multiRound is the first revision in which the result of a call asks, and the client
	// makes the call again with the answers.
	multiRound = "2026-07-28"
)

// given holds the input of a continued call, beside its arguments.
type given struct {
	approval string         // id of the request that somebody decided about; "" is none
	answers  []byte         // to what the tool asked for, a JSON object; nil if it did not
	state    string         // what the tool gave to get back
	ends     *guard.Outcome // what the call came to without being carried out; nil if it goes on
}

// context returns the context for carrying a call out. asks says that the client is asked
// what a person must decide.
func (g given) context(ctx context.Context, asks bool) context.Context {
	if asks {
		ctx = approval.Promptly(ctx)
	}
	if g.approval != "" {
		ctx = approval.Carry(ctx, g.approval)
	}
	return ctx
}

// question holds the requests that a client must answer before a call can go on.
type question struct {
	ticket.Ticket
	requests mcp.InputRequestMap
}

// converse carries out a call and asks the client for what it needs, until it has come to
// something or the client must make it again. Nothing is locked while the client is asked.
func (s *Server) converse(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	g, err := s.given(ctx, c)
	for range maxRounds {
		if err != nil {
			return s.refused(err)
		}
		if g.ends != nil {
			return s.elsewhere(c, *g.ends)
		}
		done := s.carryOut(ctx, c, g)
		q, err := s.question(c, g, done)
		if err != nil {
			return s.refused(err)
		}
		if q == nil {
			if approval.Awaited(done.Err) != "" {
				return s.elsewhere(c, guard.Outcome{Err: done.Err})
			}
			result, err := c.result(done.Answer)
			if err != nil {
				return s.failed(guard.Outcome{Err: unfit(err)}), nil
			}
			return result, nil
		}
		if c.repeats() {
			return s.sealed(ctx, c, q)
		}
		c.place.loosen()
		if g, err = s.put(ctx, c, q); err != nil {
			return s.refused(err)
		}
	}
	return s.failed(guard.Outcome{Err: fault.New(fault.Unsupported, fault.T("the call asked %d times and is still not done", maxRounds)).
		WithHint(fault.T("make it with other arguments"))}), nil
}

// given returns what the client brought with a call that it makes again.
func (s *Server) given(ctx context.Context, c *call) (given, error) {
	if c.Params.RequestState == "" {
		if c.Params.InputResponses == nil {
			id, err := s.decided(c)
			return given{approval: id}, err
		}
		return answersOf(c.Params.InputResponses, "") // which decide about no approval
	}
	key, err := s.key(ctx, c)
	if err != nil {
		return given{}, err
	}
	of, err := c.of()
	if err != nil {
		return given{}, err
	}
	t, err := key.Open(c.Params.RequestState, of, c.env.Now())
	if fault.Is(err, fault.InvalidArguments) {
		return given{}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fault.As(err).Message.In(s.Lang)}
	}
	if err != nil {
		return given{}, err
	}
	if t.Approval == "" {
		return answersOf(c.Params.InputResponses, t.State)
	}
	g := given{answers: t.Answers, state: t.State}
	if !s.asks(c) {
		return g, nil
	}
	if err := s.spent(t.Approval); err != nil {
		return given{}, err
	}
	return s.answered(ctx, g, t.Approval, reply{c.Params.InputResponses[approvalKey], c.env.Now().Sub(t.Asked)})
}

// spent returns the fault of a request whose answer has been used: it came in an earlier
// round of a client.
func (s *Server) spent(id string) error {
	store, err := s.Approvals()
	if err != nil {
		return err
	}
	r, err := store.Get(id)
	if err == nil && r.State == approval.Used && r.DecidedBy == decidedBy {
		err = r.Settled()
	}
	return err
}

// question returns what a call needs that was just carried out; nil if it is over.
func (s *Server) question(c *call, g given, done turn.Done) (*question, error) {
	if done.Err != nil {
		if asked, ok := done.Err.Details.(tool.Asked); ok {
			return s.inputs(c, asked)
		}
	}
	id := approval.Awaited(done.Err)
	if id == "" || !s.asks(c) {
		return nil, nil
	}
	store, err := s.Approvals()
	if err != nil {
		return nil, err
	}
	r, err := store.Get(id)
	if err != nil {
		return nil, err
	}
	return &question{
		Ticket:   ticket.Ticket{Expires: r.Expires, Approval: id, Answers: g.answers, State: g.state},
		requests: mcp.InputRequestMap{approvalKey: elicitation(r, s.Lang)},
	}, nil
}

// sealed returns the result that has the client ask, and make the call again.
func (s *Server) sealed(ctx context.Context, c *call, q *question) (*mcp.CallToolResult, error) {
	key, err := s.key(ctx, c)
	if err != nil {
		return s.refused(err)
	}
	q.Asked = c.env.Now()
	if q.For, err = c.of(); err != nil {
		return s.refused(err)
	}
	text, err := key.Seal(q.Ticket)
	if err != nil {
		return s.refused(err)
	}
	return &mcp.CallToolResult{InputRequests: q.requests, RequestState: text}, nil
}

// put asks a client that answers while the call goes on, and returns its answers.
func (s *Server) put(ctx context.Context, c *call, q *question) (given, error) {
	if q.Approval == "" {
		return s.collect(ctx, c, q)
	}
	return s.decision(ctx, c, q)
}

// refused returns the result of a call that failed around its tool. What is an error of
// JSON-RPC stays one.
func (s *Server) refused(err error) (*mcp.CallToolResult, error) {
	if _, wire := errors.AsType[*jsonrpc.Error](err); wire {
		return nil, err
	}
	return s.failed(guard.Outcome{Err: fault.As(err)}), nil
}

// key returns the key of tickets, which is kept with the state of the workspace.
func (s *Server) key(ctx context.Context, c *call) (ticket.Key, error) {
	d, err := c.env.State()
	if err != nil {
		return nil, err
	}
	return ticket.KeyOf(ctx, d)
}

// of returns the call that tickets are for.
func (c *call) of() (ticket.Call, error) {
	caller, err := callerOf(c.env, c)
	if err != nil {
		return ticket.Call{}, err
	}
	return ticket.CallOf(c.name, c.arguments, caller)
}

// repeats reports whether the client makes a call again that asks for something, with the
// answers. Others are asked while the call goes on.
func (c *call) repeats() bool {
	p := c.Session.InitializeParams()
	return p == nil || p.ProtocolVersion >= multiRound
}

// asks reports whether the client is asked what a person must decide.
func (s *Server) asks(c *call) bool { return s.Elicit && c.elicits() }

// elicits reports whether the client has a person fill in a form.
func (c *call) elicits() bool {
	able := c.ClientCapabilities()
	if able == nil || able.Elicitation == nil {
		return false
	}
	return able.Elicitation.Form != nil || able.Elicitation.URL == nil // which declares nothing but addresses
}
