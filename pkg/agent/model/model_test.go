package model

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
