package dialect

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// Call is one call that a model made.
type Call struct {
	ID        string
	Name      string
	Arguments []byte // JSON as the model wrote it, which may be invalid
}

// Answer is the result of a call.
type Answer struct {
	ID       string
	Content  string
	Pictures []tool.Picture // beside the text
}

// toolCall is a call in Chat Completions.
type toolCall struct {
	ID       identifier `json:"id"`
	Type     string     `json:"type"`
	Function *struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
	Custom *struct {
		Name  string `json:"name"`
		Input string `json:"input"` // text as the model wrote it, without JSON around it
	} `json:"custom"`
}

// known reports whether the call names what it calls.
func (c *toolCall) known() bool { return c.Function != nil || c.Custom != nil }

// call returns the call. Without a name, the answer is that of an unknown tool.
func (c *toolCall) call() Call {
	switch {
	case c.Function != nil:
		return Call{ID: string(c.ID), Name: c.Function.Name, Arguments: arguments(c.Function.Arguments)}
	case c.Custom != nil:
		return Call{ID: string(c.ID), Name: c.Custom.Name, Arguments: []byte(c.Custom.Input)}
	}
	return Call{ID: string(c.ID)}
}

// identifier is a string, or whatever a careless server sends instead.
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

// message is a completion, or a message of one.
type message struct {
	toolCall
	ToolCalls []json.RawMessage `json:"tool_calls"`
	Role      string            `json:"role"`
	Choices   []struct {
		Message *message `json:"message"`
	} `json:"choices"`

	// Of other formats, to tell them from a message without calls.
	Content      json.RawMessage `json:"content"`
	FunctionCall json.RawMessage `json:"function_call"`
}

// Parse returns the calls in what a provider returned: a tool call, an array of them,
// an assistant's message or a completion of Chat Completions. A message without
// calls is no fault.
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
		if json.Unmarshal(item, &c) != nil {
			c.Function, c.Custom = nil, nil // damaged
		}
		calls[i] = c.call()
	}
	return calls, nil
}

// items returns the calls of a document, unread: a damaged one must not keep the
// others from being answered.
func items(data []byte) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if data[0] == '[' {
		if err := json.Unmarshal(data, &list); err != nil {
			return nil, unrecognised().Because(err)
		}
		for _, item := range list {
			var c toolCall
			if json.Unmarshal(item, &c) == nil && c.known() {
				return list, nil
			}
		}
		if len(list) > 0 {
			return nil, unrecognised() // none is a call
		}
		return list, nil
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, unrecognised().Because(err)
	}
	switch {
	case m.known():
		return []json.RawMessage{data}, nil
	case m.Choices != nil:
		if len(m.Choices) == 0 || m.Choices[0].Message == nil {
			return nil, unrecognised()
		}
		return m.Choices[0].Message.calls() // the others are alternatives
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

// arguments returns the JSON of the arguments: the format wants it in a string, but
// some servers send the object itself.
func arguments(raw json.RawMessage) []byte {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []byte(text)
	}
	return raw
}

func unrecognised() *fault.Error {
	return fault.New(fault.InvalidArguments, fault.T("this is not a tool call in a known format", "无法识别的工具调用格式")).
		WithHint(fault.T("pass OpenAI Chat tool_calls: one, an array, the assistant's message or the complete response",
			"请提供 OpenAI Chat 的 tool_calls：单个、数组、assistant 消息或完整 completion"))
}

// Pictures returns the images that OpenAI's models make use of: larger ones are scaled
// down there to fit a square of 2048 pixels, and to 768 pixels at the shorter edge.
// https://platform.openai.com/docs/guides/images-vision
func Pictures() tool.PictureFit { return tool.PictureFit{Long: 2048, Short: 768, Bytes: 5 << 20} }

// Results returns the answers as the messages to send to Chat Completions next, in
// the same order. Its messages of tools have no images: those follow in one message of
// the user, each below the id of its call.
func Results(answers []Answer) any {
	type toolMessage struct {
		Role       string `json:"role"`
		ToolCallID string `json:"tool_call_id"`
		Content    string `json:"content"`
	}
	messages := make([]any, 0, len(answers)+1)
	var shown []part
	for _, a := range answers {
		messages = append(messages, toolMessage{"tool", a.ID, a.Content})
		for _, p := range a.Pictures {
			url := "data:" + p.MIME + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
			shown = append(shown, part{Type: "text", Text: a.ID + ": " + p.Name}, part{Type: "image_url", Image: &imageURL{url}})
		}
	}
	if shown != nil {
		messages = append(messages, userMessage{"user", shown})
	}
	return messages
}

// userMessage is a message of the user with texts and images.
type userMessage struct {
	Role    string `json:"role"`
	Content []part `json:"content"`
}

// part is a text or an image.
type part struct {
	Type  string    `json:"type"`
	Text  string    `json:"text,omitzero"`
	Image *imageURL `json:"image_url,omitzero"`
}

type imageURL struct {
	URL string `json:"url"`
}
