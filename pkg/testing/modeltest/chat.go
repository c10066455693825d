package modeltest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// chat is OpenAI's Chat Completions.
type chat struct{}

type chatRequest struct {
	Model      string            `json:"model"`
	Messages   []json.RawMessage `json:"messages"`
	Tools      *[]chatTool       `json:"tools"`
	ToolChoice json.RawMessage   `json:"tool_choice"`
	Stream     bool              `json:"stream"`
}

type chatTool struct {
	Type     string `json:"type"`
	Function struct {
		Name       string          `json:"name"`
		Parameters json.RawMessage `json:"parameters"`
	} `json:"function"`
}

type chatMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCalls  []chatCall      `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
}

type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string  `json:"name"`
		Arguments *string `json:"arguments"`
	} `json:"function"`
}

func (chat) read(r *http.Request, body []byte, s *Script) (*conversation, *refusal) {
	if s.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.Key {
		return nil, &refusal{http.StatusUnauthorized, "invalid_api_key", "", "Incorrect API key provided: " + masked(r.Header.Get("Authorization")) + "."}
	}
	var q chatRequest
	members, refused := request(r, body, &q)
	if refused != nil {
		return nil, refused
	}
	for _, name := range s.Unsupported {
		if _, there := members[name]; there {
			return nil, &refusal{http.StatusBadRequest, "unsupported_parameter", name, fmt.Sprintf("Unsupported parameter: '%s' is not supported with this model.", name)}
		}
	}
	if q.Model == "" {
		return nil, bad("you must provide a model parameter")
	}
	if s.Model != "" && q.Model != s.Model {
		return nil, &refusal{http.StatusNotFound, "model_not_found", "model", fmt.Sprintf("The model `%s` does not exist or you do not have access to it.", q.Model)}
	}
	if q.Stream {
		return nil, bad("this server does not stream")
	}
	if q.Tools != nil {
		if refused := checkTools(*q.Tools); refused != nil {
			return nil, refused
		}
	}
	c := &conversation{offered: q.Tools != nil && string(q.ToolChoice) != `"none"`}
	return c, c.readChat(q.Messages, s.Forbidden)
}

// readChat reads messages and checks that each call has its result.
func (c *conversation) readChat(all []json.RawMessage, forbidden []string) *refusal {
	if len(all) == 0 {
		return bad("Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.")
	}
	var open []string // calls whose results are due
	for i, text := range all {
		var m chatMessage
		if err := json.Unmarshal(text, &m); err != nil {
			return bad("messages.%d: %v", i, err)
		}
		if len(open) > 0 && m.Role != "tool" {
			return unanswered(open)
		}
		if m.Content == nil && len(m.ToolCalls) == 0 {
			return bad("messages.%d: content is missing", i)
		}
		said, ok := contentText(m.Content)
		if !ok || string(m.Content) == "null" && len(m.ToolCalls) == 0 {
			return bad("Invalid value for 'content': expected a string, got %s. messages.%d", m.Content, i)
		}
		switch m.Role {
		case "system", "developer":
		case "user":
			if c.first == "" {
				c.first = said
			}
		case "assistant":
			refused := c.readCalls(i, text, &m, forbidden)
			if refused != nil {
				return refused
			}
			for _, call := range m.ToolCalls {
				open = append(open, call.ID)
			}
		case "tool":
			at := slices.Index(open, m.ToolCallID)
			if at < 0 {
				return bad("messages.%d: messages with role 'tool' must be a response to a preceding message with 'tool_calls': no call %q is open", i, m.ToolCallID)
			}
			open = slices.Delete(open, at, at+1)
		default:
			return bad("Invalid value: '%s'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'. messages[%d].role", m.Role, i)
		}
	}
	if len(open) > 0 {
		return unanswered(open)
	}
	return nil
}

// readCalls reads a message of the model.
func (c *conversation) readCalls(i int, text json.RawMessage, m *chatMessage, forbidden []string) *refusal {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return bad("messages.%d: %v", i, err)
	}
	for _, name := range forbidden {
		if _, there := members[name]; there {
			return bad("'messages.%d' : for 'role:assistant' the following must be satisfied[('messages.%d' : property '%s' is unsupported)]", i, i, name)
		}
	}
	if calls, there := members["tool_calls"]; there && string(calls) == "[]" {
		return bad("Invalid 'messages[%d].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.", i)
	}
	c.spoken = append(c.spoken, text)
	before := len(c.ids)
	for _, call := range m.ToolCalls {
		if call.ID == "" || call.Type != "function" || call.Function.Name == "" || call.Function.Arguments == nil || slices.Contains(c.ids[before:], call.ID) {
			return bad("messages.%d.tool_calls: a call needs an id of its own, the type 'function', a name and arguments", i)
		}
		c.ids = append(c.ids, call.ID)
	}
	return nil
}

func unanswered(ids []string) *refusal {
	return bad("An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: %s", strings.Join(ids, ", "))
}

// contentText returns the text of a content: a string, parts of text, or null.
func contentText(content json.RawMessage) (string, bool) {
	if len(content) == 0 || string(content) == "null" {
		return "", true
	}
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text, true
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &parts) != nil || len(parts) == 0 {
		return "", false
	}
	for _, p := range parts {
		if p.Type == "" {
			return "", false
		}
		text += p.Text
	}
	return text, true
}

func checkTools(tools []chatTool) *refusal {
	if len(tools) == 0 {
		return bad("Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.")
	}
	var names []string
	for i, t := range tools {
		if t.Type != "function" {
			return bad("Invalid value: '%s'. Supported values are: 'function'. tools[%d].type", t.Type, i)
		}
		names = append(names, t.Function.Name)
		if why := definition(names, 64, t.Function.Parameters); why != "" {
			return bad("Invalid schema for function '%s': %s. tools[%d].function.parameters", t.Function.Name, why, i)
		}
	}
	return nil
}

func (chat) tooLong(tokens, most int) *refusal {
	return &refusal{http.StatusBadRequest, "context_length_exceeded", "messages",
		fmt.Sprintf("This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. Please reduce the length of the messages.", most, tokens)}
}

func (chat) reply(step *Step, n, tokens int) ([]byte, json.RawMessage) {
	message := map[string]any{"role": "assistant", "content": step.Say}
	stop := "stop"
	if len(step.Calls) > 0 {
		stop = "tool_calls"
		if step.Say == "" {
			message["content"] = nil
		}
		var calls []any
		for i := range step.Calls {
			c := &step.Calls[i]
			calls = append(calls, map[string]any{"id": c.id(n, i), "type": "function", "function": map[string]any{"name": c.Name, "arguments": c.raw()}})
		}
		message["tool_calls"] = calls
	}
	if step.Reasoning != "" {
		message["reasoning_content"] = step.Reasoning
	}
	for name, value := range step.Extra {
		message[name] = value
	}
	text := encode(message)
	u := cmp.Or(step.Usage, &Usage{tokens, len(text) / 4})
	return encode(map[string]any{
		"id": fmt.Sprintf("chatcmpl-%d", n), "object": "chat.completion", "created": 1767225600, "model": "scripted",
		"choices": []any{map[string]any{"index": 0, "message": json.RawMessage(text), "logprobs": nil, "finish_reason": cmp.Or(step.Stop, stop)}},
		"usage":   map[string]any{"prompt_tokens": u.In, "completion_tokens": u.Out, "total_tokens": u.In + u.Out},
	}), text
}

func (chat) refuse(r *refusal) []byte {
	kind := "invalid_request_error"
	switch {
	case r.status == http.StatusTooManyRequests:
		kind = cmp.Or(r.kind, "requests")
	case r.status >= 500:
		kind = "server_error"
	}
	var code, param any
	if r.kind != "" {
		code = r.kind
	}
	if r.param != "" {
		param = r.param
	}
	return encode(map[string]any{"error": map[string]any{"message": r.message, "type": kind, "param": param, "code": code}})
}

func (chat) empty() string {
	return `{"id":"chatcmpl-0","object":"chat.completion","created":1767225600,"model":"scripted","choices":[]}`
}

func (chat) stream() string {
	return "data: {\"id\":\"chatcmpl-0\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"hi\"}}]}\n\ndata: [DONE]\n\n"
}
