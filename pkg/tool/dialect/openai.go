package dialect

import (
	"bytes"
	"encoding/json"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Call is one call that a model made.
type Call struct {
	ID        string
	Name      string
	Arguments []byte // JSON, as the model wrote it; nothing is promised of it
}

// Answer is what became of a call.
type Answer struct {
	ID      string
	Content string
}

// toolCall is a call as Chat Completions writes it.
type toolCall struct {
	ID       identifier `json:"id"`
	Type     string     `json:"type"`
	Function *struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// identifier is a string, or what a careless server gives instead.
type identifier string

func (id *identifier) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*id = identifier(s)
	} else if string(b) != "null" {
		*id = identifier(b)
	}
	return nil
}

// message is a completion or an assistant's message of one.
type message struct {
	toolCall
	ToolCalls []json.RawMessage `json:"tool_calls"`
	Role      string            `json:"role"`
	Choices   []struct {
		Message *message `json:"message"`
	} `json:"choices"`

	// Of other formats, which would otherwise pass for a message without calls.
	Content      json.RawMessage `json:"content"`
	FunctionCall json.RawMessage `json:"function_call"`
}

// Parse finds the calls in what a provider returned: one tool call, an array of
// them, an assistant's message, or a whole completion of Chat Completions. A
// message without calls has none; that is no fault.
func Parse(data []byte) ([]Call, error) {
	if err := schema.Check(data); err != nil {
		return nil, err
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	list, err := items(data)
	if err != nil {
		return nil, err
	}
	calls := make([]Call, len(list))
	for i, item := range list {
		var c toolCall
		if json.Unmarshal(item, &c) != nil || c.Function == nil {
			calls[i] = Call{ID: string(c.ID)} // of no tool: answered like an unknown one
			continue
		}
		calls[i] = Call{ID: string(c.ID), Name: c.Function.Name, Arguments: arguments(c.Function.Arguments)}
	}
	return calls, nil
}

// items finds the calls of a document, each still to be read: one that is
// damaged must not keep the others from being answered.
func items(data []byte) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if data[0] == '[' {
		if err := json.Unmarshal(data, &list); err != nil {
			return nil, unrecognised().Because(err)
		}
		for _, item := range list {
			var c toolCall
			if json.Unmarshal(item, &c) == nil && c.Function != nil {
				return list, nil
			}
		}
		if len(list) > 0 {
			return nil, unrecognised() // none of them is a call
		}
		return list, nil
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, unrecognised().Because(err)
	}
	switch {
	case m.Function != nil:
		return []json.RawMessage{data}, nil
	case m.Choices != nil:
		if len(m.Choices) == 0 || m.Choices[0].Message == nil {
			return nil, unrecognised()
		}
		return m.Choices[0].Message.calls() // the others are alternatives to it
	case m.Role != "" || m.ToolCalls != nil:
		return m.calls()
	}
	return nil, unrecognised()
}

func (m *message) calls() ([]json.RawMessage, error) {
	foreign := len(m.FunctionCall) > 0 && string(m.FunctionCall) != "null" ||
		bytes.Contains(m.Content, []byte(`"tool_use"`)) || bytes.Contains(m.Content, []byte(`"functionCall"`))
	if len(m.ToolCalls) == 0 && foreign {
		return nil, unrecognised()
	}
	return m.ToolCalls, nil
}

// arguments takes the string of JSON that the format asks for; some servers
// send the object itself.
func arguments(raw json.RawMessage) []byte {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []byte(text)
	}
	return raw
}

func unrecognised() *fault.Error {
	return fault.New(fault.InvalidArguments, fault.T("this is not a tool call of any format known here", "无法识别的工具调用格式")).
		WithHint(fault.T("give OpenAI Chat tool_calls: one, an array, the assistant's message or the whole completion",
			"请提供 OpenAI Chat 的 tool_calls：单个、数组、assistant 消息或完整 completion"))
}

// Results writes the answers as the messages that Chat Completions wants next,
// in the order given.
func Results(answers []Answer) any {
	type toolMessage struct {
		Role       string `json:"role"`
		ToolCallID string `json:"tool_call_id"`
		Content    string `json:"content"`
	}
	messages := make([]toolMessage, len(answers))
	for i, a := range answers {
		messages[i] = toolMessage{"tool", a.ID, a.Content}
	}
	return messages
}
