package model

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/testing/modeltest"
	"github.com/helve-dev/helve/pkg/web"
)

const key = "sk-test-0123456789"

// watched is a client whose waits are noted rather than waited for.
type watched struct {
	*Client
	mu    sync.Mutex
	waits []time.Duration
	whys  []string
}

func newClient(t *testing.T, o Options) *watched {
	t.Helper()
	w := &watched{}
	guarded := web.New(web.Options{}) // which allows no private address by itself
	o.Web = func() (*web.Client, error) { return guarded, nil }
	o.Key, o.Model = key, "m"
	o.Wait = func(ctx context.Context, d time.Duration) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.waits = append(w.waits, d)
		return ctx.Err()
	}
	o.Retrying = func(_ time.Duration, why error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.whys = append(w.whys, why.Error())
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	w.Client = c
	return w
}

// formats are the base URLs of a scripted server.
func formats(v *modeltest.Server) map[string]string {
	return map[string]string{Chat: v.Base(), Anthropic: v.URL}
}

var definitions = map[string]json.RawMessage{
	Chat:      json.RawMessage(`[{"type":"function","function":{"name":"read","parameters":{"type":"object","properties":{}}}}]`),
	Anthropic: json.RawMessage(`[{"name":"read","input_schema":{"type":"object","properties":{}}}]`),
}

// answers returns the messages with the results of calls.
func answers(format string, ids ...string) []json.RawMessage {
	var all []json.RawMessage
	for _, id := range ids {
		if format == Chat {
			all = append(all, encode(map[string]string{"role": "tool", "tool_call_id": id, "content": "result"}))
			continue
		}
		all = append(all, encode(map[string]any{"role": "user", "content": []any{map[string]string{"type": "tool_result", "tool_use_id": id, "content": "result"}}}))
	}
	return all
}

// A whole conversation, whose messages the server wants back as they were: with the reasoning,
// with results of each call, and with calls that are forbidden in the end.
func TestConversation(t *testing.T) {
	v := modeltest.Start(t, `{"key": "`+key+`", "model": "m", "echo": true, "steps": [
		{"reasoning": "I must look <first> & then think", "calls": [{"name": "read", "arguments": {"path": "a<b>&c"}}, {"name": "read", "arguments": "{\"pa"}]},
		{"say": "<think>hm</think>\n\nso far", "calls": [{"name": "read"}], "usage": {"in": 70, "out": 3}},
		{"calls": [{"name": "read"}], "final": "done"}]}`)
	for format, base := range formats(v) {
		t.Run(format, func(t *testing.T) {
			c := newClient(t, Options{BaseURL: base, Format: format})
			if c.Format() != format {
				t.Fatal(c.Format())
			}
			r := Request{System: "be brief", Messages: []json.RawMessage{c.User("count <the> files " + format)}, Tools: definitions[format], Output: 500}
			ids := [][]string{{"call_0_0", "call_0_1"}, {"call_1_0"}}
			for i, want := range []Reply{{Calls: 2, Stop: Calls}, {Text: "so far", Calls: 1, Stop: Calls, Usage: Usage{70, 3}}, {Text: "done", Stop: Ended}} {
				r.NoCalls = i == 2
				reply, err := c.Complete(t.Context(), r)
				if err != nil {
					t.Fatal(i, err)
				}
				if reply.Usage.In <= 0 || reply.Usage.Out <= 0 {
					t.Errorf("%d: %+v", i, reply.Usage)
				}
				r.Messages = append(r.Messages, reply.Message)
				if i < 2 {
					r.Messages = append(r.Messages, answers(format, ids[i]...)...)
				}
				r.Messages = append(r.Messages, c.User("go on"))
				if want.Usage.In == 0 {
					reply.Usage = Usage{}
				}
				reply.Message, reply.Counted = nil, 0
				if d := cmp.Diff(&want, reply); d != "" {
					t.Errorf("%d: %s", i, d)
				}
			}
			// without any definition, the calls of the conversation are still taken back
			r.Tools, r.NoCalls = nil, false
			if _, err := c.Complete(t.Context(), r); err == nil || !strings.Contains(err.Error(), "the script has no step 3") {
				t.Error(err)
			}
			if len(c.waits) > 0 || len(c.whys) > 0 {
				t.Error(c.waits, c.whys)
			}
		})
	}
	for _, q := range v.Requests() {
		body := readObject(q.Body)
		if q.Path == "/v1/chat/completions" {
			if q.Header.Get("Authorization") != "Bearer "+key || q.Header.Get("X-Api-Key") != "" || string(body.get("max_tokens")) != "500" {
				t.Errorf("%v %s", q.Header, q.Body)
			}
		} else if q.Header.Get("X-Api-Key") != key || q.Header.Get("Authorization") != "" || q.Header.Get("Anthropic-Version") != "2023-06-01" || string(body.get("system")) != `[{"type":"text","text":"be brief","cache_control":{"type":"ephemeral"}}]` || strings.Count(string(q.Body), "cache_control") != 2 {
			t.Errorf("%v %s", q.Header, q.Body)
		}
	}
}

func TestRetries(t *testing.T) {
	const s = time.Second
	date := time.Date(2026, 1, 2, 3, 4, 35, 0, time.UTC).Format(http.TimeFormat)
	for name, tt := range map[string]struct {
		fail  string
		waits [][2]time.Duration // at least, less than
	}{
		"429":               {`{"status": 429, "times": 2}`, [][2]time.Duration{{0, s}, {0, 2 * s}}},
		"seconds":           {`{"status": 429, "header": {"Retry-After": "20"}}`, [][2]time.Duration{{20 * s, 21 * s}}},
		"a fraction":        {`{"status": 429, "header": {"Retry-After": "0.5"}}`, [][2]time.Duration{{s / 2, 3 * s / 2}}},
		"milliseconds":      {`{"status": 503, "header": {"Retry-After": "20", "Retry-After-Ms": "1500"}}`, [][2]time.Duration{{1500 * time.Millisecond, 2500 * time.Millisecond}}},
		"a date":            {`{"status": 429, "header": {"Retry-After": "` + date + `", "Date": "x"}}`, [][2]time.Duration{{30 * s, 31 * s}}},
		"in the past":       {`{"status": 429, "header": {"Retry-After": "-7"}}`, [][2]time.Duration{{0, s}}},
		"nonsense":          {`{"status": 429, "header": {"Retry-After": "soon"}}`, [][2]time.Duration{{0, s}}},
		"overloaded":        {`{"status": 529}`, [][2]time.Duration{{0, s}}},
		"500":               {`{"status": 500}, {"status": 502}, {"status": 408}, {"status": 409}, {"status": 504}, {"status": 503}, {"status": 500}`, [][2]time.Duration{{0, s}, {0, 2 * s}, {0, 4 * s}, {0, 8 * s}, {0, 16 * s}, {0, 30 * s}, {0, 30 * s}}},
		"told to":           {`{"status": 418, "header": {"X-Should-Retry": "true"}}`, [][2]time.Duration{{0, s}}},
		"broken":            {`{"how": "close"}`, [][2]time.Duration{{0, s}}},
		"broken in between": {`{"how": "half"}`, [][2]time.Duration{{0, s}}},
		"garbage":           {`{"how": "garbage"}`, [][2]time.Duration{{0, s}}},
		"error with 200":    {`{"how": "error"}`, [][2]time.Duration{{0, s}}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, format := range []string{Chat, Anthropic} {
				v := modeltest.Start(t, `{"steps": [{"say": "at last", "fail": [`+tt.fail+`]}]}`)
				c := newClient(t, Options{BaseURL: v.URL, Format: format, Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }})
				if name == "a date" { // web.Response.Date is the time of the web client
					at := web.New(web.Options{Now: c.opt.Now})
					c.opt.Web = func() (*web.Client, error) { return at, nil }
				}
				reply, err := c.Complete(t.Context(), Request{Messages: []json.RawMessage{c.User("hi")}})
				if err != nil || reply.Text != "at last" || len(c.waits) != len(tt.waits) || len(c.whys) != len(tt.waits) {
					t.Fatalf("%+v, %v, after %v", reply, err, c.waits)
				}
				for i, w := range tt.waits {
					if c.waits[i] < w[0] || c.waits[i] >= w[1] {
						t.Errorf("wait %d is %v", i, c.waits[i])
					}
				}
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for name, tt := range map[string]struct {
		fail  string
		code  fault.Code
		want  string // in the message or the hint
		tries int
	}{
		"key":           {`{"status": 401, "times": -1, "message": "Incorrect API key provided: ` + key + `"}`, fault.NotConfigured, "spawn.key_env", 1},
		"forbidden":     {`{"status": 403, "message": "no access"}`, fault.NotConfigured, "no access", 1},
		"model":         {`{"status": 404, "message": "The model m does not exist"}`, fault.NotConfigured, "spawn.model", 1},
		"page":          {`{"status": 404, "body": "<html><body>nginx</body></html>"}`, fault.NotConfigured, "spawn.base_url", 1},
		"no credit":     {`{"status": 402, "message": "Insufficient Balance"}`, fault.NotConfigured, "add credit", 1},
		"quota":         {`{"status": 429, "times": -1, "code": "insufficient_quota", "message": "You exceeded your current quota"}`, fault.NotConfigured, "add credit", 1},
		"credit":        {`{"status": 400, "message": "Your credit balance is too low to access the Anthropic API."}`, fault.NotConfigured, "add credit", 1},
		"too long":      {`{"status": 400, "code": "context_length_exceeded", "message": "This model's maximum context length is 8192 tokens."}`, fault.TooLarge, "8192", 1},
		"too long, too": {`{"status": 400, "message": "prompt is too long: 200001 tokens > 200000 maximum"}`, fault.TooLarge, "200001", 1},
		"413":           {`{"status": 413}`, fault.TooLarge, "HTTP 413", 1},
		"rate":          {`{"status": 429, "times": -1, "message": "slow down"}`, fault.RateLimited, "slow down; this was try 8", 8},
		"a day":         {`{"status": 429, "times": -1, "header": {"Retry-After": "86400"}}`, fault.RateLimited, "it asks to wait 24h0m0s", 1},
		"down":          {`{"status": 503, "times": -1, "body": "upstream connect error"}`, fault.Unavailable, "upstream connect error; this was try 8", 8},
		"told not to":   {`{"status": 500, "times": -1, "header": {"X-Should-Retry": "false"}}`, fault.HTTPStatus, "HTTP 500", 1},
		"refused":       {`{"status": 400, "message": "temperature:\n\tbad\u001b[31m ` + key + `"}`, fault.HTTPStatus, "temperature: bad [31m [secret]", 1},
		"very long":     {`{"status": 400, "message": "` + strings.Repeat("é", 250) + key + `"}`, fault.HTTPStatus, "é…", 1},
		"long":          {`{"status": 400, "message": "` + strings.Repeat("x", 390) + key + `"}`, fault.HTTPStatus, "x[secret]", 1},
		"closed":        {`{"how": "close", "times": -1}`, fault.Unavailable, "this was try 8", 8},
		"garbage":       {`{"how": "garbage", "times": -1}`, fault.BadDocument, "spawn.format", 2},
		"empty":         {`{"how": "huge", "times": -1}`, fault.BadDocument, "more than 16 MiB", 1},
		"redirect":      {`{"status": 307, "times": -1, "header": {"Location": "https://evil.example/x?key=secret"}}`, fault.NotConfigured, "redirects", 1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, format := range []string{Chat, Anthropic} {
				v := modeltest.Start(t, `{"steps": [{"say": "at last", "fail": [`+tt.fail+`]}]}`)
				c := newClient(t, Options{BaseURL: v.URL, Format: format})
				_, err := c.Complete(t.Context(), Request{Messages: []json.RawMessage{c.User("hi")}})
				e := fault.As(err)
				sent := len(v.Requests())
				if format == Anthropic && name == "key" {
					sent-- // it was tried in another header, too
				}
				if e == nil || e.Code != tt.code || !strings.Contains(e.Message.String()+"\n"+e.Hint.String(), tt.want) || e.Hint.IsZero() || sent != tt.tries {
					t.Fatalf("%v (%v), %+v after %d requests", err, e.Hint, e.Details, sent)
				}
				details, ok := e.Details.(Failure)
				if !ok || details.Tries != tt.tries || !strings.HasPrefix(details.URL, v.URL) {
					t.Errorf("%+v", e.Details)
				}
				shown := e.Message.String() + e.Message.In(fault.Chinese) + e.Hint.String() + e.Hint.In(fault.Chinese) + string(encode(e.Details)) + strings.Join(c.whys, " ")
				if strings.Contains(shown, key) || strings.Contains(shown, "sk-test") || strings.Contains(strings.ReplaceAll(shown, "[secret]", ""), "secret") || strings.Contains(shown, "%!") {
					t.Errorf("it shows %s", shown)
				}
			}
		})
	}
}

// A redirect is not followed: neither the key nor the conversation reaches another server.
func TestRedirect(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other server was asked") }))
	defer other.Close()
	v := modeltest.Start(t, `{"steps": [{"say": "x", "fail": [{"status": 308, "times": -1, "header": {"Location": "`+other.URL+`"}}]}]}`)
	c := newClient(t, Options{BaseURL: v.Base()})
	if _, err := c.Complete(t.Context(), Request{Messages: []json.RawMessage{c.User("hi")}}); !fault.Is(err, fault.NotConfigured) {
		t.Error(err)
	}
}

// No wait begins that is longer than the time left, and no wait outlasts the context.
func TestDeadline(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	v := modeltest.Start(t, `{"steps": [{"say": "x", "fail": [{"status": 429, "times": -1, "header": {"Retry-After": "60"}}]}]}`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := newClient(t, Options{BaseURL: v.Base(), Now: func() time.Time { return now }})
	r := Request{Messages: []json.RawMessage{c.User("hi")}}
	if _, err := c.Complete(limited{ctx, now.Add(time.Minute)}, r); !fault.Is(err, fault.RateLimited) || len(c.waits) != 0 {
		t.Errorf("%v after %v", err, c.waits)
	}
	c.opt.Wait = func(context.Context, time.Duration) error { cancel(); return ctx.Err() }
	if _, err := c.Complete(limited{ctx, now.Add(time.Hour)}, r); !fault.Is(err, fault.Canceled) {
		t.Error(err)
	}

	// the real clock: it stops a wait, and a request that hangs
	hangs := modeltest.Start(t, `{"steps": [{"say": "x", "fail": [{"how": "hang", "times": -1}]}]}`)
	slow := newClient(t, Options{BaseURL: hangs.Base()})
	short, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer stop()
	if _, err := slow.Complete(short, r); !fault.Is(err, fault.Timeout) || len(hangs.Requests()) != 1 {
		t.Error(err, len(hangs.Requests()))
	}
	if err := wait(short, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// limited is a context with a deadline by a clock that is not the real one.
type limited struct {
	context.Context
	end time.Time
}

func (l limited) Deadline() (time.Time, bool) { return l.end, true }

func TestUnreachable(t *testing.T) {
	c := newClient(t, Options{BaseURL: "https://x.example/v1"})
	if f := c.unreached(fault.New(fault.Timeout, fault.T("slow"))); !f.again || f.tries() != maxSlow {
		t.Errorf("%+v, %d tries", f, f.tries())
	}
	v := httptest.NewServer(http.NotFoundHandler())
	v.Close()
	c = newClient(t, Options{BaseURL: v.URL})
	_, err := c.Complete(t.Context(), Request{Messages: []json.RawMessage{c.User("hi")}})
	if e := fault.As(err); e == nil || e.Code != fault.Unavailable || !strings.Contains(e.Hint.String(), v.URL) || len(c.waits) != maxTries-1 {
		t.Errorf("%v after %v", err, c.waits)
	}
	tls := httptest.NewUnstartedServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0)
	tls.StartTLS()
	defer tls.Close()
	c = newClient(t, Options{BaseURL: tls.URL})
	if _, err := c.Complete(t.Context(), Request{Messages: []json.RawMessage{c.User("hi")}}); !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "no trusted authority") || len(c.waits) != 0 {
		t.Errorf("%v after %v", err, c.waits)
	}
}

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

// In the last request tools are not offered, as not every server heeds a choice.
func TestForbiddenCalls(t *testing.T) {
	v := modeltest.Start(t, `{"steps": [{"say": "done"}]}`)
	c := newClient(t, Options{BaseURL: v.Base()})
	r := Request{Messages: []json.RawMessage{c.User("hi")}, Tools: definitions[Chat], NoCalls: true}
	if _, err := c.Complete(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	all := v.Requests()
	if len(all) != 1 || readObject(all[0].Body).has("tools") {
		t.Errorf("%d requests", len(all))
	}
}

// A server with Anthropic's format may have the key where the others have it.
func TestBearer(t *testing.T) {
	refused := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			refused++
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(`{"type":"message","role":"assistant","content":[{"type":"text","text":"fine"}],"stop_reason":"end_turn"}`))
	}))
	defer s.Close()
	c := newClient(t, Options{BaseURL: s.URL, Format: Anthropic})
	for range 2 {
		if reply, err := c.Complete(t.Context(), Request{Messages: []json.RawMessage{c.User("hi")}}); err != nil || reply.Text != "fine" {
			t.Fatal(reply, err)
		}
	}
	if refused != 1 {
		t.Errorf("refused %d times", refused)
	}
}

// A model that allows fewer tokens than are asked for by default says how many.
func TestHighest(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Most int `json:"max_tokens"`
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		if body.Most > 8192 {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-haiku"}}`))
			return
		}
		_, _ = w.Write([]byte(`{"type":"message","role":"assistant","content":[{"type":"text","text":"fine"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`))
	}))
	defer s.Close()
	c := newClient(t, Options{BaseURL: s.URL, Format: Anthropic})
	if reply, err := c.Complete(t.Context(), Request{Messages: []json.RawMessage{c.User("hi")}}); err != nil || reply.Text != "fine" {
		t.Error(reply, err)
	}
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

// Many conversations may be held at a time.
func TestParallel(t *testing.T) {
	v := modeltest.Start(t, `{"unsupported": ["max_tokens"], "steps": [{"say": "one"}, {"say": "two"}]}`)
	c := newClient(t, Options{BaseURL: v.Base()})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			r := Request{Messages: []json.RawMessage{c.User("hi")}, Output: 9}
			var said []string
			for range 2 {
				reply, err := c.Complete(t.Context(), r)
				if err != nil {
					t.Error(err)
					return
				}
				said = append(said, reply.Text)
				r.Messages = append(r.Messages, reply.Message, c.User("and?"))
			}
			if !slices.Equal(said, []string{"one", "two"}) {
				t.Error(said)
			}
		})
	}
	wg.Wait()
}
