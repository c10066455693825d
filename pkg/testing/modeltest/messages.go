package modeltest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// messages is Anthropic's Messages.
type messages struct{}

type messagesRequest struct {
	Model     string          `json:"model"`
	MaxTokens *int            `json:"max_tokens"`
	System    json.RawMessage `json:"system"`
	Messages  []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"input_schema"`
	} `json:"tools"`
	ToolChoice struct {
		Type string `json:"type"`
	} `json:"tool_choice"`
	Stream bool `json:"stream"`
}

type block struct {
	Type      string          `json:"type"`
	Text      *string         `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	Signature string          `json:"signature"`
}

func (messages) read(r *http.Request, body []byte, s *Script) (*conversation, *refusal) {
	key := cmp.Or(r.Header.Get("X-Api-Key"), strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")) // either will do
	if s.Key != "" && key != s.Key {
		return nil, &refusal{http.StatusUnauthorized, "", "", "invalid x-api-key: " + masked(key)}
	}
	if v := r.Header.Get("Anthropic-Version"); v != "2023-06-01" && v != "2026-10-21" {
		return nil, bad("anthropic-version: header is required")
	}
	var q messagesRequest
	members, refused := request(r, body, &q)
	if refused != nil {
		return nil, refused
	}
	for _, name := range s.Unsupported {
		if _, there := members[name]; there {
			return nil, bad("%s: Extra inputs are not permitted", name)
		}
	}
	switch {
	case q.Model == "":
		return nil, bad("model: Field required")
	case s.Model != "" && q.Model != s.Model:
		return nil, &refusal{http.StatusNotFound, "", "", "model: " + q.Model}
	case q.MaxTokens == nil:
		return nil, bad("max_tokens: Field required")
	case *q.MaxTokens < 1:
		return nil, bad("max_tokens: must be greater than or equal to 1")
	case q.Stream:
		return nil, bad("stream: this server does not stream")
	case len(q.Messages) == 0:
		return nil, bad("messages: at least one message is required")
	}
	if _, ok := contentText(q.System); !ok || string(q.System) == "null" || string(q.System) == `""` {
		return nil, bad("system: Input should be a valid string or list")
	}
	var names []string
	for i, t := range q.Tools {
		names = append(names, t.Name)
		if why := definition(names, 128, t.Schema); why != "" {
			return nil, bad("tools.%d.custom.input_schema: %s", i, why)
		}
	}
	if choice, there := members["tool_choice"]; there && (len(q.Tools) == 0 || q.ToolChoice.Type == "") {
		return nil, bad("tool_choice: %s without tools", choice)
	}
	c := &conversation{offered: len(q.Tools) > 0 && q.ToolChoice.Type != "none"}
	return c, c.readMessages(&q, s.Forbidden)
}

func (c *conversation) readMessages(q *messagesRequest, forbidden []string) *refusal {
	var open []string // calls whose results are due in the next message
	role := "assistant"
	for i, m := range q.Messages {
		if m.Role != "user" && m.Role != "assistant" {
			return bad(`messages.%d.role: Input should be 'user' or 'assistant'; there is a top-level "system" parameter`, i)
		}
		if m.Role == role {
			if i == 0 {
				return bad("messages: first message must use the \"user\" role")
			}
			return bad("messages: roles must alternate between \"user\" and \"assistant\", but found multiple %q roles in a row", m.Role)
		}
		role = m.Role
		blocks, refused := readBlocks(i, m.Content)
		if refused != nil {
			return refused
		}
		if role == "user" {
			if refused := c.readUser(i, blocks, open); refused != nil {
				return refused
			}
			open = nil
			continue
		}
		for _, name := range forbidden {
			if slices.ContainsFunc(blocks, func(b block) bool { return b.Type == name }) {
				return bad("messages.%d.content: Input tag '%s' found using 'type' does not match any of the expected tags", i, name)
			}
		}
		if open, refused = c.readModel(i, m.Content, blocks); refused != nil {
			return refused
		}
	}
	if len(open) > 0 {
		return withoutResult(len(q.Messages)-1, open)
	}
	if len(c.ids) > 0 && len(q.Tools) == 0 {
		return bad("Requests which include `tool_use` or `tool_result` blocks must define tools")
	}
	return nil
}

func withoutResult(i int, ids []string) *refusal {
	return bad("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s. Each `tool_use` block must have a corresponding `tool_result` block in the next message.", i, strings.Join(ids, ", "))
}

// readBlocks reads a content: a string or blocks.
func readBlocks(i int, content json.RawMessage) ([]block, *refusal) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		content = encode([]any{map[string]any{"type": "text", "text": text}})
	}
	var blocks []block
	if json.Unmarshal(content, &blocks) != nil {
		return nil, bad("messages.%d.content: Input should be a valid list", i)
	}
	if len(blocks) == 0 {
		return nil, bad("messages.%d: all messages must have non-empty content except for the optional final assistant message", i)
	}
	for _, b := range blocks {
		if b.Type == "text" && (b.Text == nil || *b.Text == "") {
			return nil, bad("messages: text content blocks must be non-empty")
		}
	}
	return blocks, nil
}

// readUser reads a message of the user, whose results must come first and be those of open.
func (c *conversation) readUser(i int, blocks []block, open []string) *refusal {
	others := 0
	for _, b := range blocks {
		switch b.Type {
		case "text":
			others++
			if c.first == "" {
				c.first = *b.Text
			}
		case "tool_result":
			at := slices.Index(open, b.ToolUseID)
			if at < 0 {
				return bad("messages.%d.content: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", i, b.ToolUseID)
			}
			if others > 0 {
				return bad("messages.%d.content: `tool_result` blocks must come first", i)
			}
			if _, ok := contentText(b.Content); !ok {
				return bad("messages.%d.content: tool_result.content: Input should be a valid string or list", i)
			}
			open = slices.Delete(slices.Clone(open), at, at+1)
		case "image", "document":
			others++
		default:
			return bad("messages.%d.content: Input tag '%s' found using 'type' does not match any of the expected tags", i, b.Type)
		}
	}
	if len(open) > 0 {
		return withoutResult(i-1, open)
	}
	return nil
}

// readModel reads a message of the model, and returns its calls.
func (c *conversation) readModel(i int, content json.RawMessage, blocks []block) (open []string, refused *refusal) {
	c.spoken = append(c.spoken, spoken(content))
	for _, b := range blocks {
		switch b.Type {
		case "tool_use":
			if b.ID == "" || b.Name == "" || !isObject(b.Input) || slices.Contains(c.ids, b.ID) {
				return nil, bad("messages.%d.content: a tool_use needs an id of its own, a name and an input that is a dictionary", i)
			}
			c.ids, open = append(c.ids, b.ID), append(open, b.ID)
		case "thinking":
			if b.Signature == "" {
				return nil, bad("messages.%d.content: thinking.signature: Field required", i)
			}
		}
	}
	return open, nil
}

// spoken returns the part of a model's message that must come back.
func spoken(content json.RawMessage) json.RawMessage {
	return encode(map[string]any{"content": content})
}

func (messages) tooLong(tokens, most int) *refusal {
	return bad("prompt is too long: %d tokens > %d maximum", tokens, most)
}

func (messages) reply(step *Step, n, tokens int) ([]byte, json.RawMessage) {
	blocks := []any{}
	if step.Reasoning != "" {
		blocks = append(blocks, map[string]any{"type": "thinking", "thinking": step.Reasoning, "signature": "c2NyaXB0ZWQ="})
	}
	if step.Say != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": step.Say})
	}
	stop := "end_turn"
	for i := range step.Calls {
		c := &step.Calls[i]
		input := json.RawMessage(c.raw())
		if !isObject(input) {
			input = encode(map[string]string{"malformed": c.raw()}) // as far as this format can be wrong
		}
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": c.id(n, i), "name": c.Name, "input": input})
		stop = "tool_use"
	}
	content := encode(blocks)
	u := cmp.Or(step.Usage, &Usage{tokens, len(content) / 4})
	message := map[string]any{
		"id": fmt.Sprintf("msg_%d", n), "type": "message", "role": "assistant", "model": "scripted", "content": json.RawMessage(content),
		"stop_reason": cmp.Or(step.Stop, stop), "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": u.In, "output_tokens": u.Out, "cache_creation_input_tokens": 0, "cache_read_input_tokens": nil},
	}
	for name, value := range step.Extra {
		message[name] = value
	}
	return encode(message), spoken(content)
}

func (messages) refuse(r *refusal) []byte {
	kind := map[int]string{
		http.StatusUnauthorized: "authentication_error", http.StatusForbidden: "permission_error", http.StatusNotFound: "not_found_error",
		http.StatusRequestEntityTooLarge: "request_too_large", http.StatusTooManyRequests: "rate_limit_error", overloaded: "overloaded_error",
	}[r.status]
	if kind == "" && r.status < 500 {
		kind = "invalid_request_error"
	}
	return encode(map[string]any{"type": "error", "error": map[string]any{"type": cmp.Or(r.kind, kind, "api_error"), "message": r.message}, "request_id": "req_0"})
}

func (messages) empty() string {
	return `{"id":"msg_0","type":"message","role":"assistant","model":"scripted","content":[],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":0}}`
}

func (messages) stream() string {
	return "event: message_start\ndata: {\"type\":\"message_start\"}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
}

func isObject(text json.RawMessage) bool {
	return json.Valid(text) && bytes.HasPrefix(bytes.TrimSpace(text), []byte("{"))
}
