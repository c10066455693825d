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
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function *struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// message is a completion or an assistant's message of one.
type message struct {
	toolCall
	ToolCalls []toolCall `json:"tool_calls"`
	Role      string     `json:"role"`
	Choices   []struct {
		Message struct {
			ToolCalls []toolCall `json:"tool_calls"`
		} `json:"message"`
	} `json:"choices"`
}

// Parse finds the calls in what a provider returned: one tool call, an array of
// them, an assistant's message, or a whole completion of Chat Completions. A
// message without calls has none; that is no fault.
func Parse(data []byte) ([]Call, error) {
	if err := schema.Check(data); err != nil {
		return nil, err
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	var list []toolCall
	if data[0] == '[' {
		if err := json.Unmarshal(data, &list); err != nil {
			return nil, unrecognised().Because(err)
		}
	} else {
		var m message
		if err := json.Unmarshal(data, &m); err != nil {
			return nil, unrecognised().Because(err)
		}
		switch {
		case m.Function != nil:
			list = []toolCall{m.toolCall}
		case m.Choices != nil:
			for _, choice := range m.Choices {
				list = append(list, choice.Message.ToolCalls...)
			}
		case m.Role != "" || m.ToolCalls != nil:
			list = m.ToolCalls
		default:
			return nil, unrecognised()
		}
	}
	calls := make([]Call, len(list))
	for i, c := range list {
		if c.Function == nil {
			return nil, unrecognised()
		}
		calls[i] = Call{ID: c.ID, Name: c.Function.Name, Arguments: arguments(c.Function.Arguments)}
	}
	return calls, nil
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
