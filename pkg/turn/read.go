package turn

import (
	"encoding/json"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

// said holds the calls of a model's message. Errors in the rest of it, such as a text cut
// off in the middle of a character, must not keep them from being answered.
type said struct {
	Role     string            `json:"role"`
	Calls    []json.RawMessage `json:"tool_calls,omitempty"`
	Function json.RawMessage   `json:"function_call,omitempty"`
	Content  []json.RawMessage `json:"content,omitempty"`
}

// read returns the calls of a model's message. One that is no proper JSON is answered
// with what is wrong.
func read(d *dialect.Dialect, message json.RawMessage) (*dialect.Turn, error) {
	var m struct {
		Calls    []json.RawMessage `json:"tool_calls"`
		Function json.RawMessage   `json:"function_call"`
		Content  json.RawMessage   `json:"content"`
	}
	if err := json.Unmarshal(message, &m); err != nil {
		return nil, err
	}
	var wrong []*fault.Error
	proper := func(call json.RawMessage) json.RawMessage {
		err := schema.Check(call)
		if wrong = append(wrong, fault.As(err)); err != nil {
			return nameOf(call)
		}
		return call
	}
	kept := said{Role: "assistant"}
	switch {
	case d.Name == string(dialect.Anthropic):
		for _, block := range toolUses(m.Content) {
			kept.Content = append(kept.Content, proper(block))
		}
	case m.Calls != nil:
		for _, call := range m.Calls {
			kept.Calls = append(kept.Calls, proper(call))
		}
	case len(m.Function) > 0:
		kept.Function = proper(m.Function)
	}
	document, err := schema.Marshal(kept)
	if err != nil {
		return nil, err
	}
	turn, err := dialect.Parse(d, document)
	if err != nil {
		return nil, err
	}
	for i := range turn.Calls {
		if i < len(wrong) && wrong[i] != nil {
			turn.Calls[i].Err = wrong[i]
		}
	}
	return turn, nil
}

// toolUses returns the blocks of a content that are calls.
func toolUses(content json.RawMessage) (calls []json.RawMessage) {
	var blocks []json.RawMessage
	if json.Unmarshal(content, &blocks) != nil {
		return nil // a text
	}
	for _, b := range blocks {
		var block struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(b, &block) == nil && block.Type == "tool_use" {
			calls = append(calls, b)
		}
	}
	return calls
}

// nameOf returns a call without its arguments: what says which answer is its.
func nameOf(call json.RawMessage) json.RawMessage {
	type named struct {
		Name any `json:"name"`
	}
	var bare struct {
		Type     any    `json:"type,omitempty"`
		ID       any    `json:"id,omitempty"`
		Name     any    `json:"name,omitempty"`
		Toolset  any    `json:"toolset_name,omitempty"`
		Function *named `json:"function,omitempty"`
		Custom   *named `json:"custom,omitempty"`
	}
	_ = json.Unmarshal(call, &bare) // it is JSON; members of a wrong type stay away
	text, err := json.Marshal(bare)
	if err != nil {
		return json.RawMessage("{}")
	}
	return text
}
