package server_test

import (
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// forwarded is what a host passes of a result on to its model.
type forwarded func(r hostResult) string

// hostResult is a result as hosts read it.
type hostResult struct {
	Content []struct {
		Type, Text, MIMEType string
		Data                 []byte
	}
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool
}

// texts passes on all texts.
func texts(r hostResult) string {
	var all []string
	for _, c := range r.Content {
		if c.Type == "text" {
			all = append(all, c.Text)
		}
	}
	return strings.Join(all, "\n")
}

// firstText passes on the first content block, which must be a text.
func firstText(r hostResult) string {
	if len(r.Content) == 0 || r.Content[0].Type != "text" {
		return ""
	}
	return r.Content[0].Text
}

// dataElseTexts passes on the data alone, if there is any.
func dataElseTexts(r hostResult) string {
	if r.Structured != nil {
		return string(r.Structured)
	}
	return texts(r)
}

// dataAndTexts passes on both.
func dataAndTexts(r hostResult) string { return texts(r) + string(r.Structured) }

// hosts lists the rules by which hosts make of a result what their models read, as they were
// seen with scripted models, and whether an image reaches the model as one.
var hosts = []struct {
	name  string
	reads forwarded
	image bool
}{
	{"Claude Code", dataElseTexts, true}, {"Codex", dataElseTexts, false}, {"gemini-cli", texts, true}, {"qwen-code", texts, false}, {"opencode", texts, true},
	{"Kimi Code", dataAndTexts, true}, {"Cline", dataAndTexts, false}, {"fast-agent", dataElseTexts, false}, {"openai-agents", texts, true},
	{"langchain-mcp-adapters", texts, true}, {"pydantic-ai", dataElseTexts, true}, {"strands", texts, true}, {"google-adk", dataAndTexts, false},
	{"mcp-agent", texts, true}, {"agent-framework", dataElseTexts, false}, {"crewai", texts, false}, {"AI SDK", texts, false}, {"mastra", texts, false},
	{"smolagents", firstText, false},
}

// TestHostsForwardAll: whatever a host makes of a result, its model reads the text, every
// warning, how to go on, and what an error or a pending approval asks of it, once.
func TestHostsForwardAll(t *testing.T) {
	t.Parallel()
	a := newAsking(t)
	a.options.Elicit = false
	put := func(name, content string) {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("long.txt", strings.Repeat("a line of it\n", 50))
	f, err := os.Create(filepath.Join(a.dir, "dot.png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, image.NewGray(image.Rect(0, 0, 9, 9))); err != nil {
		t.Fatal(err)
	}
	_ = f.Close() // what was written is read below
	calls := []struct {
		tool, arguments string
		want            []string
		isError, image  bool
	}{
		{"read", `{"path":"long.txt","limit":"3"}`, []string{"a line of it", "warning: ", "offset=4"}, false, false},
		{"grep", `{"pattern":"line","limit":2}`, []string{"long.txt", "a line of it", "offset=2"}, false, false},
		{"edit", `{"path":"long.txt","old_text":"a line of it\n","new_text":"x\n"}`, []string{"(text_ambiguous)", "hint: "}, true, false},
		{"read", `{"path":"dot.png"}`, []string{"dot.png"}, false, true},
		{"read", `{"path":"lnog.txt"}`, []string{"(not_found)", "long.txt"}, true, false},
		{"write", `{"path":"a.txt","content":"x"}`, []string{"(approval_required)", "helve approve "}, true, false},
	}
	lines := []string{initialize}
	for i, c := range calls {
		lines = append(lines, callOf(i, c.tool, c.arguments))
	}
	by := answers(said(t, a.options, lines...))
	for i, c := range calls {
		raw := by[string(rune('0'+i))].Result
		var r hostResult
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		if r.Structured != nil || r.IsError != c.isError {
			t.Errorf("%s: %s", c.tool, raw)
		}
		pictures := 0
		for _, block := range r.Content {
			if block.Type == "image" && block.MIMEType == "image/png" && len(block.Data) > 0 {
				pictures++
			}
		}
		for _, h := range hosts {
			got := h.reads(r)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s: no %q of %s %s: %.300s", h.name, want, c.tool, c.arguments, got)
				}
			}
			if h.image && c.image != (pictures == 1) {
				t.Errorf("%s: %d images: %s", h.name, pictures, raw)
			}
		}
	}
}

// TestStructured: data and its schema are sent where they are asked for.
func TestStructured(t *testing.T) {
	t.Parallel()
	for _, structured := range []bool{false, true} {
		a := newAsking(t)
		a.options.Structured = structured
		by := answers(said(t, a.options, initialize, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, callOf(2, "ls", `{}`)))
		for id, part := range map[string]string{"1": `"outputSchema"`, "2": `"structuredContent"`} {
			if got := string(by[id].Result); strings.Contains(got, part) != structured {
				t.Errorf("structured %v: %s: %.300s", structured, part, got)
			}
		}
		if list := string(by["1"].Result); !strings.Contains(list, `"title":"Run a command"`) {
			t.Errorf("no titles: %.300s", list)
		}
	}
}
