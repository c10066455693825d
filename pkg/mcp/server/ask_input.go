package server

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/server/ticket"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// able lists what the client can be asked for by a tool.
func (c *call) able() []string {
	able := c.ClientCapabilities()
	var all []string
	if able == nil {
		return all
	}
	if c.elicits() {
		all = append(all, tool.Elicitation)
	}
	if able.Sampling != nil {
		all = append(all, tool.Sampling)
	}
	if able.RootsV2 != nil {
		all = append(all, tool.Roots)
	}
	return all
}

// input returns what the tool gets beside the arguments.
func (g given) input(c *call) *tool.Input {
	return &tool.Input{Client: c.able(), Answers: g.answers, State: g.state}
}

// inputs returns what a tool asks of the client, as the tool has it; nil if the client
// cannot be asked for all of it, and is of a revision that has no error for that.
func (s *Server) inputs(c *call, asked tool.Asked) (*question, error) {
	var all map[string]struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(asked.Requests, &all); err != nil {
		return nil, unreadable(err)
	}
	requests, lacking := mcp.InputRequestMap{}, map[string]any{}
	for name, one := range all {
		request, err := requestOf(one.Method, one.Params)
		if err != nil {
			return nil, unreadable(err)
		}
		requests[name] = request
		if capability, parts := c.lacks(request); capability != "" {
			lacking[capability] = parts
		}
	}
	if len(lacking) == 0 {
		return &question{Ticket: ticket.Ticket{Expires: c.env.Now().Add(approval.Lifetime), State: asked.State}, requests: requests}, nil
	}
	if !c.repeats() {
		return nil, nil
	}
	data, err := schema.Marshal(map[string]any{"requiredCapabilities": lacking})
	if err != nil {
		return nil, err
	}
	return nil, &jsonrpc.Error{
		Code: mcp.CodeMissingRequiredClientCapabilities, Data: data,
		Message: fault.T("%s needs what the client did not declare: %s", c.name, strings.Join(slices.Sorted(maps.Keys(lacking)), ", ")).In(s.Lang),
	}
}

// requestOf reads what a tool asks for.
func requestOf(method string, params json.RawMessage) (mcp.InputRequest, error) {
	if params == nil {
		params = json.RawMessage("{}")
	}
	switch method {
	case "elicitation/create":
		var form struct {
			mcp.ElicitParams
			Schema json.RawMessage `json:"requestedSchema"` // as it is
		}
		if err := json.Unmarshal(params, &form); err != nil {
			return nil, err
		}
		if form.Schema != nil {
			form.RequestedSchema = form.Schema
		}
		return &form.ElicitParams, nil
	case "sampling/createMessage":
		p := &mcp.CreateMessageWithToolsParams{}
		return p, json.Unmarshal(params, p)
	case "roots/list":
		p := &mcp.ListRootsParams{}
		return p, json.Unmarshal(params, p)
	}
	return nil, fault.New(fault.BadDocument, fault.T("unknown method %q", method))
}

// lacks returns the capability that a client would need for a request and did not declare,
// with the parts of it that are needed; "" if it has what it needs.
func (c *call) lacks(request mcp.InputRequest) (capability string, parts map[string]any) {
	able := c.ClientCapabilities()
	if able == nil {
		able = &mcp.ClientCapabilities{}
	}
	parts = map[string]any{}
	switch p := request.(type) {
	case *mcp.ElicitParams:
		page := p.Mode == "url" || p.URL != "" || p.ElicitationID != ""
		switch {
		case page && (able.Elicitation == nil || able.Elicitation.URL == nil):
			parts["url"] = map[string]any{}
			return tool.Elicitation, parts
		case !page && !c.elicits():
			return tool.Elicitation, parts
		}
	case *mcp.CreateMessageWithToolsParams:
		switch {
		case len(p.Tools) > 0 && (able.Sampling == nil || able.Sampling.Tools == nil):
			parts["tools"] = map[string]any{}
			return tool.Sampling, parts
		case able.Sampling == nil:
			return tool.Sampling, parts
		}
	case *mcp.ListRootsParams:
		if able.RootsV2 == nil {
			return tool.Roots, parts
		}
	}
	return "", nil
}

// unreadable is the fault of a tool that asks in a way that is not the protocol's.
func unreadable(err error) *fault.Error {
	return fault.New(fault.BadDocument, fault.T("what the tool asks for is not in the form of the protocol: %v", err)).
		WithHint(fault.T("tell the person: its program is at fault"))
}

// collect asks a client for what a tool needs while the call goes on, one after the other,
// and returns what the call goes on with.
func (s *Server) collect(ctx context.Context, c *call, q *question) (given, error) {
	answers := mcp.InputResponseMap{}
	for _, name := range slices.Sorted(maps.Keys(q.requests)) {
		var answer mcp.InputResponse
		var err error
		switch p := q.requests[name].(type) {
		case *mcp.ElicitParams:
			answer, err = c.Session.Elicit(ctx, p)
		case *mcp.CreateMessageWithToolsParams:
			answer, err = c.Session.CreateMessageWithTools(ctx, p)
		case *mcp.ListRootsParams:
			answer, err = c.Session.ListRoots(ctx, p)
		}
		if ctx.Err() != nil {
			return given{}, context.Cause(ctx)
		}
		if err != nil {
			return given{ends: &guard.Outcome{Err: fault.New(fault.Unavailable, fault.T("the client did not answer %q: %v", name, err)).
				WithHint(fault.T("make the call again if the person can answer"))}}, nil
		}
		answers[name] = answer
	}
	return answersOf(answers, q.State)
}

// answersOf returns what a call goes on with that has answers to what its tool asked for.
func answersOf(answers mcp.InputResponseMap, state string) (given, error) {
	if answers == nil {
		answers = mcp.InputResponseMap{}
	}
	text, err := json.Marshal(answers)
	return given{answers: text, state: state}, err
}
