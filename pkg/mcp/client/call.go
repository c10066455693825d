package client

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/schema"
)

// call calls a tool.
func (l *link) call(ctx context.Context, tool string, arguments json.RawMessage, progress Progress) (*Answer, error) {
	ctx, done := l.during(ctx)
	defer done()
	if err := l.mirror(ctx, tool); err != nil {
		return nil, err
	}
	p := &mcp.CallToolParams{Name: tool}
	if len(arguments) > 0 {
		p.Arguments = arguments
	}
	if progress != nil {
		token, stop := l.follow(progress)
		defer stop()
		p.SetProgressToken(token)
	}
	ctx, t := tapped(ctx)
	r, err := l.session.CallTool(ctx, p)
	if err == nil && r.InputRequests != nil {
		return nil, asks(l.server.Name, tool)
	}
	if raw := t.result(); raw != nil && ctx.Err() == nil {
		if a, ok := decode(raw); ok { // also where the library understands no more than a part of it
			a.Warnings = l.warnings()
			return a, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return l.encode(r)
}

// decode returns the answer in a result; false if it is none.
func decode(raw json.RawMessage) (*Answer, bool) {
	var r struct {
		Content    []json.RawMessage `json:"content"`
		Structured json.RawMessage   `json:"structuredContent"`
		IsError    bool              `json:"isError"`
		Type       string            `json:"resultType"`
	}
	if json.Unmarshal(raw, &r) != nil || r.Type != "" && r.Type != "complete" {
		return nil, false
	}
	for _, block := range r.Content {
		var b struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(block, &b) != nil || b.Type == "" {
			return nil, false
		}
	}
	if string(r.Structured) == "null" {
		r.Structured = nil
	}
	return &Answer{Content: r.Content, Structured: r.Structured, IsError: r.IsError}, r.Content != nil || r.Structured != nil
}

// encode returns the answer in a result that the library has decoded.
func (l *link) encode(r *mcp.CallToolResult) (*Answer, error) {
	a := &Answer{IsError: r.IsError, Warnings: l.warnings()}
	for _, c := range r.Content {
		block, err := c.MarshalJSON()
		if err != nil {
			return nil, err
		}
		a.Content = append(a.Content, block)
	}
	if r.StructuredContent != nil {
		var err error
		if a.Structured, err = schema.Marshal(r.StructuredContent); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// ask puts a question of the server to the person.
func (p *Pool) ask(ctx context.Context, server *upstream.Server, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	q := &Question{Message: shown(r.Params.Message, maxDescription), URL: r.Params.URL}
	if r.Params.RequestedSchema != nil {
		var err error
		if q.Schema, err = schema.Marshal(r.Params.RequestedSchema); err != nil {
			return nil, err
		}
	}
	reply, err := p.Ask(ctx, server, q)
	if err != nil {
		return nil, err
	}
	result := &mcp.ElicitResult{Action: reply.Action}
	if reply.Action == "accept" && q.Schema != nil {
		result.Content = reply.Content
		if result.Content == nil {
			result.Content = map[string]any{}
		}
	}
	return result, nil
}
