package model

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/testing/modeltest"
)

// The providers' own clients understand the scripted server as this client does, ask the same
// paths with the same headers, and are refused in the same way.
func TestProvidersClients(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	modules := os.Getenv("HELVE_NODE_MODULES")
	for _, name := range []string{"openai", "@anthropic-ai/sdk"} {
		if _, err := os.Stat(filepath.Join(modules, filepath.FromSlash(name))); modules == "" || err != nil {
			t.Skip("no " + strings.NewReplacer("@", "", "/", "-").Replace(name))
		}
	}
	const script = `{"key": "` + key + `", "model": "m", "echo": true, "steps": [
		{"reasoning": "hm", "calls": [{"name": "read", "arguments": {"path":"a"}}, {"name": "read"}], "fail": [{"status": 429, "header": {"Retry-After-Ms": "1"}}, {"status": 500, "header": {"Retry-After-Ms": "1"}}]},
		{"say": "done", "usage": {"in": 30, "out": 4}}]}`
	theirs := modeltest.Start(t, script)
	c := exec.CommandContext(t.Context(), node, filepath.Join("..", "..", "..", "scripts", "judges", "models.cjs"))
	c.Env = append(os.Environ(), "NODE_PATH="+modules)
	c.Stdin = bytes.NewReader(encode(map[string]string{"url": theirs.URL, "key": key}))
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, errs.String())
	}
	type understood struct {
		Calls                  [][2]string
		Stops                  [2]string
		Text                   string
		Usage                  [2]int64
		Unanswered, Model, Key string
	}
	var said map[string]understood
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	calls, usage := [][2]string{{"read", `{"path":"a"}`}, {"read", "{}"}}, [2]int64{30, 4}
	want := map[string]understood{
		Chat: {
			calls, [2]string{"tool_calls", "stop"}, "done", usage,
			"BadRequestError 400: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_0_0, call_0_1",
			"NotFoundError 404: The model `none` does not exist or you do not have access to it.", "AuthenticationError 401: Incorrect API key provided: wrong.",
		},
		Anthropic: {
			calls, [2]string{"tool_use", "end_turn"}, "done", usage,
			"BadRequestError 400: messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: call_0_0, call_0_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
			"NotFoundError 404: model: none", "AuthenticationError 401: invalid x-api-key: wrong",
		},
	}
	if d := cmp.Diff(want, said); d != "" {
		t.Error(d)
	}

	ours := modeltest.Start(t, script)
	for _, format := range []string{Chat, Anthropic} {
		c := newClient(t, Options{BaseURL: formats(ours)[format], Format: format})
		r := Request{System: "be brief", Messages: []json.RawMessage{c.User("hi")}, Tools: definitions[format]}
		first, err := c.Complete(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		r.Messages = append(append(r.Messages, first.Message), answers(format, "call_0_0", "call_0_1")...)
		second, err := c.Complete(t.Context(), r)
		if err != nil || first.Calls != 2 || second.Text != "done" || second.Usage != (Usage{30, 4}) {
			t.Errorf("%+v, %+v, %v", first, second, err)
		}
	}
	// what was asked: of theirs, only what had an answer
	asked := func(v *modeltest.Server) (all []string) {
		for _, q := range v.Requests() {
			if q.Step >= 0 {
				h := q.Header
				keys := h.Get("X-Api-Key") + strings.TrimPrefix(h.Get("Authorization"), "Bearer ") // one of the two
				all = append(all, strings.Join([]string{q.Path, h.Get("Content-Type"), keys}, " | "))
			}
		}
		return all
	}
	if d := cmp.Diff(asked(theirs), asked(ours)); d != "" {
		t.Error(d)
	}
}
