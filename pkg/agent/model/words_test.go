package model

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

var offered = json.RawMessage(`[{"type":"function","function":{"name":"write","parameters":{"type":"object"}}},{"type":"function","function":{"name":"read","parameters":{"type":"object"}}}]`)

func TestWrittenCalls(t *testing.T) {
	t.Parallel()
	const call = `<tool_call>{"name":"write","arguments":{"path":"a"}}</tool_call>`
	for text, want := range map[string]int{
		call: 1, "\n" + call + "\n\n" + call + " ": 2,
		"<tool_call>\n{\"name\": \"read\", \"arguments\": {}}\n</tool_call>": 1,
		// Texts, which run nothing.
		"": 0, "done": 0, "I call " + call: 0, call + " is what I would call": 0, "Done.\n\n" + call: 0, call + "\nDone.": 0,
		"```\n" + call + "\n```": 0, "```xml\n" + call + "\n```": 0, "`" + call + "`": 0, "> " + call: 0, "- " + call: 0, "* " + call: 0, "1. " + call: 0,
		"Report: the model wrote " + call + " as text.": 0, "# Calls\n" + call: 0, "\"" + call + "\"": 0, "<example>" + call + "</example>": 0, "UNFINISHED\n" + call: 0,
		"&lt;tool_call&gt;{}&lt;/tool_call&gt;": 0, `{"name":"write","arguments":{}}`: 0,
		// Calls that are not right, which nobody guesses at.
		`<tool_call>{"name":"format_disk","arguments":{}}</tool_call>`: 0, `<tool_call>{"name":"write"}</tool_call>`: 0,
		`<tool_call>{"name":"write","arguments":{"path":"a"}`: 0, "<tool_call></tool_call>": 0, `<tool_call>{"name":"write","arguments":"x"}</tool_call>`: 0,
		call + `<tool_call>{"name":"nothing","arguments":{}}</tool_call>`: 0,
	} {
		if got := len(writtenCalls(text, offered)); got != want {
			t.Errorf("%d calls in %q", got, text)
		}
	}
	for text, want := range map[string]bool{call: true, "<tool_call>{": true, "": false, "x" + call: false, "```\n" + call + "\n```": false} {
		if OnlyCalls(text) != want {
			t.Errorf("only calls %v: %q", !want, text)
		}
	}
}

func FuzzWrittenCalls(f *testing.F) {
	f.Add(`<tool_call>{"name":"write","arguments":{}}</tool_call>`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, call := range writtenCalls(text, offered) {
			if name := readObject(readObject(call).get("function")).text("name"); name != "write" && name != "read" {
				t.Fatalf("%q calls %q", text, name)
			}
		}
	})
}

// serve answers each request with the next body, of a status.
func serve(t *testing.T, answers ...string) (base string, asked *[]object) {
	asked = &[]object{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*asked = append(*asked, readObject(body))
		answer := answers[min(len(*asked), len(answers))-1]
		if status, text, ok := strings.Cut(answer, "!"); ok && len(status) == 3 {
			w.WriteHeader(map[string]int{"400": 400, "404": 404, "500": 500}[status])
			answer = text
		}
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", asked
}

// What servers without tools, with templates of their own and with streams answer.
func TestServersOfWords(t *testing.T) {
	t.Parallel()
	const called = `{"choices":[{"message":{"role":"assistant","content":"<think>hm</think><tool_call>{\"name\":\"write\",\"arguments\":{\"path\":\"a\"}}</tool_call>"},"finish_reason":"stop"}],"usage":{"prompt_tokens":4000,"completion_tokens":9}}`
	const ended = `{"choices":[{"message":{"role":"assistant","content":"done"},"finish_reason":"stop"}],"usage":{"prompt_tokens":4000,"completion_tokens":9}}`
	many := json.RawMessage(`[{"type":"function","function":{"name":"write","description":"` + strings.Repeat("many words ", 1500) + `","parameters":{"type":"object"}}}]`)
	for name, tt := range map[string]struct {
		answers []string
		tools   json.RawMessage
		calls   int
		last    func(object) bool // of what was asked last
	}{
		"text":       {[]string{called}, offered, 1, func(o object) bool { return o.has("tools") }},
		"Ollama":     {[]string{`400!{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools"}}`, called}, offered, 1, taughtInWords},
		"vLLM":       {[]string{`400!{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}`, called}, offered, 1, taughtInWords},
		"llama.cpp":  {[]string{`500!{"error":{"message":"tools param requires --jinja flag"}}`, called}, offered, 1, taughtInWords},
		"OpenRouter": {[]string{`404!{"error":{"message":"No endpoints found that support tool use."}}`, called}, offered, 1, taughtInWords},
		"dropped":    {[]string{strings.Replace(ended, "4000", "37", 1), called}, many, 1, taughtInWords},
		"no system": {[]string{`400!{"error":{"message":"System role not supported"}}`, ended}, offered, 0, func(o object) bool {
			return !strings.Contains(string(o.get("messages")), `"system"`) && strings.Contains(string(o.get("messages")), "be brief")
		}},
		"a mark":       {[]string{"\uFEFF" + ended}, offered, 0, func(object) bool { return true }},
		"only streams": {[]string{`400!{"error":{"message":"This model only supports streaming: stream must be true"}}`, "data: {\"choices\":[{\"delta\":{\"content\":\"do\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"ne\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}, offered, 0, func(o object) bool { return string(o.get("stream")) == "true" }},
		"streams calls": {[]string{"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"write\",\"arguments\":\"{\\\"pa\"}}]}}]}\n\n" +
			"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"th\\\":1}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n"}, offered, 1, func(object) bool { return true }},
		"a short default": {[]string{`{"choices":[{"message":{"role":"assistant","content":"do"},"finish_reason":"length"}],"usage":{"prompt_tokens":4000,"completion_tokens":16}}`, ended}, offered, 0, func(o object) bool { return string(o.get("max_tokens")) == "4096" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, asked := serve(t, tt.answers...)
			c := newClient(t, Options{BaseURL: base})
			reply, err := c.Complete(t.Context(), Request{System: "be brief", Messages: []json.RawMessage{c.User("hi")}, Tools: tt.tools})
			if err != nil {
				t.Fatal(err)
			}
			if reply.Calls != tt.calls || reply.Calls == 0 && reply.Text != "done" || len(*asked) != len(tt.answers) || !tt.last((*asked)[len(*asked)-1]) {
				t.Errorf("%+v after %d requests, the last: %v", reply, len(*asked), (*asked)[len(*asked)-1])
			}
		})
	}
}

func taughtInWords(o object) bool {
	return !o.has("tools") && strings.Contains(string(o.get("messages")), "answer with nothing but calls")
}

// A conversation with calls is one of words where the server has no tools.
func TestAsWords(t *testing.T) {
	t.Parallel()
	said := asWords([]json.RawMessage{
		json.RawMessage(`{"role":"user","content":"task"}`),
		json.RawMessage(`{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"read","arguments":"{\"path\":\"x\"}"}},{"id":"b","function":{"name":"read","arguments":"{"}}]}`),
		json.RawMessage(`{"role":"tool","tool_call_id":"a","content":"one"}`), json.RawMessage(`{"role":"tool","tool_call_id":"b","content":"two"}`),
		json.RawMessage(`{"role":"user","content":"go on"}`),
	})
	if len(said) != 3 || readObject(said[2]).text("content") != "<tool_response>\none\n</tool_response>\n\n<tool_response>\ntwo\n</tool_response>\n\ngo on" {
		t.Errorf("%s", said)
	}
	if n := strings.Count(readObject(said[1]).text("content"), callTag); n != 2 {
		t.Errorf("%s", said[1])
	}
}
