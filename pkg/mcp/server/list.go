package server

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

// current brings the list of tools up to date before a request that depends on it, and
// after a call, which may have made it another, and has calls find their tools. A panic is
// an error of its request alone.
func (s *Server) current(next mcp.MethodHandler) mcp.MethodHandler {
	refresh := func() {
		if err := s.Refresh(); err != nil {
			s.Log.Warn("the list of tools stays as it was", "err", err)
		}
	}
	return func(ctx context.Context, method string, r mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				s.Log.Error("a request crashed", "method", method, "err", guard.Crashed(v))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: guard.Crashed(v).Message.In(s.Lang)}
			}
		}()
		switch method {
		case "tools/call":
			defer refresh()
			fallthrough
		case "tools/list":
			refresh()
		}
		if call, ok := r.(*mcp.CallToolRequest); ok && method == "tools/call" {
			if ctx, call, err = s.find(ctx, call); err != nil && s.ErrorsAsText {
				return s.failed(guard.Outcome{Err: fault.As(err)}), nil
			} else if err != nil {
				return nil, s.unknown(err)
			}
			r = call
		}
		return next(ctx, method, r)
	}
}

// calledKey has the name that a client called a tool by, where that is not its own.
type calledKey struct{}

// calledBy returns the name that a tool was called by.
func calledBy(ctx context.Context, name string) string {
	if by, ok := ctx.Value(calledKey{}).(string); ok {
		return by
	}
	return name
}

// find has a call by a name that another maker's model knows, such as read_file, go to the
// tool that is meant, if that is offered.
func (s *Server) find(ctx context.Context, r *mcp.CallToolRequest) (context.Context, *mcp.CallToolRequest, error) {
	if s.offers(r.Params.Name) {
		return ctx, r, nil
	}
	env, catalog, err := s.World()
	if err != nil {
		return ctx, r, err
	}
	t, err := catalog.For(r.Params.Name, r.Params.Arguments)
	if err != nil {
		return ctx, r, err
	}
	if s.offers(t.Name) {
		return under(ctx, r, t.Name)
	}
	if err := guard.Withheld(env, t); err != nil {
		return ctx, r, err
	}
	if catalog.IsDeferred(t) && s.offers(tools.CallName) { // the client saw it in what tools_search found
		return under(ctx, r, tools.CallName)
	}
	return ctx, r, fault.New(fault.UnknownTool, fault.T("this server does not offer %s", t.Name)).
		WithHint(fault.T("use a tool that is listed, or have the person start it as: helve mcp --toolset all"))
}

// under has a call go to the tool that is listed under a name.
func under(ctx context.Context, r *mcp.CallToolRequest, name string) (context.Context, *mcp.CallToolRequest, error) {
	renamed, params := *r, *r.Params
	params.Name, renamed.Params = name, &params
	return context.WithValue(ctx, calledKey{}, r.Params.Name), &renamed, nil
}

// offers reports whether a tool is listed.
func (s *Server) offers(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.listed[name]
	return ok
}

// unknown returns why a tool cannot be called as an error of the protocol, which wants it
// so.
func (s *Server) unknown(err error) error {
	e := fault.As(err)
	text := e.Message.In(s.Lang)
	if hint := e.Hint.In(s.Lang); hint != "" {
		text += "; " + hint
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: text}
}

// Refresh updates the list of tools, and notifies clients of a change.
func (s *Server) Refresh() error {
	env, catalog, err := s.World()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.env == env && s.catalog == catalog {
		return nil // nothing was loaded anew
	}
	offered, err := s.Choose(env, catalog)
	if err != nil {
		return err
	}
	described := dialect.Describe(offered, s.Lang, false)
	if s.Structured {
		dialect.DescribeResults(described, offered, s.Lang)
	}
	if env.ReadOnly {
		dialect.OnlyRead(described)
	}
	definitions, err := dialect.Definitions(dialect.MCP, described, dialect.Options{Output: s.Structured, Nullable: s.Nullable})
	if err != nil {
		return err
	}
	gone := map[string]bool{}
	for name := range s.listed {
		gone[name] = true
	}
	for _, d := range definitions {
		text, err := schema.Marshal(d)
		if err != nil {
			return err
		}
		name, _ := d.Get("name").(string)
		delete(gone, name)
		if bytes.Equal(s.listed[name], text) {
			continue
		}
		t, err := listedTool(text)
		if err != nil {
			return err
		}
		s.mcp.AddTool(t, s.call)
		s.listed[name] = text
	}
	for name := range gone {
		s.mcp.RemoveTools(name)
		delete(s.listed, name)
	}
	s.env, s.catalog = env, catalog
	return nil
}

// listedTool returns a definition as the library takes it, its schemas being the bytes
// that they are.
func listedTool(definition []byte) (*mcp.Tool, error) {
	var t struct {
		Name        string               `json:"name"`
		Description string               `json:"description"`
		Input       json.RawMessage      `json:"inputSchema"`
		Output      json.RawMessage      `json:"outputSchema"`
		Annotations *mcp.ToolAnnotations `json:"annotations"`
	}
	if err := json.Unmarshal(definition, &t); err != nil {
		return nil, err
	}
	listed := &mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.Input, Annotations: t.Annotations}
	if t.Output != nil {
		listed.OutputSchema = t.Output
	}
	return listed, nil
}
