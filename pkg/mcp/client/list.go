package client

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

const (
	// maxTools limits the tools taken of a server, and maxPages the pages that list them.
	maxTools = 1000
	maxPages = 1000
	// maxName, maxDescription and maxSchema are the longest of each, in bytes. The protocol
	// allows a name of 128.
	maxName        = 128
	maxDescription = 16 << 10
	maxSchema      = 256 << 10
	// maxLine is the longest of what is shown in one line, and maxSample of a line of noise.
	maxLine   = 1 << 10
	maxSample = 80
)

// offer returns what the server says of itself and of its tools.
func (l *link) offer(ctx context.Context) (*Offer, error) {
	ctx, done := l.during(ctx)
	defer done()
	hello := l.session.InitializeResult()
	o := &Offer{Protocol: hello.ProtocolVersion, Instructions: shown(hello.Instructions, maxDescription)}
	if hello.ServerInfo != nil {
		o.Name, o.Version = shown(hello.ServerInfo.Name, maxName), shown(hello.ServerInfo.Version, maxName)
	}
	o.Resources = hello.Capabilities != nil && hello.Capabilities.Resources != nil
	tools, warnings, err := l.list(ctx)
	if err != nil {
		return nil, err
	}
	o.Tools, o.Warnings = tools, append(warnings, l.warnings()...)
	return o, nil
}

// list returns the tools of all pages that can be used, and says which cannot.
func (l *link) list(ctx context.Context) (tools []upstream.Tool, warnings []fault.Text, err error) {
	caps := l.session.InitializeResult().Capabilities
	if caps != nil && caps.Tools == nil && l.modern() {
		return nil, nil, nil // it says that it has none, and refuses the request
	}
	names, cursors := map[string]bool{}, map[string]bool{}
	p := &mcp.ListToolsParams{}
	for page := 1; ; page++ {
		raw, next, err := l.page(ctx, p.Cursor)
		if err != nil {
			return nil, nil, err
		}
		for _, text := range raw {
			t, why := definition(text)
			if why.IsZero() && names[t.Name] {
				why = fault.T("it is listed twice")
			}
			if !why.IsZero() {
				warnings = append(warnings, leftOut(l.server.Name, t.Name, why))
				continue
			}
			if len(tools) == maxTools {
				return tools, append(warnings, tooManyTools(l.server.Name)), nil
			}
			names[t.Name] = true
			tools = append(tools, *t)
		}
		if next == "" {
			break
		}
		if cursors[next] || page == maxPages {
			warnings = append(warnings, endlessPages(l.server.Name, page))
			break
		}
		cursors[next] = true
		p = &mcp.ListToolsParams{Cursor: next}
	}
	l.mu.Lock()
	l.headers = true
	l.mu.Unlock()
	return tools, warnings, nil
}

// modern reports whether the server speaks the protocol without a handshake.
func (l *link) modern() bool { return l.session.InitializeResult().ProtocolVersion >= "2026-07-28" }

// page returns the definitions of one page of tools, and where the next one begins.
func (l *link) page(ctx context.Context, cursor string) (raw []json.RawMessage, next string, err error) {
	ctx, t := tapped(ctx)
	r, err := l.session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	var sent struct {
		Tools []json.RawMessage `json:"tools"`
		Next  string            `json:"nextCursor"`
	}
	if text := t.result(); text != nil && json.Unmarshal(text, &sent) == nil && sent.Tools != nil {
		if err == nil { // the library leaves out those whose arguments cannot be mirrored in headers
			sent.Tools = slices.DeleteFunc(sent.Tools, func(text json.RawMessage) bool {
				return bytes.Contains(text, []byte("x-mcp-header")) && !slices.ContainsFunc(r.Tools, func(t *mcp.Tool) bool { return t.Name == nameOf(text) })
			})
		}
		return sent.Tools, sent.Next, nil
	}
	if err != nil {
		return nil, "", err
	}
	for _, t := range r.Tools {
		text, err := schema.Marshal(t)
		if err != nil {
			return nil, "", err
		}
		raw = append(raw, text)
	}
	return raw, r.NextCursor, nil
}

// mirror lists the tools of a server that wants arguments of this one in headers too: the
// library knows only what it has listed on the same connection.
func (l *link) mirror(ctx context.Context, tool string) error {
	l.mu.Lock()
	known := l.headers
	l.mu.Unlock()
	if known || l.remote == nil || !l.modern() {
		return nil
	}
	i := slices.IndexFunc(l.server.Tools, func(t upstream.Tool) bool { return t.Name == tool })
	if i >= 0 && !bytes.Contains(l.server.Tools[i].Input, []byte("x-mcp-header")) {
		return nil
	}
	_, _, err := l.list(ctx)
	return err
}

func nameOf(definition json.RawMessage) string {
	var t struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(definition, &t) // "" is no name
	return t.Name
}

// definition reads the definition of a tool, and returns why it cannot be used. The tool is
// never nil.
func definition(text json.RawMessage) (t *upstream.Tool, why fault.Text) {
	t = &upstream.Tool{Name: shown(nameOf(text), maxName)}
	var sent upstream.Tool
	if err := json.Unmarshal(text, &sent); err != nil {
		return t, fault.T("its definition is not valid")
	}
	if sent.Name == "" || sent.Name != t.Name || strings.ContainsFunc(sent.Name, unicode.IsSpace) {
		return t, fault.T("its name is empty, too long or not printable")
	}
	for _, s := range []json.RawMessage{sent.Input, sent.Output} {
		if len(s) > maxSchema {
			return t, fault.T("a schema is longer than %d bytes", maxSchema)
		}
	}
	if !isObject(sent.Input) {
		return t, fault.T("the schema of its arguments is not valid")
	}
	if string(sent.Output) == "null" || sent.Output != nil && !valid(sent.Output) {
		sent.Output = nil // results are passed on as they are
	}
	t = &sent
	t.Title, t.Description = shown(t.Title, maxLine), cleaned(t.Description, maxDescription)
	return t, fault.Text{}
}

// valid reports whether a text is a JSON Schema, as far as its keywords have the types that
// they must have. References are not followed.
func valid(text json.RawMessage) bool {
	var s jsonschema.Schema
	return json.Unmarshal(text, &s) == nil
}

// isObject reports whether a text is the schema of an object.
func isObject(text json.RawMessage) bool {
	var s struct {
		Type string `json:"type"`
	}
	return len(text) > 0 && text[0] == '{' && json.Unmarshal(text, &s) == nil && s.Type == "object" && valid(text)
}
