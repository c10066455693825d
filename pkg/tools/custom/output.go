package custom

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/track"
)

// Result is what a program printed as text, standard error included.
type Result struct {
	ExitCode  int    `json:"exit_code"`
	Output    string `json:"output"`
	Truncated bool   `json:"truncated"` // Output was too long and is cut
	// Reduced says that what is known to be noise is left out of Output.
	Reduced    *output.Reduced `json:"reduced,omitzero"`
	TotalBytes int64           `json:"total_bytes"`
	OutputFile string          `json:"output_file,omitzero"` // with all of it, if Output is not
	Duration   int64           `json:"duration_ms"`
	Killed     []string        `json:"killed,omitempty"` // command lines of processes that it left running
	track.Outcome
}

// Content is what a program printed as MCP content blocks; see "Tool Result" in
// the Model Context Protocol.
type Content struct {
	Blocks     []json.RawMessage `json:"content"`
	Structured json.RawMessage   `json:"structuredContent,omitempty"`

	text string
}

// block is the part of a content block that is used.
type block struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     string `json:"data"`
	MIMEType string `json:"mimeType"`
	URI      string `json:"uri"`
	Resource *struct {
		URI  string `json:"uri"`
		Text string `json:"text"`
	} `json:"resource"`
}

// envelope reads {"ok":…,"data":…} or {"ok":false,"error":{…}}.
func (c custom) envelope(out []byte) (any, error) {
	var e struct {
		OK    *bool           `json:"ok"`
		Data  json.RawMessage `json:"data"`
		Error reported        `json:"error"`
	}
	if err := json.Unmarshal(out, &e); err != nil || e.OK == nil {
		return nil, c.malformed(out, `{"ok":…}`)
	}
	if *e.OK {
		if e.Data == nil {
			e.Data = json.RawMessage("null")
		}
		return compact(e.Data), nil
	}
	return nil, c.reported(e.Error)
}

// content reads content blocks: a list of them, a tool result with such a list, or
// one block a line.
func (c custom) content(out []byte) (any, error) {
	var result struct {
		Content    []json.RawMessage `json:"content"`
		Structured json.RawMessage   `json:"structuredContent"`
		IsError    bool              `json:"isError"`
	}
	trimmed := bytes.TrimSpace(out)
	switch {
	case json.Unmarshal(trimmed, &result.Content) == nil:
	case json.Unmarshal(trimmed, &result) == nil && result.Content != nil:
	default:
		result.Content = nil
		for line := range bytes.Lines(trimmed) {
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			if !json.Valid(line) {
				return nil, c.malformed(out, "content blocks")
			}
			result.Content = append(result.Content, bytes.Clone(line))
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
		return nil, fault.New(fault.IOError, fault.T("%s failed: %s", "%s 失败：%s", c.Name, lastLine(r.text))).
			WithHint(fault.T("correct what it complains about, then call again", "请按其提示修正后重新调用")).WithDetails(r)
	}
	return r, nil
}

// shown returns a block as text; ok is false if it is not a block.
func shown(raw json.RawMessage) (line string, ok bool) {
	var b block
	if json.Unmarshal(raw, &b) != nil {
		return "", false
	}
	switch b.Type {
	case "text":
		return ended(b.Text), true
	case "image", "audio":
		return fmt.Sprintf("[%s %s, %d bytes]\n", b.Type, b.MIMEType, base64.StdEncoding.DecodedLen(len(b.Data))), b.Data != ""
	case "resource_link":
		return "[" + b.URI + "]\n", b.URI != ""
	case "resource":
		if b.Resource == nil {
			return "", false
		}
		return "[" + b.Resource.URI + "]\n" + ended(b.Resource.Text), true
	}
	return "", false
}

// ended returns s with a newline at its end, unless it is empty.
func ended(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// text renders a result for people and models.
func text(result any, v screen.View) string {
	switch r := result.(type) {
	case Result:
		if r.Output == "" {
			return "(" + v.Say(fault.T("no output", "没有输出")) + ")\n"
		}
		if r.Reduced != nil && r.OutputFile != "" {
			return ended(r.Output) + "[" + v.Say(output.Note(r.Reduced, r.TotalBytes, r.OutputFile)) + "]\n"
		}
		return ended(r.Output)
	case Content:
		return r.text
	case json.RawMessage:
		return string(r) + "\n"
	}
	out, err := schema.Marshal(result)
	if err != nil {
		return err.Error()
	}
	return string(out) + "\n"
}
