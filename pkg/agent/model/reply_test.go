package model

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// chatReplies are bodies as servers send them. The message is "" where it is as it came, and
// the ids that are made up are #.
var chatReplies = map[string]struct {
	body    string
	want    Reply
	message string
	err     string
}{
	"plain": {
		`{"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`,
		Reply{Text: "hi", Stop: Ended, Usage: Usage{3, 1}}, "", "",
	},
	"OpenAI": {
		`{"choices":[{"message":{"role":"assistant","content":"hi","refusal":null,"annotations":[],"audio":null,"function_call":null,"tool_calls":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1,"completion_tokens_details":null}}`,
		Reply{Text: "hi", Stop: Ended, Usage: Usage{3, 1}}, `{"role":"assistant","content":"hi"}`, "",
	},
	"DeepSeek": {
		`{"choices":[{"message":{"role":"assistant","content":"","reasoning_content":"I <think>","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`,
		Reply{Calls: 1, Stop: Calls, Usage: Usage{3, 1}}, "", "",
	},
	"Ollama": {
		`{"choices":[{"message":{"role":"assistant","content":"","tool_calls":[{"id":"a","index":0,"type":"function","function":{"name":"read","arguments":"{}"}}]},"finish_reason":"stop"}],"usage":null}`,
		Reply{Calls: 1, Stop: Calls}, "", "",
	},
	"vLLM": {
		`{"choices":[{"message":{"role":"assistant","content":null,"reasoning_content":null,"tool_calls":[]},"finish_reason":"tool_calls","stop_reason":null}],"usage":{"prompt_tokens":3,"completion_tokens":null}}`,
		Reply{Stop: Ended, Usage: Usage{In: 3}}, `{"role":"assistant","content":""}`, "",
	},
	"Gemini": {
		`{"choices":[{"finish_reason":"stop","message":{"role":"model","tool_calls":[{"id":"","type":"function","extra_content":{"google":{"thought_signature":"x"}},"function":{"name":"read","arguments":"{}"}}]}}]}`,
		Reply{Calls: 1, Stop: Calls},
		`{"role":"assistant","tool_calls":[{"id":"#","type":"function","extra_content":{"google":{"thought_signature":"x"}},"function":{"name":"read","arguments":"{}"}}],"content":null}`, "",
	},
	"Mistral": {
		`{"choices":[{"message":{"role":"assistant","content":[{"type":"thinking","thinking":[]},{"type":"text","text":"one "},{"type":"text","text":"two"}]},"finish_reason":"model_length"}]}`,
		Reply{Text: "one two", Stop: Length}, "", "",
	},
	"llama.cpp": {
		`{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"read","arguments":{"path":"a"}}},{"id":"a","function":{"name":"ls"}}]},"finish_reason":"tool"}]}`,
		Reply{Calls: 2, Stop: Calls},
		`{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"read","arguments":"{\"path\":\"a\"}"},"type":"function"},{"id":"#","function":{"name":"ls","arguments":"{}"},"type":"function"}]}`, "",
	},
	"thinking":       {`{"choices":[{"message":{"role":"assistant","content":"<think>\nno\n</think>\n\nyes"}}]}`, Reply{Text: "yes", Stop: Ended}, "", ""},
	"only its end":   {`{"choices":[{"message":{"role":"assistant","content":"no\n</think>\nyes"}}]}`, Reply{Text: "yes", Stop: Ended}, "", ""},
	"cut off":        {`{"choices":[{"message":{"role":"assistant","content":"on"},"finish_reason":"length"}]}`, Reply{Text: "on", Stop: Length}, "", ""},
	"a call cut off": {`{"choices":[{"message":{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"x","arguments":"{\"p"}}]},"finish_reason":"length"}]}`, Reply{Calls: 1, Stop: Length}, "", ""},
	"filtered":       {`{"choices":[{"message":{"role":"assistant","content":""},"finish_reason":"content_filter"}]}`, Reply{Stop: Filtered}, "", ""},
	"refused":        {`{"choices":[{"message":{"role":"assistant","content":null,"refusal":"I cannot"},"finish_reason":"stop"}]}`, Reply{Text: "I cannot", Stop: Filtered}, `{"role":"assistant","content":"","refusal":"I cannot"}`, ""},
	"legacy":         {`{"choices":[{"message":{"role":"assistant","content":null,"function_call":{"name":"x","arguments":"{}"}},"finish_reason":"function_call"}]}`, Reply{Calls: 1, Stop: Calls}, "", ""},
	"odd usage":      {`{"choices":[{"message":{"role":"assistant","content":"x"}}],"usage":{"prompt_tokens":-3,"completion_tokens":"7","total":{}}}`, Reply{Text: "x", Stop: Ended}, "", ""},
	"a call of none": {`{"choices":[{"message":{"role":"assistant","content":"","tool_calls":[7]}}]}`, Reply{Calls: 1, Stop: Calls}, "", ""},
	"no role":        {`{"choices":[{"message":{"content":"x"}}]}`, Reply{Text: "x", Stop: Ended}, `{"content":"x","role":"assistant"}`, ""},
	"large numbers":  {`{"choices":[{"message":{"role":"assistant","content":"x","seed":12345678901234567890.10}}]}`, Reply{Text: "x", Stop: Ended}, "", ""},

	"error":         {body: `{"error":{"message":"no","code":429}}`, err: "reports an error"},
	"error inside":  {body: `{"choices":[{"error":{"message":"no","code":502},"message":{"role":"assistant","content":""},"finish_reason":"error"}]}`, err: "reports an error"},
	"text of error": {body: `{"error":"no"}`, err: "reports an error"},
	"no choices":    {body: `{"choices":[]}`, err: "no choices"},
	"null":          {body: `{"choices":null}`, err: "no choices"},
	"no message":    {body: `{"choices":[{"delta":{"content":"x"}}]}`, err: "no message"},
	"number":        {body: `{"choices":[{"message":{"role":"assistant","content":7}}]}`, err: "neither a text nor an array"},
	"calls":         {body: `{"choices":[{"message":{"role":"assistant","content":"","tool_calls":{}}}]}`, err: "not an array"},
	"list":          {body: `[]`, err: "not a JSON object"},
	"nothing":       {body: ``, err: "not a JSON object"},
	"two":           {body: `{"choices":[{"message":{"role":"assistant","content":"x"}}]}{}`, err: "not a JSON object"},
	"Messages":      {body: `{"type":"message","role":"assistant","content":[{"type":"text","text":"hi"}]}`, err: "no choices"},
}

var messagesReplies = map[string]struct {
	body    string
	want    Reply
	message string
	err     string
}{
	"plain": {
		`{"type":"message","role":"assistant","content":[{"type":"text","text":"hi "},{"type":"text","text":"you","citations":null}],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":1,"cache_read_input_tokens":40,"cache_creation_input_tokens":null}}`,
		Reply{Text: "hi you", Stop: Ended, Usage: Usage{43, 1}}, `{"role":"assistant","content":[{"type":"text","text":"hi "},{"type":"text","text":"you","citations":null}]}`, "",
	},
	"calls": {
		`{"type":"message","content":[{"type":"thinking","thinking":"a<b","signature":"s=="},{"type":"redacted_thinking","data":"x"},{"type":"tool_use","id":"a","name":"read","input":{"n":1.0}}],"stop_reason":"tool_use"}`,
		Reply{Calls: 1, Stop: Calls},
		`{"role":"assistant","content":[{"type":"thinking","thinking":"a<b","signature":"s=="},{"type":"redacted_thinking","data":"x"},{"type":"tool_use","id":"a","name":"read","input":{"n":1.0}}]}`, "",
	},
	"no ids": {
		`{"content":[{"type":"tool_use","id":"","name":"read","input":{}}],"stop_reason":"end_turn"}`,
		Reply{Calls: 1, Stop: Calls}, `{"role":"assistant","content":[{"type":"tool_use","id":"#","name":"read","input":{}}]}`, "",
	},
	"empty":    {`{"content":[],"stop_reason":"end_turn"}`, Reply{Stop: Ended}, `{"role":"assistant","content":[]}`, ""},
	"cut off":  {`{"content":[{"type":"text","text":"x"}],"stop_reason":"max_tokens"}`, Reply{Text: "x", Stop: Length}, `{"role":"assistant","content":[{"type":"text","text":"x"}]}`, ""},
	"refused":  {`{"content":[{"type":"text","text":"x"}],"stop_reason":"refusal"}`, Reply{Text: "x", Stop: Filtered}, `{"role":"assistant","content":[{"type":"text","text":"x"}]}`, ""},
	"error":    {body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, err: "reports an error"},
	"nothing":  {body: `{}`, err: "no content"},
	"string":   {body: `{"content":"hi"}`, err: "no content"},
	"no type":  {body: `{"content":[{"text":"hi"}]}`, err: "no type"},
	"Chat":     {body: `{"choices":[{"message":{"role":"assistant","content":"x"}}]}`, err: "no content"},
	"no JSON":  {body: `hi`, err: "not a JSON object"},
	"no block": {body: `{"content":["hi"]}`, err: "no type"},
}

func TestReplies(t *testing.T) {
	check := func(name string, f format, body string, want Reply, message, wantErr string) {
		t.Run(f.name()+"/"+name, func(t *testing.T) {
			got, err := f.decode([]byte(body))
			if wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), wantErr) {
					t.Errorf("%+v, %v", got, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if message == "" {
				message = string(readObject(readList(readObject([]byte(body)).get("choices"))[0]).get("message"))
			}
			for _, prefix := range []string{`"call_`, `"toolu_`} { // what is made up
				if before, after, ok := strings.Cut(string(got.Message), prefix); ok {
					_, after, _ = strings.Cut(after, `"`)
					got.Message = json.RawMessage(before + `"#"` + after)
				}
			}
			want.Message = json.RawMessage(message)
			if d := cmp.Diff(&want, got); d != "" {
				t.Error(d)
			}
		})
	}
	for name, tt := range chatReplies {
		check(name, chat{}, tt.body, tt.want, tt.message, tt.err)
	}
	for name, tt := range messagesReplies {
		check(name, messages{}, tt.body, tt.want, tt.message, tt.err)
	}
}

// errorBodies are those of servers in use.
var errorBodies = map[string]struct{ code, words string }{
	`{"error":{"message":"bad","type":"invalid_request_error","param":null,"code":"model_not_found"}}`: {"model_not_found", "bad"},
	`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"x"}`:     {"overloaded_error", "Overloaded"},
	`{"error":"model 'm' not found"}`:                                      {"", "model 'm' not found"},
	`[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]`: {"INVALID_ARGUMENT", "bad"},
	`{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","messages",0,"x"],"msg":"Extra inputs are not permitted"}]},"type":"invalid"}`: {"extra_forbidden", `Extra inputs are not permitted ["body","messages",0,"x"]`},
	`{"detail":"Not Found"}`: {"", "Not Found"},
	`{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"inner\"}}","provider_name":"x"}}}`: {"", "Provider returned error (inner)"},
	`{"message":"{\"error\":{\"message\":\"deep\",\"code\":\"c\"}}"}`:                                                                         {"c", "deep"},
	`{"error":{"message":null,"type":"x"}}`:                                                                                                   {"x", ""},
	`<html><body>502</body></html>`:                                                                                                           {"", ""},
	`upstream connect error`:                                                                                                                  {"", "upstream connect error"},
	``:                                                                                                                                        {"", ""},
	`{}`:                                                                                                                                      {"", ""},
	`7`:                                                                                                                                       {"", ""},
	`{"error":{"error":{"error":{"error":{"error":{"error":{"error":{"error":"too deep"}}}}}}}}`: {"", ""},
}

func TestErrorBodies(t *testing.T) {
	for body, want := range errorBodies {
		if code, words := readError([]byte(body)); code != want.code || words != want.words {
			t.Errorf("%s: %q, %q", body, code, words)
		}
	}
}

func TestAlternating(t *testing.T) {
	conversation := []json.RawMessage{
		json.RawMessage(`{"role":"user","content":"task"}`),
		json.RawMessage(`{"role":"assistant","content":[{"type":"text","text":""},{"type":"tool_use","id":"a","name":"x","input":"{\"p"}]}`),
		json.RawMessage(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}`),
		json.RawMessage(`{"role":"user","content":"go on"}`),
		json.RawMessage(`{"role":"assistant","content":[]}`),
		json.RawMessage(`{"role":"user","content":"say something"}`),
	}
	want := `[{"role":"user","content":[{"type":"text","text":"task"}]},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"x","input":{"invalid_json":"\"{\\\"p\""}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"},{"type":"text","text":"go on"},{"type":"text","text":"say something"}]}]`
	if got := string(encode(alternating(conversation))); got != want {
		t.Error(got)
	}
}

func FuzzChatReply(f *testing.F) {
	for _, tt := range chatReplies {
		f.Add([]byte(tt.body))
	}
	f.Fuzz(func(t *testing.T, body []byte) { fuzzReply(t, chat{}, body) })
}

func FuzzMessagesReply(f *testing.F) {
	for _, tt := range messagesReplies {
		f.Add([]byte(tt.body))
	}
	f.Fuzz(func(t *testing.T, body []byte) { fuzzReply(t, messages{}, body) })
}

// fuzzReply checks that a reply can be sent back, and is read the same once more.
func fuzzReply(t *testing.T, f format, body []byte) {
	reply, err := f.decode(body)
	if err != nil {
		return
	}
	m := readObject(reply.Message)
	if m.text("role") != "assistant" || reply.Calls < 0 || reply.Usage.In < 0 || reply.Usage.Out < 0 || (reply.Stop == Calls) && reply.Calls == 0 {
		t.Fatalf("%+v of %q", reply, body)
	}
	for _, h := range []quirks{{limit: oldLimit}, {dropped: []string{"x"}, textual: true, strict: true, defined: true}, {untooled: true, unruled: true}} {
		sent, err := f.encode("m", &Request{Messages: []json.RawMessage{reply.Message}}, h)
		if err != nil || !json.Valid(sent) {
			t.Fatalf("%s: %v", reply.Message, err)
		}
	}
	again := map[string]string{
		Chat:      `{"choices":[{"message":` + string(reply.Message) + `}]}`,
		Anthropic: string(reply.Message),
	}[f.name()]
	second, err := f.decode([]byte(again))
	if err != nil || second.Text != reply.Text || second.Calls != reply.Calls || string(second.Message) != string(reply.Message) {
		t.Fatalf("%+v, then %+v: %v", reply, second, err)
	}
}

func FuzzError(f *testing.F) {
	for body := range errorBodies {
		f.Add([]byte(body))
	}
	c, err := New(Options{BaseURL: "https://x.example/v1", Model: "m", Key: "QZ!key"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		_, words := readError(body)
		shown := oneLine(c.masked(words))
		if strings.Contains(shown, c.opt.Key) || strings.ContainsAny(shown, "\n\r\x1b\x00") || !utf8.ValidString(shown) || len(shown) > maxWords+len("…") {
			t.Errorf("%q", shown)
		}
		for _, status := range []int{200, 301, 400, 401, 404, 422, 429, 500} {
			if n := lessons(c.refused(status, nil, body, 0)); n > 10 {
				t.Fatalf("%q never ends to teach", body)
			}
		}
	})
}

// lessons returns how often a refusal teaches something, up to 20 times.
func lessons(f *failure) int {
	r := &Request{Output: 1, Messages: []json.RawMessage{json.RawMessage(`{"role":"assistant","content":null,"x":1,"tool_calls":[{"function":{"arguments":"{"}}]}`)}}
	h := firstQuirks("x")
	for n := range 20 {
		other, ok := h.adapt(f, r)
		if !ok {
			return n
		}
		h = other
	}
	return 20
}
