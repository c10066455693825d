package model

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/testing/modeltest"
)

// What a server refuses is done its way, at once and from then on.
func TestQuirks(t *testing.T) {
	for name, tt := range map[string]struct {
		script string
		forget func(*Request)
		want   func(object) bool // of the last body
	}{
		"limit":      {`"unsupported": ["max_tokens"]`, nil, func(o object) bool { return string(o.get("max_completion_tokens")) == "77" && !o.has("max_tokens") }},
		"no limit":   {`"unsupported": ["max_tokens", "max_completion_tokens"]`, nil, func(o object) bool { return !o.has("max_completion_tokens") && !o.has("max_tokens") }},
		"a member":   {`"forbidden": ["reasoning_content"]`, nil, func(o object) bool { return !strings.Contains(string(o.get("messages")), "reasoning_content") }},
		"two":        {`"forbidden": ["reasoning_content", "annotations"]`, nil, func(o object) bool { return !strings.Contains(string(o.get("messages")), "annotations") }},
		"none of it": {`"echo": true`, nil, func(o object) bool { return string(o.get("max_tokens")) == "77" }},
	} {
		t.Run(name, func(t *testing.T) {
			v := modeltest.Start(t, `{`+tt.script+`, "steps": [
				{"reasoning": "hm", "calls": [{"name": "read"}], "extra": {"refusal": null, "annotations": [{"type": "x"}]}}, {"say": "done"}]}`)
			c := newClient(t, Options{BaseURL: v.Base()})
			r := Request{Messages: []json.RawMessage{c.User("hi")}, Tools: definitions[Chat], Output: 77}
			first, err := c.Complete(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			r.Messages = append(append(r.Messages, first.Message), answers(Chat, "call_0_0")...)
			if tt.forget != nil {
				tt.forget(&r)
			}
			for range 2 {
				if reply, err := c.Complete(t.Context(), r); err != nil || reply.Text != "done" {
					t.Fatal(reply, err)
				}
			}
			all := v.Requests()
			last := all[len(all)-1]
			if !tt.want(readObject(last.Body)) || all[len(all)-2].Status != 200 || len(c.waits) > 0 {
				t.Errorf("%s", last.Body)
			}
		})
	}
}

// Servers that are not as strict or not as able as the documentation says.
func TestPeculiarServers(t *testing.T) {
	conversation := []json.RawMessage{
		json.RawMessage(`{"role":"user","content":"hi"}`),
		json.RawMessage(`{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"read","arguments":"{\"pa"}}]}`),
		json.RawMessage(`{"role":"tool","tool_call_id":"a","content":"invalid arguments"}`),
	}
	for name, tt := range map[string]struct {
		tools  bool
		refuse func(body string) (status int, words string)
	}{
		"null content": {true, func(body string) (int, string) {
			return 400 * bit(strings.Contains(body, `"content":null`)), `{"error":"Invalid 'content': 'content' field must be a string or an array of objects."}`
		}},
		"arguments": {true, func(body string) (int, string) {
			return 500 * bit(strings.Contains(body, `"{\"pa"`)), `{"error":{"code":500,"message":"Failed to parse tool call arguments as JSON","type":"server_error"}}`
		}},
		"arguments, by Python": {true, func(body string) (int, string) {
			return 400 * bit(strings.Contains(body, `"{\"pa"`)), `{"object":"error","message":"Expecting ',' delimiter: line 1 column 5 (char 4)","code":400}`
		}},
		"tools": {false, func(body string) (int, string) {
			return 400 * bit(!strings.Contains(body, `"tools":`)), `{"error":{"message":"The toolConfig field must be defined when using toolUse and toolResult content blocks."}}`
		}},
	} {
		t.Run(name, func(t *testing.T) {
			refused := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var body json.RawMessage
				if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
					t.Error(err)
				}
				if status, words := tt.refuse(string(body)); status != 0 {
					refused++
					w.WriteHeader(status)
					_, _ = w.Write([]byte(words))
					return
				}
				_, _ = w.Write([]byte(`{"choices":[{"message":{"role":"assistant","content":"fine"},"finish_reason":"stop"}]}`))
			}))
			defer s.Close()
			c := newClient(t, Options{BaseURL: s.URL})
			r := Request{Messages: conversation}
			if tt.tools {
				r.Tools = definitions[Chat]
			}
			for range 2 {
				if reply, err := c.Complete(t.Context(), r); err != nil || reply.Text != "fine" {
					t.Fatal(reply, err)
				}
			}
			if refused != 1 || len(c.waits) > 0 {
				t.Errorf("refused %d times, after %v", refused, c.waits)
			}
		})
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestEndpoints(t *testing.T) {
	for _, tt := range []struct{ base, format, want, wantFormat string }{
		{"https://api.openai.com/v1", "", "https://api.openai.com/v1/chat/completions", Chat},
		{"https://api.openai.com/v1/", "auto", "https://api.openai.com/v1/chat/completions", Chat},
		{"http://127.0.0.1:8080", "", "http://127.0.0.1:8080/chat/completions", Chat},
		{"http://127.0.0.1:8080/v1/chat/completions", "", "http://127.0.0.1:8080/v1/chat/completions", Chat},
		{"https://x.example/openai?api-version=2", "", "https://x.example/openai/chat/completions?api-version=2", Chat},
		{"https://api.anthropic.com", "", "https://api.anthropic.com/v1/messages", Anthropic},
		{"https://api.anthropic.com/v1/", "", "https://api.anthropic.com/v1/messages", Anthropic},
		{"https://api.anthropic.com/v1/messages", "", "https://api.anthropic.com/v1/messages", Anthropic},
		{"https://api.anthropic.com/v1", Chat, "https://api.anthropic.com/v1/chat/completions", Chat},
		{"https://api.deepseek.com/anthropic", "", "https://api.deepseek.com/anthropic/v1/messages", Anthropic},
		{"https://notanthropic.com/v1", "", "https://notanthropic.com/v1/chat/completions", Chat},
	} {
		c, err := New(Options{BaseURL: tt.base, Format: tt.format, Model: "m"})
		if err != nil || c.at.String() != tt.want || c.Format() != tt.wantFormat {
			t.Errorf("%s: %v, %+v", tt.base, err, c)
		}
	}
	for _, o := range []Options{
		{BaseURL: "", Model: "m"}, {BaseURL: "ftp://x/", Model: "m"}, {BaseURL: "api.openai.com/v1", Model: "m"}, {BaseURL: "https://me:secret@x/", Model: "m"},
		{BaseURL: "https://x/v1"}, {BaseURL: "https://x", Model: "m", Format: "smoke"}, {BaseURL: "https://x", Model: "m", Key: "a\nb"}, {BaseURL: "https://x", Model: "m", Key: "kéy"},
	} {
		_, err := New(o)
		if e := fault.As(err); e == nil || e.Code != fault.NotConfigured || e.Hint.IsZero() || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
