package custom

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// maxQuestions limits the questions of a program at once.
const maxQuestions = 16

// Content is a program's output as MCP content blocks; see "Tool Result" in the Model
// Context Protocol.
type Content struct {
	Blocks     []json.RawMessage `json:"content"`
	Structured json.RawMessage   `json:"structuredContent,omitempty"`

	text string
}

// block is the part of a content block that is looked at.
type block struct {
	Type        string                     `json:"type"`
	Text        string                     `json:"text"`
	Data        []byte                     `json:"data"`
	MIMEType    string                     `json:"mimeType"`
	URI         string                     `json:"uri"`
	Name        string                     `json:"name"`
	Meta        map[string]json.RawMessage `json:"_meta"`
	Annotations *struct {
		Audience     []string `json:"audience"`
		Priority     float64  `json:"priority"`
		LastModified string   `json:"lastModified"`
	} `json:"annotations"`
	Resource *struct {
		URI      string                     `json:"uri"`
		MIMEType string                     `json:"mimeType"`
		Text     *string                    `json:"text"`
		Blob     *[]byte                    `json:"blob"`
		Meta     map[string]json.RawMessage `json:"_meta"`
	} `json:"resource"`
}

// content reads content blocks: a list of them, a tool result with such a list, or
// one block a line. Or it reads what the program asks for; that is the fault unsupported
// with [tool.Asked].
func (c custom) content(out []byte) (any, error) {
	type document struct {
		Content    []json.RawMessage `json:"content"`
		Structured json.RawMessage   `json:"structuredContent"`
		IsError    bool              `json:"isError"`
		Requests   json.RawMessage   `json:"inputRequests"`
		State      string            `json:"requestState"`
	}
	var result document
	trimmed := bytes.TrimSpace(out)
	whole := schema.Check(trimmed) == nil
	switch {
	case whole && json.Unmarshal(trimmed, &result.Content) == nil && result.Content != nil:
	case whole && json.Unmarshal(trimmed, &result) == nil && result.Requests != nil:
		if result.Content != nil || result.Structured != nil || result.IsError {
			return nil, c.malformed(trimmed, "either content or inputRequests")
		}
		return nil, c.asked(result.Requests, result.State)
	case whole && json.Unmarshal(trimmed, &result) == nil && result.Content != nil:
	default:
		result = document{}
		for line := range bytes.Lines(trimmed) {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				result.Content = append(result.Content, bytes.Clone(line))
			}
		}
	}
	r := Content{Blocks: []json.RawMessage{}}
	var text strings.Builder
	for _, raw := range result.Content {
		line, ok := shown(raw)
		if !ok {
			return nil, c.malformed(raw, "content blocks")
		}
		text.WriteString(line)
		r.Blocks = append(r.Blocks, compact(raw))
	}
	r.text = text.String()
	if result.Structured != nil {
		r.Structured = compact(result.Structured)
	}
	if result.IsError {
		return nil, fault.New(fault.IOError, fault.T("%s failed: %s", c.Name, lastLine(r.text))).
			WithHint(fault.T("correct what it complains about, then call again")).WithDetails(r)
	}
	return r, nil
}

// shown returns a block as text; ok is false if it is not a block.
func shown(raw json.RawMessage) (line string, ok bool) {
	var b block
	if schema.Check(raw) != nil || json.Unmarshal(raw, &b) != nil {
		return "", false
	}
	switch b.Type {
	case "text":
		return ended(b.Text), true
	case "image", "audio":
		return fmt.Sprintf("[%s %s, %d bytes]\n", b.Type, b.MIMEType, len(b.Data)), len(b.Data) > 0 && b.MIMEType != ""
	case "resource_link":
		return "[" + b.URI + "]\n", b.URI != ""
	case "resource":
		switch r := b.Resource; {
		case r == nil || r.URI == "" || (r.Text == nil) == (r.Blob == nil):
			return "", false
		case r.Text != nil:
			return "[" + r.URI + "]\n" + ended(*r.Text), true
		default:
			return fmt.Sprintf("[%s %s, %d bytes]\n", r.URI, r.MIMEType, len(*r.Blob)), true
		}
	}
	return "", false
}

// asked returns the fault of a program that needs answers. Whoever made the call and can
// ask does so, and makes it again.
func (c custom) asked(requests json.RawMessage, state string) error {
	var all map[string]struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(requests, &all) != nil || len(all) == 0 || len(all) > maxQuestions {
		return c.malformed(requests, "inputRequests")
	}
	var methods []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		one := all[name]
		if p := one.Params; p != nil && p[0] != '{' || !slices.Contains(questions(), one.Method) {
			return c.malformed(requests, "inputRequests")
		}
		if !slices.Contains(methods, one.Method) {
			methods = append(methods, one.Method)
		}
	}
	if c.Stdin != manifest.CallStdin {
		return fault.New(fault.BadDocument, fault.T("%s asks for something and does not read the answer", c.Name)).
			WithHint(fault.T(`its manifest must have "stdin":"call"; tell the person`))
	}
	return fault.New(fault.Unsupported, fault.T("%s asks for what nobody here can be asked for: %s", c.Name, strings.Join(methods, ", "))).
		WithHint(fault.T("the person can call it with a client of helve mcp that has this; what it asks is in details")).
		WithDetails(tool.Asked{Requests: compact(requests), State: state})
}

// questions are the methods by which a program can ask.
func questions() []string {
	return []string{"elicitation/create", "sampling/createMessage", "roots/list"}
}

// input returns what the program reads on its standard input; ok is false for nothing.
func (c custom) input(call *tool.Call, values schema.Document) (in []byte, ok bool, err error) {
	in, ok, err = c.Input(values)
	if err != nil || c.Stdin != manifest.CallStdin {
		return in, ok, err
	}
	given := tool.Input{}
	if call.Home.Input != nil {
		given = *call.Home.Input
	}
	document := schema.Document{{Name: "arguments", Value: json.RawMessage(in)}, {Name: "client", Value: append([]string{}, given.Client...)}}
	if given.Answers != nil {
		document = document.With("inputResponses", given.Answers)
	}
	if given.State != "" {
		document = document.With("requestState", given.State)
	}
	in, err = schema.Marshal(document)
	return in, true, err
}
