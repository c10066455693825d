package dialect

import (
	"encoding/json"
)

// mcp is tools/call of the Model Context Protocol:
// https://modelcontextprotocol.io/specification/2025-11-25/server/tools
//
// A request of JSON-RPC is answered with a response, its bare parameters with the
// result. Whatever goes wrong is a result that is marked as an error, so that the model
// reads it: a client takes an error of JSON-RPC for a fault of the connection.
//
// An object with a name, arguments and an id is [canonical], unless the caller chose this
// dialect.
func mcp() *Dialect {
	// What the client's model sees is unknown: the smallest of all will do.
	return &Dialect{Name: "mcp", Pictures: smallPictures(), Inline: true, Structured: true, read: readMCP}
}

// readMCP takes a request, its parameters, and a batch of requests.
func readMCP(doc document) *Turn {
	items := doc.list
	if doc.object != nil {
		items = []json.RawMessage{doc.raw}
	}
	t := &Turn{alone: doc.object != nil}
	t.write = func(answers []Answer) []any { return writeMCP(answers, t.Dialect.Structured) }
	t.Calls = calls(items, func(m members) *Call {
		if m.is("method", "tools/call") {
			p := m.object("params")
			return &Call{ID: m.text("id"), Name: p.text("name"), Arguments: arguments(p["arguments"])}
		}
		if doc.list != nil || !m.has("name") || !m.only("id", "name", "arguments", "_meta", "task", "actionName", "status") {
			return nil
		}
		return &Call{ID: m.text("id"), Name: m.text("name"), Arguments: arguments(m["arguments"])}
	})
	if t.Calls == nil {
		return nil
	}
	return t
}

// mcpContent is a text or an image.
type mcpContent struct {
	Type string  `json:"type"`
	Text *string `json:"text,omitzero"`
	Data []byte  `json:"data,omitempty"` // in base64
	MIME string  `json:"mimeType,omitzero"`
}

type mcpResult struct {
	Content    []any           `json:"content"`                     // [mcpContent], or blocks as they are
	Structured json.RawMessage `json:"structuredContent,omitempty"` // an object
	IsError    bool            `json:"isError"`
	Type       string          `json:"resultType"`
}

// writeMCP writes results, with their data where that is wanted.
func writeMCP(answers []Answer, structured bool) (all []any) {
	type response struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  mcpResult       `json:"result"`
	}
	for _, a := range answers {
		r := mcpResult{Content: []any{mcpContent{Type: "text", Text: &a.Content}}, IsError: a.Failure != nil, Type: "complete"}
		if startsWith(a.Data, '{') && structured {
			r.Structured = a.Data
		}
		if own := a.Contents; own != nil {
			r.Content, r.Structured = []any{}, nil
			for _, block := range own.Blocks {
				r.Content = append(r.Content, block)
			}
			if startsWith(own.Structured, '{') && structured {
				r.Structured = own.Structured
			}
		}
		for _, p := range a.Pictures {
			r.Content = append(r.Content, mcpContent{Type: "image", Data: p.Data, MIME: p.MIME})
		}
		if m := a.Call.item; m.has("jsonrpc") || m.has("method") && m.has("id") {
			all = append(all, response{"2.0", orNull(m["id"]), r})
		} else {
			all = append(all, r)
		}
	}
	return all
}

// orNull returns an identifier as it came.
func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}
