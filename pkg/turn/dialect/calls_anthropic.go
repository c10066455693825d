package dialect

import (
	"encoding/json"
	"strings"

	"github.com/helve-dev/helve/pkg/tool"
)

// anthropic is the Messages API: https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
//
// All results of a message are in one message of the user, errors are marked, and
// images are in the result.
func anthropic() *Dialect {
	return &Dialect{Name: "anthropic", Pictures: smallPictures(), Inline: true, read: readAnthropic}
}

// smallPictures are the images that Anthropic's models make use of: larger ones are
// scaled down there to 1568 pixels, and above 5 MB in base64 they are refused.
// https://docs.anthropic.com/en/docs/build-with-claude/vision
func smallPictures() tool.PictureFit {
	return tool.PictureFit{Long: 1568, Short: 1568, Bytes: 5 << 20 / 4 * 3}
}

// readAnthropic takes a tool_use block, the content of a message, and a message.
func readAnthropic(doc document) *Turn {
	items := doc.list
	certain := false
	switch {
	case items != nil:
	case doc.object.is("type", "tool_use"):
		items = []json.RawMessage{doc.raw}
	case doc.object.has("content"):
		items = doc.object.list("content")
		certain = doc.object.is("type", "message") && !doc.object.has("status") // Responses has messages with one
	}
	t := &Turn{write: writeAnthropic}
	t.Calls = calls(items, func(m members) *Call {
		if !m.is("type", "tool_use") {
			return nil // text, thinking, and tools that ran at the provider
		}
		return &Call{ID: m.text("id"), Name: m.text("name"), Arguments: arguments(m["input"])}
	})
	if t.Calls == nil && !certain {
		return nil
	}
	return t
}

// anthropicBlock is a text or an image.
type anthropicBlock struct {
	Type   string           `json:"type"`
	Text   string           `json:"text,omitzero"`
	Source *anthropicSource `json:"source,omitzero"`
}

type anthropicSource struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"` // in base64
}

func writeAnthropic(answers []Answer) []any {
	type toolResult struct {
		Type      string           `json:"type"`
		ToolUseID string           `json:"tool_use_id"`
		Toolset   string           `json:"toolset_name,omitzero"` // that the call was in
		Content   []anthropicBlock `json:"content,omitempty"`
		IsError   bool             `json:"is_error,omitzero"`
	}
	type userMessage struct {
		Role    string       `json:"role"`
		Content []toolResult `json:"content"`
	}
	m := userMessage{"user", make([]toolResult, len(answers))}
	for i, a := range answers {
		m.Content[i] = toolResult{"tool_result", a.Call.ID, a.Call.item.text("toolset_name"), anthropicBlocks(a), a.Failure != nil}
	}
	return []any{m}
}

// anthropicBlocks returns the content of a result. A text of nothing but white space
// would be refused.
func anthropicBlocks(a Answer) (blocks []anthropicBlock) {
	if strings.TrimSpace(a.Content) != "" {
		blocks = append(blocks, anthropicBlock{Type: "text", Text: a.Content})
	}
	for _, p := range a.Pictures {
		if len(a.Pictures) > 1 {
			blocks = append(blocks, anthropicBlock{Type: "text", Text: p.Name})
		}
		blocks = append(blocks, anthropicBlock{Type: "image", Source: &anthropicSource{"base64", p.MIME, p.Data}})
	}
	return blocks
}
