package model

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/bus"
)

// chat is OpenAI's Chat Completions, as the many servers have it that are compatible.
type chat struct{}

func (chat) name() string { return Chat }

func (chat) endpoint(base string) string {
	const path = "/chat/completions"
	return strings.TrimSuffix(base, path) + path
}

func (chat) header(key string, _ quirks) map[string]string {
	if key == "" {
		return nil
	}
	return map[string]string{"Authorization": "Bearer " + key}
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func (chat) user(text string) any { return chatMessage{"user", text} }

func (chat) encode(model string, r *Request, h quirks) ([]byte, error) {
	body := struct {
		Model    string            `json:"model"`
		Messages []json.RawMessage `json:"messages"`
		Tools    json.RawMessage   `json:"tools,omitempty"`
		Choice   string            `json:"tool_choice,omitzero"`
		Old      int               `json:"max_tokens,omitzero"`
		New      int               `json:"max_completion_tokens,omitzero"`
		Stream   bool              `json:"stream,omitzero"`
	}{Model: model, Tools: r.Tools, Stream: h.streams}
	body.Messages = h.chatMessages(r)
	switch output := cmp.Or(r.Output, h.least); h.limit {
	case oldLimit:
		body.Old = output
	case newLimit:
		body.New = output
	}
	switch {
	case h.untooled:
		body.Tools = nil
	case len(r.Tools) > 0 && r.NoCalls && h.defined:
		body.Choice = "none"
	case len(r.Tools) > 0 && r.NoCalls: // not every server heeds a choice
		body.Tools = nil
	case len(r.Tools) == 0 && h.defined:
		var all []any
		for _, name := range spoken(r.Messages) {
			all = append(all, map[string]any{"type": "function", "function": map[string]any{"name": name, "parameters": anyArguments()}})
		}
		body.Tools, body.Choice = encode(all), "none"
	}
	return tryEncode(body)
}

// chatMessages returns the conversation as the server takes it.
func (h quirks) chatMessages(r *Request) (all []json.RawMessage) {
	system := r.System
	for _, m := range r.Messages {
		all = append(all, h.chatMessage(m))
	}
	if h.untooled {
		all = asWords(all)
		if len(r.Tools) > 0 && !r.NoCalls {
			system += taught(r.Tools)
		}
	}
	if system == "" {
		return all
	}
	if h.unruled && len(all) > 0 {
		if first := readObject(all[0]); first.text("role") == "user" {
			if said, ok := readString(first.get("content")); ok {
				all[0] = encode(first.with("content", encode(system+"\n\n"+said)))
				return all
			}
		}
	}
	return append([]json.RawMessage{encode(chatMessage{"system", system})}, all...)
}

// chatMessage returns a message of a conversation as the server takes it back.
func (h quirks) chatMessage(text json.RawMessage) json.RawMessage {
	if len(h.dropped) == 0 && !h.textual && !h.strict {
		return text
	}
	m := readObject(text)
	if m.text("role") != "assistant" {
		return text
	}
	m = m.without(func(m member) bool { return slices.Contains(h.dropped, m.name) })
	if h.textual && m.get("content") == nil {
		m = m.with("content", json.RawMessage(`""`))
	}
	if calls := readList(m.get("tool_calls")); h.strict && len(calls) > 0 {
		for i, call := range calls {
			c := readObject(call)
			f := readObject(c.get("function"))
			if arguments := f.text("arguments"); !isArguments(arguments) {
				calls[i] = encode(c.with("function", encode(f.with("arguments", encode(string(instead(arguments)))))))
			}
		}
		m = m.with("tool_calls", encode(calls))
	}
	return encode(m)
}

var errNoChoice = errors.New("it has no choices")

func (chat) decode(body []byte) (*Reply, error) {
	top := readObject(body)
	if top == nil {
		return nil, errors.New("it is not a JSON object")
	}
	if err := errorOf(top); err != nil {
		return nil, err
	}
	choices := readList(top.get("choices"))
	if len(choices) == 0 {
		return nil, errNoChoice
	}
	choice := readObject(choices[0])
	if err := errorOf(choice); err != nil {
		return nil, err
	}
	m := readObject(choice.get("message"))
	if m == nil {
		return nil, errors.New("its choice has no message")
	}
	reply, err := readChatMessage(m, choice.get("message"))
	if err != nil {
		return nil, err
	}
	reply.Stop = stopped(choice.text("finish_reason"), reply)
	if refusal := m.text("refusal"); refusal != "" {
		reply.Text = cmp.Or(reply.Text, refusal)
		if reply.Calls == 0 {
			reply.Stop = Filtered
		}
	}
	usage := readObject(top.get("usage"))
	reply.Usage = Usage{count(usage, "prompt_tokens"), count(usage, "completion_tokens")}
	return reply, nil
}

// errorOf returns the error in a body or in a choice of one, whose status was one of success:
// OpenRouter sends it so once the provider has begun.
func errorOf(o object) error {
	text := o.get("error")
	if text == nil || o.has("choices") && !strings.HasPrefix(string(text), "{") {
		return nil
	}
	inner := readObject(text)
	status, err := strconv.Atoi(strings.Trim(string(inner.get("code")), `"`))
	if err != nil || status < 400 || status > 599 {
		status = statusOf(inner.text("type") + " " + inner.text("code"))
	}
	return &failed{status}
}

// statusOf returns the status that an error of this type or code has.
func statusOf(kind string) int {
	for _, k := range []struct {
		word   string
		status int
	}{
		{"invalid_request", 400}, {"authentication", 401}, {"invalid_api_key", 401}, {"billing", 402}, {"permission", 403},
		{"not_found", 404}, {"request_too_large", 413}, {"rate_limit", 429}, {"overloaded", 529},
	} {
		if strings.Contains(kind, k.word) {
			return k.status
		}
	}
	return 502
}

// readChatMessage reads a message of the model and repairs members that servers send but
// do not accept back.
func readChatMessage(m object, text json.RawMessage) (*Reply, error) {
	said, err := chatText(m.get("content"))
	if err != nil {
		return nil, err
	}
	mended := m.without(func(m member) bool { // null: Gemini's server; an empty list of calls: OpenAI's
		return m.name != "content" && string(m.value) == "null" || (m.name == "tool_calls" || m.name == "annotations") && string(m.value) == "[]"
	})
	if mended.text("role") != "assistant" {
		mended = mended.with("role", json.RawMessage(`"assistant"`))
	}
	reply := &Reply{Text: bus.WithoutThinking(said)}
	if calls := mended.get("tool_calls"); calls != nil {
		list := readList(calls)
		if list == nil {
			return nil, errors.New("its tool_calls are not an array")
		}
		reply.Calls = len(list)
		if list, changed := mendCalls(list); changed {
			mended = mended.with("tool_calls", encode(list))
		}
	} else if mended.has("function_call") {
		reply.Calls = 1
	}
	if mended.get("content") == nil && (reply.Calls == 0 || !mended.has("content")) {
		content := json.RawMessage("null") // which must be there
		if reply.Calls == 0 {
			content = json.RawMessage(`""`) // null is only for calls
		}
		mended = mended.with("content", content)
	}
	reply.Message = text
	if !m.equal(mended) {
		reply.Message = encode(mended)
	}
	return reply, nil
}

// mendCalls gives each call an id of its own, its type, and arguments that are a string.
func mendCalls(list []json.RawMessage) (mended []json.RawMessage, changed bool) {
	var ids []string
	mended = slices.Clone(list)
	for i, text := range list {
		call := readObject(text)
		if call == nil {
			continue // it is answered as one of no tool
		}
		was := call
		if id := call.text("id"); id == "" || slices.Contains(ids, id) {
			call = call.with("id", encode("call_"+rand.Text()))
		}
		ids = append(ids, call.text("id"))
		if call.get("type") == nil {
			call = call.with("type", json.RawMessage(`"function"`))
		}
		if f := readObject(call.get("function")); f != nil {
			if arguments := f.get("arguments"); len(arguments) == 0 {
				call = call.with("function", encode(f.with("arguments", json.RawMessage(`"{}"`))))
			} else if _, ok := readString(arguments); !ok {
				call = call.with("function", encode(f.with("arguments", encode(string(arguments)))))
			}
		}
		if !was.equal(call) {
			mended[i], changed = encode(call), true
		}
	}
	return mended, changed
}

// chatText returns the text of a content: a string, parts, or null.
func chatText(content json.RawMessage) (string, error) {
	if content == nil {
		return "", nil
	}
	if text, ok := readString(content); ok {
		return text, nil
	}
	parts := readList(content)
	if parts == nil {
		return "", errors.New("its content is neither a text nor an array")
	}
	var all strings.Builder
	for _, part := range parts {
		p := readObject(part)
		if kind := p.text("type"); kind == "text" || kind == "output_text" {
			all.WriteString(p.text("text"))
		}
	}
	return all.String(), nil
}

// stopped returns why the model stopped. What it did counts for more than what the server
// calls it: calls often come with "stop", and "tool_calls" without any.
func stopped(reason string, r *Reply) Stop {
	switch strings.ToLower(reason) {
	case "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded":
		return Length
	case "content_filter", "refusal", "safety", "prohibited_content", "recitation":
		if r.Calls == 0 {
			return Filtered
		}
	}
	if r.Calls > 0 {
		return Calls
	}
	return Ended
}

// count returns a number of tokens; 0 if there is none.
func count(usage object, name string) int64 {
	var n float64
	if json.Unmarshal(usage.get(name), &n) != nil || n < 0 || n > 1<<50 {
		return 0
	}
	return int64(n)
}

// spoken returns the names of the tools that were called.
func spoken(all []json.RawMessage) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, text := range all {
		m := readObject(text)
		if m.text("role") != "assistant" {
			continue
		}
		for _, call := range readList(m.get("tool_calls")) {
			add(readObject(readObject(call).get("function")).text("name"))
		}
		for _, block := range readList(m.get("content")) {
			if b := readObject(block); b.text("type") == "tool_use" {
				add(b.text("name"))
			}
		}
	}
	return names
}

// anyArguments is a schema for tools that are spoken of, but not offered.
func anyArguments() any {
	return map[string]any{"type": "object", "properties": map[string]any{}}
}
