package modeltest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// post sends a request, and returns the status and the body; status 0 is a broken connection.
func post(t *testing.T, url, body string, header ...string) (int, string, http.Header) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return 0, err.Error(), nil
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, err.Error(), r.Header
	}
	return r.StatusCode, string(text), r.Header
}

const (
	tool     = `"tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object","properties":{},"required":[]}}}]`
	hello    = `{"role":"user","content":"hello"}`
	twoCalls = `{"role":"assistant","content":null,"tool_calls":[{"id":"call_0_0","type":"function","function":{"name":"read","arguments":"{}"}},{"id":"call_0_1","type":"function","function":{"name":"read","arguments":"{"}}]}`
	first    = `{"role":"tool","tool_call_id":"call_0_0","content":"1"}`
	second   = `{"role":"tool","tool_call_id":"call_0_1","content":"2"}`
)

func chatBody(messages ...string) string {
	return `{"model":"m","messages":[` + strings.Join(messages, ",") + `],` + tool + `}`
}

func TestChatConversation(t *testing.T) {
	v := Start(t, `{"echo": true, "steps": [
		{"calls": [{"name": "read", "arguments": {}}, {"name": "read", "arguments": "{"}]},
		{"say": "all done", "usage": {"in": 7, "out": 3}}]}`)
	status, body, _ := post(t, v.Base()+"/chat/completions", chatBody(hello))
	var reply struct {
		Choices []struct {
			Message json.RawMessage `json:"message"`
			Finish  string          `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Total int `json:"total_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal([]byte(body), &reply); err != nil || status != 200 || reply.Choices[0].Finish != "tool_calls" {
		t.Fatal(status, body, err)
	}
	if got := canonical(reply.Choices[0].Message); got != canonical(json.RawMessage(twoCalls)) {
		t.Errorf("the message is %s", got)
	}
	status, body, _ = post(t, v.Base()+"/chat/completions", chatBody(hello, string(reply.Choices[0].Message), second, first))
	if err := json.Unmarshal([]byte(body), &reply); err != nil || status != 200 || !strings.Contains(body, "all done") || reply.Usage.Total != 10 {
		t.Error(status, body, err)
	}
	status, body, _ = post(t, v.Base()+"/chat/completions", chatBody(hello, strings.Replace(twoCalls, "read", "write", 1), second, first))
	if status != 400 || !strings.Contains(body, "must be passed back") {
		t.Error(status, body)
	}
	if all := v.Requests(); len(all) != 3 || all[1].Step != 1 || all[2].Status != 400 || len(v.Problems()) != 1 {
		t.Errorf("%+v", all)
	}
}

func TestChatRefusals(t *testing.T) {
	v := Start(t, `{"key": "sk-0123456789", "model": "m", "context": 500, "unsupported": ["max_tokens"], "forbidden": ["refusal"], "steps": [{"say": "hi", "repeat": true}]}`)
	for name, tt := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"fine":              {chatBody(hello, twoCalls, first, second), 200, "hi"},
		"no result":         {chatBody(hello, twoCalls, first), 400, "did not have response messages: call_0_1"},
		"not adjacent":      {chatBody(hello, twoCalls, first, hello, second), 400, "did not have response messages"},
		"twice":             {chatBody(hello, twoCalls, first, first), 400, "must be a response"},
		"orphan":            {chatBody(hello, first), 400, "must be a response"},
		"no messages":       {chatBody(), 400, "empty array"},
		"unknown role":      {chatBody(`{"role":"robot","content":"x"}`), 400, "Invalid value: 'robot'"},
		"null content":      {chatBody(`{"role":"user","content":null}`), 400, "expected a string"},
		"no calls":          {chatBody(hello, `{"role":"assistant","content":"x","tool_calls":[]}`), 400, "empty array"},
		"arguments":         {chatBody(hello, strings.Replace(twoCalls, `"{}"`, `{}`, 1), first, second), 400, "messages.1"},
		"forbidden":         {chatBody(hello, `{"role":"assistant","content":"x","refusal":null}`), 400, "property 'refusal' is unsupported"},
		"unsupported":       {strings.Replace(chatBody(hello), "{", `{"max_tokens":5,`, 1), 400, "unsupported_parameter"},
		"other model":       {strings.Replace(chatBody(hello), `"m"`, `"n"`, 1), 404, "model_not_found"},
		"no tools":          {`{"model":"m","messages":[` + hello + `],"tools":[]}`, 400, "'tools': empty array"},
		"root anyOf":        {strings.Replace(chatBody(hello), `"required":[]`, `"anyOf":[]`, 1), 400, "at the top level"},
		"required, but not": {strings.Replace(chatBody(hello), `"required":[]`, `"required":["path"]`, 1), 400, "which is no property"},
		"bad name":          {strings.Replace(chatBody(hello), `"read"`, `"read.it"`, 1), 400, "does not match"},
		"too long":          {chatBody(`{"role":"user","content":"` + strings.Repeat("long ", 600) + `"}`), 400, "context_length_exceeded"},
		"no JSON":           {"{", 400, "could not parse"},
	} {
		t.Run(name, func(t *testing.T) {
			status, body, _ := post(t, v.Base()+"/chat/completions", tt.body, "Authorization", "Bearer sk-0123456789")
			if status != tt.status || !strings.Contains(body, tt.want) {
				t.Error(status, body)
			}
		})
	}
	status, body, _ := post(t, v.Base()+"/chat/completions", chatBody(hello), "Authorization", "Bearer sk-wrong-key")
	if status != 401 || !strings.Contains(body, "sk-w********-key") {
		t.Error(status, body)
	}
	if status, _, _ := post(t, v.URL+"/v1/v1/chat/completions", chatBody(hello)); status != 404 {
		t.Error(status)
	}
}

const (
	aTool    = `"tools":[{"name":"read","input_schema":{"type":"object","properties":{}}}]`
	aCalls   = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}},{"type":"tool_use","id":"b","name":"read","input":{}}]}`
	aResults = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"2"},{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"1"}]}]}`
)

func messagesBody(rest string, messages ...string) string {
	return `{"model":"m","max_tokens":100,"messages":[` + strings.Join(messages, ",") + `]` + rest + `}`
}

func TestMessagesRefusals(t *testing.T) {
	v := Start(t, `{"key": "sk-ant", "forbidden": ["thinking"], "steps": [{"say": "hi", "repeat": true}]}`)
	with := "," + aTool
	for name, tt := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"fine":            {messagesBody(with, hello, aCalls, aResults), 200, `"text":"hi"`},
		"no result":       {messagesBody(with, hello, aCalls, hello), 400, "without `tool_result` blocks immediately after: a, b"},
		"at the end":      {messagesBody(with, hello, aCalls), 400, "without `tool_result`"},
		"orphan":          {messagesBody(with, aResults), 400, "unexpected `tool_use_id`"},
		"two users":       {messagesBody(with, hello, hello), 400, "roles must alternate"},
		"starts wrong":    {messagesBody(with, aCalls, aResults), 400, "first message must use"},
		"system":          {messagesBody(with, `{"role":"system","content":"x"}`), 400, "top-level"},
		"empty text":      {messagesBody(with, `{"role":"user","content":""}`), 400, "must be non-empty"},
		"text first":      {messagesBody(with, hello, aCalls, `{"role":"user","content":[{"type":"text","text":"x"},`+aResults[strings.Index(aResults, "[")+1:]), 400, "must come first"},
		"tools withdrawn": {messagesBody("", hello, aCalls, aResults), 400, "must define tools"},
		"no tools":        {messagesBody(`,"tool_choice":{"type":"none"}`, hello), 400, "without tools"},
		"no max_tokens":   {strings.Replace(messagesBody("", hello), `"max_tokens":100,`, "", 1), 400, "max_tokens: Field required"},
		"input":           {messagesBody(with, hello, strings.ReplaceAll(aCalls, `"input":{}`, `"input":"{}"`), aResults), 400, "dictionary"},
		"thinking":        {messagesBody("", hello, `{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"x"}]}`), 400, "'thinking' found"},
	} {
		t.Run(name, func(t *testing.T) {
			status, body, _ := post(t, v.URL+"/v1/messages", tt.body, "X-Api-Key", "sk-ant", "Anthropic-Version", "2023-06-01")
			if status != tt.status || !strings.Contains(body, tt.want) {
				t.Error(status, body)
			}
		})
	}
	if status, body, _ := post(t, v.URL+"/v1/messages", messagesBody("", hello), "X-Api-Key", "sk-ant"); status != 400 || !strings.Contains(body, "anthropic-version") {
		t.Error(status, body)
	}
	if status, body, _ := post(t, v.URL+"/v1/messages", messagesBody("", hello), "Anthropic-Version", "2023-06-01"); status != 401 || !strings.Contains(body, "authentication_error") {
		t.Error(status, body)
	}
}

func TestMessagesConversation(t *testing.T) {
	v := Start(t, `{"echo": true, "steps": [{"reasoning": "hm", "say": "I look", "calls": [{"name": "read", "arguments": {"path": "a"}}]}, {"say": "done"}]}`)
	header := []string{"Anthropic-Version", "2023-06-01"}
	_, body, _ := post(t, v.URL+"/v1/messages", messagesBody(","+aTool, hello), header...)
	var reply struct {
		Content    json.RawMessage `json:"content"`
		StopReason string          `json:"stop_reason"`
	}
	if err := json.Unmarshal([]byte(body), &reply); err != nil || reply.StopReason != "tool_use" {
		t.Fatal(body, err)
	}
	message := `{"role":"assistant","content":` + string(reply.Content) + `}`
	result := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_0_0","content":""}]}`
	if status, body, _ := post(t, v.URL+"/v1/messages", messagesBody(","+aTool, hello, message, result), header...); status != 200 || !strings.Contains(body, "end_turn") {
		t.Error(status, body)
	}
	if status, body, _ := post(t, v.URL+"/v1/messages", messagesBody(","+aTool, hello, strings.Replace(message, "hm", "ah", 1), result), header...); status != 400 {
		t.Error(status, body)
	}
}

func TestFailures(t *testing.T) {
	v := Start(t, `{"steps": [{"say": "at last", "fail": [
		{"status": 429, "times": 2, "header": {"Retry-After": "1"}, "code": "rate_limit_exceeded"},
		{"status": 503, "body": "busy"}, {"how": "close"}, {"how": "half"}, {"how": "garbage"}, {"how": "empty"}, {"how": "stream"}, {"how": "error"}, {"how": "huge"}]}]}`)
	for i, want := range []string{"429 {\"error\"", "429 {\"error\"", "503 busy", "0 ", "0 ", "200 <html>", "200 {", "200 data:", "200 {\"error\"", "200 {\"choices\"", "200 {\"choices\""} {
		status, body, header := post(t, v.Base()+"/chat/completions", chatBody(hello))
		if got := fmt.Sprint(status, " ", body); !strings.HasPrefix(got, want) {
			t.Errorf("%d: %.200s", i, got)
		}
		if (status == 429) != (header.Get("Retry-After") == "1") {
			t.Error(i, header)
		}
		if i == 9 && len(body) < 60<<20 {
			t.Errorf("only %d bytes are huge", len(body))
		}
	}
	if n := len(v.Requests()); n != 11 {
		t.Errorf("%d requests", n)
	}
}

// A request that hangs ends with its client, or with the server.
func TestHang(t *testing.T) {
	v := Start(t, `{"steps": [{"say": "never", "fail": [{"how": "hang", "times": -1}]}]}`)
	ctx, cancel := context.WithCancel(t.Context())
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, v.Base()+"/chat/completions", strings.NewReader(chatBody(hello)))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	done := make(chan error)
	go func() {
		r, err := http.DefaultClient.Do(q)
		if err == nil {
			_ = r.Body.Close() // there was to be none
		}
		done <- err
	}()
	for deadline := time.Now().Add(time.Minute); len(v.Requests()) == 0; {
		if time.Now().After(deadline) {
			t.Fatal("no request came")
		}
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("there was an answer")
	}
}

// Many conversations at a time each have their own place in their script.
func TestParallel(t *testing.T) {
	v := Start(t, `{"tasks": [{"match": "apples", "steps": [{"say": "a0", "fail": [{"status": 500}]}, {"say": "a1"}]}], "steps": [{"say": "b0"}, {"say": "b1"}]}`)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			what := "b"
			task := fmt.Sprintf(`{"role":"user","content":"count pears %d"}`, i)
			if i%2 == 0 {
				what, task = "a", fmt.Sprintf(`{"role":"user","content":"count apples %d"}`, i)
				if status, _, _ := post(t, v.Base()+"/chat/completions", chatBody(task)); status != 500 {
					t.Errorf("%d: %d", i, status)
				}
			}
			for n := range 2 {
				messages := append([]string{task}, slices.Repeat([]string{`{"role":"assistant","content":"x"}`}, n)...)
				if _, body, _ := post(t, v.Base()+"/chat/completions", chatBody(messages...)); !strings.Contains(body, fmt.Sprintf(`"%s%d"`, what, n)) {
					t.Errorf("%d: %s", i, body)
				}
			}
		})
	}
	wg.Wait()
	if v.Most() < 1 || v.Most() > 20 {
		t.Errorf("%d at a time", v.Most())
	}
}

// A conversation whose oldest part was left out goes on where it was; one without tools gets a final answer.
func TestPlaces(t *testing.T) {
	v := Start(t, `{"steps": [{"calls": [{"name": "read"}], "final": "enough", "repeat": true}]}`)
	cut := strings.ReplaceAll(twoCalls, "call_0", "call_6")
	_, body, _ := post(t, v.Base()+"/chat/completions", chatBody(hello, cut, strings.ReplaceAll(first, "call_0", "call_6"), strings.ReplaceAll(second, "call_0", "call_6")))
	if !strings.Contains(body, "call_7_0") {
		t.Error(body)
	}
	_, body, _ = post(t, v.Base()+"/chat/completions", `{"model":"m","messages":[`+hello+`]}`)
	if !strings.Contains(body, "enough") || strings.Contains(body, "tool_calls") {
		t.Error(body)
	}
	over := Start(t, `{"steps": [{"say": "x"}]}`)
	if status, body, _ := post(t, over.Base()+"/chat/completions", chatBody(hello, `{"role":"assistant","content":"x"}`)); status != 400 || !strings.Contains(body, "no step 1") {
		t.Error(status, body)
	}
}

func TestParse(t *testing.T) {
	for _, script := range []string{
		"", "{}", `{"steps": []}`, `{"steps": [{"says": "x"}]}`, `{"steps": [{}]} {}`, `{"steps": [{"calls": [{}]}]}`,
		`{"steps": [{"fail": [{}]}]}`, `{"steps": [{"fail": [{"how": "sulk"}]}]}`, `{"steps": [{"fail": [{"how": "hang", "status": 500}]}]}`,
	} {
		if s, err := Parse([]byte(script)); err == nil {
			t.Errorf("%s: %+v", script, s)
		}
	}
}

func TestMainProgram(t *testing.T) {
	in, stop := io.Pipe()
	out, w := io.Pipe()
	status := make(chan int)
	go func() { status <- Main([]byte(`{"steps": [{"say": "from a program"}]}`), in, w) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, body, _ := post(t, strings.TrimSpace(line)+"/chat/completions", chatBody(hello)); !strings.Contains(body, "from a program") {
		t.Error(body)
	}
	if err := stop.Close(); err != nil {
		t.Error(err)
	}
	if s := <-status; s != 0 {
		t.Error(s)
	}
	var said strings.Builder
	if s := Main([]byte("{"), strings.NewReader(""), &said); s != 2 || !strings.Contains(said.String(), "the script") {
		t.Error(s, said.String())
	}
}
