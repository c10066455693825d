package dialect

import (
	"encoding/json"
	"strings"

	"github.com/helve-dev/helve/pkg/tool"
)

// gemini is generateContent: https://ai.google.dev/gemini-api/docs/function-calling
//
// All responses are in one content of the user, each with an output or an error. From
// Gemini 3 on a response holds its images; the models before it take them as parts
// behind the responses.
func gemini() *Dialect {
	// Larger images are scaled down there to 3072 pixels.
	fit := tool.PictureFit{Long: 3072, Short: 3072, Bytes: 7 << 20}
	return &Dialect{Name: "gemini", Pictures: fit, Inline: true, read: readGemini}
}

// readGemini takes a part with a functionCall, the call in it, arrays of both, a content
// and a whole response, in the spelling of JSON or of Python.
func readGemini(doc document) *Turn {
	items, certain, early := doc.list, false, false
	switch m := doc.object; {
	case m == nil:
	case m.has("candidates"):
		certain = true
		version := m.text("modelVersion") + m.text("model_version")
		early = strings.HasPrefix(version, "gemini-1") || strings.HasPrefix(version, "gemini-2")
		if candidates := m.list("candidates"); len(candidates) > 0 { // the others are alternatives
			items = membersOf(candidates[0]).object("content").list("parts")
		}
	case m.has("parts"):
		items, certain = m.list("parts"), true
	case m.object("content").has("parts"): // a candidate
		items, certain = m.object("content").list("parts"), true
	default:
		items = []json.RawMessage{doc.raw}
	}
	t := &Turn{write: func(answers []Answer) []any { return writeGemini(answers, early) }}
	t.Calls = calls(items, geminiCall)
	if t.Calls == nil && !certain {
		return nil
	}
	return t
}

// geminiCall reads a part, or the call in one.
func geminiCall(m members) *Call {
	f := m.object("functionCall")
	if f == nil {
		f = m.object("function_call")
	}
	if _, args := m["args"]; f == nil && m.has("name") && args && !m.has("type") {
		f = m
	}
	if f == nil || f.has("arguments") { // the latter is a message of Chat Completions
		return nil
	}
	return &Call{ID: f.text("id"), Name: f.text("name"), Arguments: arguments(f["args"])}
}

// geminiPart is a response or an image.
type geminiPart struct {
	Response *geminiResponse `json:"functionResponse,omitzero"`
	Inline   *geminiBlob     `json:"inlineData,omitzero"`
}

type geminiBlob struct {
	MIME string `json:"mimeType"`
	Data []byte `json:"data"` // in base64
}

type geminiResponse struct {
	ID       string       `json:"id,omitzero"` // none if the call had none
	Name     string       `json:"name"`
	Response geminiOutput `json:"response"`
	Parts    []geminiPart `json:"parts,omitempty"`
}

// geminiOutput has either member.
type geminiOutput struct {
	Output *string `json:"output,omitzero"`
	Error  *string `json:"error,omitzero"`
}

func writeGemini(answers []Answer, early bool) []any {
	type content struct {
		Role  string       `json:"role"`
		Parts []geminiPart `json:"parts"`
	}
	c := content{"user", make([]geminiPart, len(answers))}
	for i, a := range answers {
		r := &geminiResponse{ID: a.Call.ID, Name: a.Call.Name}
		if a.Failure != nil {
			r.Response.Error = &a.Content
		} else {
			r.Response.Output = &a.Content
		}
		var images []geminiPart
		for _, p := range a.Pictures {
			images = append(images, geminiPart{Inline: &geminiBlob{p.MIME, p.Data}})
		}
		if early {
			c.Parts = append(c.Parts, images...)
		} else {
			r.Parts = images
		}
		c.Parts[i] = geminiPart{Response: r}
	}
	return []any{c}
}
