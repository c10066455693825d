package client

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
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

// read reads a resource; without an address, it lists those that there are.
func (l *link) read(ctx context.Context, uri string) (*Answer, error) {
	ctx, done := l.during(ctx)
	defer done()
	if uri == "" {
		return l.resources(ctx)
	}
	r, err := l.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return nil, err
	}
	a := &Answer{Warnings: l.warnings()}
	for _, part := range r.Contents {
		block, err := schema.Marshal(map[string]any{"type": "resource", "resource": part})
		if err != nil {
			return nil, err
		}
		a.Content = append(a.Content, block)
	}
	return a, nil
}

// resources lists the resources of a server, and the patterns of those that it makes on
// demand, each on a line.
func (l *link) resources(ctx context.Context) (*Answer, error) {
	const most = 200
	var b strings.Builder
	n := 0
	line := func(uri, name, description string) bool {
		b.WriteString(strings.TrimSuffix(strings.TrimSpace(shown(uri, maxLine)+"  "+shown(name, maxName)+": "+shown(description, maxLine)), ":") + "\n")
		n++
		return n < most
	}
	for r, err := range l.session.Resources(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if !line(r.URI, r.Name, r.Description) {
			break
		}
	}
	for t, err := range l.session.ResourceTemplates(ctx, nil) {
		if err != nil || n == most || !line(t.URITemplate, t.Name, t.Description) {
			break // a server need not have any
		}
	}
	block, err := schema.Marshal(map[string]any{"type": "text", "text": b.String()})
	if err != nil {
		return nil, err
	}
	a := &Answer{Content: []json.RawMessage{block}, Warnings: l.warnings()}
	if n == most {
		a.Warnings = append(a.Warnings, fault.T("%s has more resources: only %d are listed", l.server.Name, most))
	}
	return a, nil
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
