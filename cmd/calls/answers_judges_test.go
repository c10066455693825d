package calls_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// replies has helve answer calls of all kinds, with images and errors, and returns the
// replies by dialect.
func replies(t *testing.T) map[string][]json.RawMessage {
	t.Helper()
	dir := cmdtest.Workspace(t)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, dir, "a.png", picture.String())
	cmdtest.Put(t, dir, "b.png", picture.String())
	cmdtest.Put(t, dir, "blank.txt", "\n")
	cmdtest.Put(t, dir, "x.txt", "x\n")
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"tool":"exec","decision":"deny"}]}`) // nothing is run: its answer is an error
	var all []made
	for i, c := range []made{
		{"", "read", `{"path":"x.txt"}`}, {"", "read", `{"path":"blank.txt"}`}, {"", "read", `{"path":"a.png"}`}, {"", "read", `{"paths":["a.png","b.png"]}`},
		{"", "read", `{"path":"nope.txt"}`}, {"", "nope", `{}`}, {"", "ls", `{}`},
	} {
		c.id = string(rune('a' + i))
		all = append(all, c)
	}
	var names, lines []string
	add := func(name, line string) { names, lines = append(names, name), append(lines, line) }
	for _, d := range dialects() {
		add(d.name, d.say(all))
	}
	add("openai", `{"role":"assistant","content":null,"function_call":{"name":"read","arguments":"{\"path\":\"a.png\"}"}}`)
	add("openai-responses", `[{"type":"custom_tool_call","call_id":"a","name":"apply_patch","input":"*** Begin Patch\n*** Add File: new.txt\n+x\n*** End Patch\n"},`+
		`{"type":"apply_patch_call","call_id":"b","operation":{"type":"update_file","path":"x.txt","diff":"@@\n-x\n+y"}},`+
		`{"type":"apply_patch_call","call_id":"c","operation":{"type":"delete_file","path":"nope.txt"}},`+
		`{"type":"shell_call","call_id":"d","action":{"commands":["ls","pwd"],"timeout_ms":5000,"max_output_length":1000}},`+
		`{"type":"local_shell_call","id":"l","call_id":"e","action":{"type":"exec","command":["ls"],"env":{}}},`+
		`{"type":"function_call","call_id":"f","name":"ls","arguments":"{}","caller":{"type":"program","caller_id":"p"}}]`)
	add("gemini", `{"modelVersion":"gemini-2.5-flash","candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"read","args":{"path":"a.png"}}}]}}]}`)
	add("mcp", `{"name":"read","arguments":{"path":"a.png"}}`)
	p := cmdtest.Helve(dir, "call", "--ndjson", "--images")
	p.Stdin = strings.NewReader(strings.Join(lines, "\n"))
	out, err := p.Output()
	if err != nil {
		t.Fatal(err)
	}
	by := map[string][]json.RawMessage{}
	for i, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		reply := json.RawMessage(line)
		var batch []json.RawMessage
		if names[i] == "mcp" && json.Unmarshal(reply, &batch) == nil {
			by["mcp"] = append(by["mcp"], batch...)
			continue
		}
		by[names[i]] = append(by[names[i]], reply)
	}
	if len(by["openai-responses"]) != 2 || len(by["mcp"]) != 8 {
		t.Fatalf("%d lines: %s", len(names), out)
	}
	return by
}

// The answers are what the providers' own clients for Python take for the next request.
func TestAnswersAreTheProviders(t *testing.T) {
	t.Parallel()
	by := replies(t)
	delete(by, "mcp")
	delete(by, "canonical")
	by["anthropic"] = append(by["anthropic"], json.RawMessage(`[{"role":"user","content":[{"type":"tool_result","is_error":1}]}]`)) // the judge must notice this one
	var faults []string
	cmdtest.JudgedByPython(t, "answers.py", by, &faults, "openai", "anthropic", "google.genai")
	if len(faults) != 1 || !strings.Contains(faults[0], "tool_use_id") {
		t.Errorf("%s", strings.Join(faults, "\n"))
	}
}

// The answers to tools/call are what the SDK of MCP takes.
func TestAnswersAreMCP(t *testing.T) {
	t.Parallel()
	all := append(replies(t)["mcp"], json.RawMessage(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","data":7}]}}`)) // the judge must notice this one
	var faults []string
	cmdtest.JudgedByNode(t, "answers.cjs", all, &faults, "@modelcontextprotocol/sdk")
	if len(faults) != 1 || !strings.Contains(faults[0], "mimeType") {
		t.Errorf("%s", strings.Join(faults, "\n"))
	}
}
