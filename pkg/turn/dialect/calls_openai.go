package dialect

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/helve-dev/helve/pkg/tool"
)

// chat is Chat Completions: https://platform.openai.com/docs/guides/function-calling
//
// Its messages of tools have no images, and no mark for an error. Images follow in one
// message of the user, each below the id of its call.
func chat() *Dialect {
	return &Dialect{Name: string(OpenAI), Pictures: openAIPictures(), read: readChat}
}

// openAIPictures are the images that OpenAI's models make use of: larger ones are scaled
// down there to fit a square of 2048 pixels, and to 768 pixels at the shorter edge.
// https://platform.openai.com/docs/guides/images-vision
func openAIPictures() tool.PictureFit { return tool.PictureFit{Long: 2048, Short: 768, Bytes: 5 << 20} }

// readChat takes a tool call, an array of them, an assistant's message and a completion.
func readChat(doc document) *Turn {
	switch {
	case doc.list != nil:
		for _, raw := range doc.list {
			if isChatCall(membersOf(raw)) {
				return chatTurn(doc.list)
			}
		}
		return nil
	case isChatCall(doc.object):
		return chatTurn([]json.RawMessage{doc.raw})
	case doc.object.has("choices"):
		if choices := doc.object.list("choices"); len(choices) > 0 { // the others are alternatives
			return chatMessage(membersOf(choices[0])["message"])
		}
		return nil
	}
	return chatMessage(doc.raw)
}

// isChatCall reports whether a call names what it calls.
func isChatCall(m members) bool { return m.object("function") != nil || m.object("custom") != nil }

// chatMessage returns the calls of a message, which may have none.
func chatMessage(raw json.RawMessage) *Turn {
	m := membersOf(raw)
	switch {
	case m.has("tool_calls"):
		if list := m.list("tool_calls"); list != nil {
			return chatTurn(list)
		}
	case m.has("role") && m.object("function_call").has("name"):
		return chatFunction(raw, m)
	case m.has("role") && !m.has("function_call") && !m.has("parts") && !bytes.Contains(m["content"], []byte(`"tool_use"`)):
		return &Turn{}
	}
	return nil
}

// chatTurn reads tool calls. A damaged one must not keep the others from being answered:
// it has no name, and is answered like an unknown tool.
func chatTurn(list []json.RawMessage) *Turn {
	t := &Turn{Calls: make([]Call, len(list)), write: writeChat}
	for i, raw := range list {
		m := membersOf(raw)
		c := Call{ID: m.text("id"), Raw: raw, item: m}
		if f := m.object("function"); f != nil {
			c.Name, c.Arguments = f.text("name"), arguments(f["arguments"])
		} else if f := m.object("custom"); f != nil { // text as the model wrote it
			c.Name, c.Arguments = f.text("name"), []byte(f.text("input"))
		}
		t.Calls[i] = c
	}
	return t
}

// chatFunction reads a message with the one call that Chat Completions had before tool
// calls, and some servers still have.
func chatFunction(raw json.RawMessage, m members) *Turn {
	f := m.object("function_call")
	type functionMessage struct {
		Role    string `json:"role"`
		Name    string `json:"name"`
		Content string `json:"content"`
	}
	return &Turn{
		Calls: []Call{{Name: f.text("name"), Arguments: arguments(f["arguments"]), Raw: raw, item: m}},
		write: func(answers []Answer) (messages []any) {
			for _, a := range answers {
				messages = append(messages, functionMessage{"function", a.Call.Name, a.Content})
			}
			return append(messages, chatPictures(answers)...)
		},
	}
}

func writeChat(answers []Answer) (messages []any) {
	type toolMessage struct {
		Role       string `json:"role"`
		ToolCallID string `json:"tool_call_id"`
		Content    string `json:"content"`
	}
	for _, a := range answers {
		messages = append(messages, toolMessage{"tool", a.Call.ID, a.Content})
	}
	return append(messages, chatPictures(answers)...)
}

// chatPictures returns the message of the user that shows the pictures; none if there
// are none.
func chatPictures(answers []Answer) []any {
	type imageURL struct {
		URL string `json:"url"`
	}
	type part struct {
		Type  string    `json:"type"`
		Text  string    `json:"text,omitzero"`
		Image *imageURL `json:"image_url,omitzero"`
	}
	type userMessage struct {
		Role    string `json:"role"`
		Content []part `json:"content"`
	}
	var shown []part
	for _, a := range answers {
		for _, p := range a.Pictures {
			label := p.Name
			if a.Call.ID != "" {
				label = a.Call.ID + ": " + p.Name
			}
			shown = append(shown, part{Type: "text", Text: label}, part{Type: "image_url", Image: &imageURL{dataURL(p)}})
		}
	}
	if shown == nil {
		return nil
	}
	return []any{userMessage{"user", shown}}
}

// dataURL returns a picture as a URL that contains it.
func dataURL(p tool.Picture) string {
	return "data:" + p.MIME + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}
