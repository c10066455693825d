package dialect

import (
	"encoding/json"

	"github.com/helve-dev/helve/pkg/schema"
)

// responses is the Responses API: https://platform.openai.com/docs/guides/function-calling
//
// Functions are answered by function_call_output, custom tools, whose input is a text
// without JSON around it, by custom_tool_call_output, and the tools that OpenAI's models
// were trained with as calls_responses_own.go says. No output has a mark for an error;
// all but those have images.
func responses() *Dialect {
	return &Dialect{Name: "openai-responses", Pictures: openAIPictures(), Inline: true, read: readResponses}
}

// readResponses takes an item, an array of items, and a whole response. Messages,
// reasoning, and tools that ran at the provider are passed over.
func readResponses(doc document) *Turn {
	items, certain := doc.list, false
	switch m := doc.object; {
	case m == nil:
	case m.has("output") && (m.is("object", "response") || !m.has("type")):
		items, certain = m.list("output"), m.is("object", "response")
	default:
		items = []json.RawMessage{doc.raw}
	}
	t := &Turn{write: writeResponses}
	for _, raw := range items {
		t.Calls = append(t.Calls, responsesCalls(raw)...)
	}
	if t.Calls == nil && !certain {
		return nil
	}
	return t
}

// responsesCalls returns the calls in an item; none for another item.
func responsesCalls(raw json.RawMessage) []Call {
	m := membersOf(raw)
	c := Call{ID: m.text("call_id"), Raw: raw, item: m}
	if c.ID == "" {
		c.ID = m.text("id")
	}
	switch m.text("type") {
	case "function_call":
		c.Name, c.Arguments = m.text("name"), arguments(m["arguments"])
	case "custom_tool_call":
		c.Name, c.Arguments = m.text("name"), []byte(m.text("input"))
	case "apply_patch_call":
		return []Call{c.patches(m.object("operation"))}
	case "local_shell_call":
		return []Call{c.runs(m.object("action"))}
	case "shell_call":
		return c.runsEach(m.object("action"))
	default:
		return nil
	}
	return []Call{c}
}

func writeResponses(answers []Answer) (items []any) {
	type output struct {
		Type   string          `json:"type"`
		CallID string          `json:"call_id"`
		Output any             `json:"output"`           // a string, or a list of texts and images
		Caller json.RawMessage `json:"caller,omitempty"` // of the call
	}
	for len(answers) > 0 {
		a := answers[0]
		n := 1 // answers of one item
		for n < len(answers) && answers[n].Call.more {
			n++
		}
		switch kind := a.Call.item.text("type"); kind {
		case "apply_patch_call":
			items = append(items, patched(a))
		case "local_shell_call":
			items = append(items, ran(a))
		case "shell_call":
			items = append(items, ranEach(answers[:n]))
		default:
			items = append(items, output{kind + "_output", a.Call.ID, responsesOutput(a), a.Call.caller()})
		}
		answers = answers[n:]
	}
	return items
}

// caller returns the caller of the call, if the provider names it: it wants it back.
func (c Call) caller() json.RawMessage {
	if !c.item.has("caller") {
		return nil
	}
	return c.item["caller"]
}

// responsesOutput returns the text, or with images a list.
func responsesOutput(a Answer) any {
	if len(a.Pictures) == 0 {
		return a.Content
	}
	type part struct {
		Type string `json:"type"`
		Text string `json:"text,omitzero"`
		URL  string `json:"image_url,omitzero"`
	}
	parts := []part{{Type: "input_text", Text: a.Content}}
	for _, p := range a.Pictures {
		if len(a.Pictures) > 1 {
			parts = append(parts, part{Type: "input_text", Text: p.Name})
		}
		parts = append(parts, part{Type: "input_image", URL: dataURL(p)})
	}
	return parts
}

// encoded returns arguments as JSON. They are texts and numbers, which always encode.
func encoded(d schema.Document) []byte {
	text, err := schema.Marshal(d)
	if err != nil {
		panic(err)
	}
	return text
}
