package loop

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/turn/dialect"
	"github.com/helve-dev/helve/pkg/web"
)

// served is a response of a server that has something wrong.
type served struct {
	status int    // 0 is 200
	header string // "Name: value"
	body   string
	how    string // what becomes of the connection: hang, half, close, drip, endless
}

// asAnswer is a whole reply: a choice with the message and the reason to stop.
func asAnswer(message, stop string) served {
	return served{body: `{"id":"x","choices":[{"index":0,"message":` + message + `,"finish_reason":` + stop + `}],"usage":{"prompt_tokens":900,"completion_tokens":9}}`}
}

func asText(text string) served {
	return asAnswer(fmt.Sprintf(`{"role":"assistant","content":%q}`, text), `"stop"`)
}

// asCalls is a reply with calls, each the members of one.
func asCalls(calls ...string) served {
	return asAnswer(`{"role":"assistant","content":null,"tool_calls":[{`+strings.Join(calls, "},{")+`}]}`, `"tool_calls"`)
}

// stream is a reply as events.
func stream(events ...string) served {
	return served{header: "Content-Type: text/event-stream", body: "data: " + strings.Join(events, "\n\ndata: ") + "\n\n"}
}

func delta(content, stop string) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"role":"assistant","content":%q},"finish_reason":%s}]}`, content, stop)
}

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // to memory
	_ = z.Close()
	return b.String()
}

// write sends the response.
func (s served) write(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if name, value, ok := strings.Cut(s.header, ": "); ok {
		w.Header().Set(name, value)
	}
	if s.how == "close" {
		panic(http.ErrAbortHandler)
	}
	if s.how == "half" {
		w.Header().Set("Content-Length", fmt.Sprint(len(s.body)+1000))
	}
	if s.how == "hang" && s.body == "" {
		<-r.Context().Done()
		return
	}
	w.WriteHeader(max(s.status, 200))
	if s.how == "drip" { // as servers do that keep a connection alive
		for range 20 {
			_, _ = w.Write([]byte("\n "))
			w.(http.Flusher).Flush()
		}
	}
	_, _ = w.Write([]byte(s.body))
	w.(http.Flusher).Flush()
	switch s.how {
	case "hang":
		<-r.Context().Done()
	case "half":
		panic(http.ErrAbortHandler)
	case "endless":
		for block := bytes.Repeat([]byte(" "), 1<<20); r.Context().Err() == nil; {
			_, _ = w.Write(block)
		}
	}
}

// ending is how a job ends by a server.
type ending struct {
	status agent.Status
	reason agent.Reason
	code   fault.Code
	result string // is in it
	made   int    // calls
}

var fine = ending{agent.Completed, "", "", "42", 0}

func failing(code fault.Code) ending { return ending{agent.Failed, agent.ByModel, code, "", 0} }

// faultyServers are servers by what is wrong with them: what they send, the last of it again and
// again.
func faultyServers() map[string]struct {
	send []served
	want ending
} {
	const call = `"id":"a","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}`
	good, page := asText("It says 42."), served{header: "Content-Type: text/html", body: "<!doctype html><html><body><h1>Bad gateway</h1>nginx</body></html>"}
	refused := func(status int, body string) served { return served{status: status, body: body} }
	with := func(s served, status int, header string) served { s.status, s.header = status, header; return s }
	once := func(s served) []served { return []served{s, good} }
	ever := func(s served) []served { return []served{s} }
	type one = struct {
		send []served
		want ending
	}
	return map[string]one{
		// connections
		"hangs":                   {ever(served{how: "hang"}), ending{agent.Incomplete, agent.ByTimeout, fault.Timeout, "", 0}},
		"hangs within the body":   {ever(served{body: `{"choices":[`, how: "hang"}), ending{agent.Incomplete, agent.ByTimeout, fault.Timeout, "", 0}},
		"closes at once":          {ever(served{how: "close"}), failing(fault.Unavailable)},
		"closes once":             {once(served{how: "close"}), fine},
		"breaks off":              {ever(served{body: good.body[:60], how: "half"}), failing(fault.Unavailable)},
		"breaks off once":         {once(served{body: good.body[:60], how: "half"}), fine},
		"keeps alive with blanks": {ever(served{body: good.body, how: "drip"}), fine},
		"never ends":              {ever(served{body: good.body, how: "endless"}), failing(fault.BadDocument)},
		"gzip":                    {ever(served{header: "Content-Encoding: gzip", body: gzipped(good.body)}), fine},
		"cut gzip":                {ever(served{header: "Content-Encoding: gzip", body: gzipped(good.body)[:40]}), failing(fault.BadDocument)},
		"redirects":               {ever(served{status: 307, header: "Location: https://other.example/"}), failing(fault.NotConfigured)},
		"no content":              {ever(served{status: 204}), failing(fault.BadDocument)},
		// statuses
		"400 in words":            {ever(refused(400, "bad request")), failing(fault.HTTPStatus)},
		"401":                     {ever(refused(401, `{"error":{"message":"no key"}}`)), failing(fault.NotConfigured)},
		"403 with a page":         {ever(with(page, 403, page.header)), failing(fault.NotConfigured)},
		"404 with a page":         {ever(with(page, 404, page.header)), failing(fault.NotConfigured)},
		"404 for the model":       {ever(refused(404, `{"error":{"message":"The model m does not exist"}}`)), failing(fault.NotConfigured)},
		"405":                     {ever(refused(405, "")), failing(fault.NotConfigured)},
		"408 once":                {once(refused(408, "")), fine},
		"409 once":                {once(refused(409, "")), fine},
		"413":                     {ever(refused(413, "")), failing(fault.TooLarge)},
		"422 with a list":         {ever(refused(422, `{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`)), failing(fault.HTTPStatus)},
		"429 with a time":         {once(with(refused(0, `{}`), 429, "Retry-After: 2")), fine},
		"429 for ever":            {ever(refused(429, "slow down")), failing(fault.RateLimited)},
		"429 for a day":           {ever(with(refused(0, `{}`), 429, "Retry-After: 86400")), failing(fault.RateLimited)},
		"429 without money":       {ever(refused(429, `{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}`)), failing(fault.NotConfigured)},
		"500 with a page, once":   {once(with(page, 500, page.header)), fine},
		"500 for ever":            {ever(refused(500, `{"error":{"message":"internal"}}`)), failing(fault.Unavailable)},
		"501":                     {ever(refused(501, "")), failing(fault.HTTPStatus)},
		"502 with a page":         {ever(with(page, 502, page.header)), failing(fault.Unavailable)},
		"503 while it loads":      {once(refused(503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`)), fine},
		"529 once":                {once(refused(529, `{"type":"error","error":{"type":"overloaded_error"}}`)), fine},
		"an error with 200, once": {once(refused(200, `{"error":{"message":"overloaded","code":503}}`)), fine},
		"an error with 200":       {ever(refused(200, `{"error":"the model has crashed"}`)), failing(fault.Unavailable)},
		// bodies
		"a page with 200":            {ever(page), failing(fault.BadDocument)},
		"nothing":                    {ever(served{}), failing(fault.BadDocument)},
		"null":                       {ever(served{body: "null"}), failing(fault.BadDocument)},
		"a list":                     {ever(served{body: "[]"}), failing(fault.BadDocument)},
		"cut JSON":                   {ever(served{body: good.body[:len(good.body)/2]}), failing(fault.BadDocument)},
		"cut JSON once":              {once(served{body: good.body[:len(good.body)/2]}), fine},
		"nested without end":         {ever(served{body: strings.Repeat(`{"choices":[`, 50_000)}), failing(fault.BadDocument)},
		"byte order mark":            {ever(served{body: "\uFEFF" + good.body}), fine},
		"bytes that are no text":     {ever(served{body: strings.Replace(good.body, "It says", "It \xff\xfesays", 1)}), fine},
		"another type":               {ever(with(good, 200, "Content-Type: text/plain")), fine},
		"unasked stream":             {ever(stream(delta("It says ", "null"), delta("42.", `"stop"`), "[DONE]")), fine},
		"stream without an end mark": {ever(stream(delta("It says 42.", `"stop"`))), fine},
		"cut stream":                 {ever(stream(delta("It says", "null"))), failing(fault.BadDocument)},
		"cut stream once":            {once(stream(delta("It says", "null"))), fine},
		"stream that fails":          {ever(stream(delta("It", "null"), `{"error":{"message":"crashed"}}`)), failing(fault.Unavailable)},
		// messages
		"no choices":                    {ever(served{body: `{"choices":[]}`}), failing(fault.BadDocument)},
		"choices missing":               {ever(served{body: `{"id":"x","object":"chat.completion"}`}), failing(fault.BadDocument)},
		"no message":                    {ever(served{body: `{"choices":[{"message":null}]}`}), failing(fault.BadDocument)},
		"empty messages":                {ever(asAnswer(`{"role":"assistant","content":null}`, `"stop"`)), failing(fault.BadDocument)},
		"one empty message":             {once(asText("")), fine},
		"thinking alone":                {ever(asAnswer(`{"role":"assistant","content":"","reasoning_content":"I think 42."}`, `"stop"`)), failing(fault.BadDocument)},
		"content in parts":              {ever(asAnswer(`{"role":"assistant","content":[{"type":"text","text":"It says "},{"type":"text","text":"42."}]}`, `"stop"`)), fine},
		"unknown reason":                {ever(asAnswer(`{"role":"assistant","content":"It says 42."}`, `"eos_token"`)), fine},
		"no reason":                     {ever(asAnswer(`{"role":"assistant","content":"It says 42."}`, `null`)), fine},
		"calls as the reason, and none": {ever(asAnswer(`{"role":"assistant","content":"It says 42.","tool_calls":[]}`, `"tool_calls"`)), fine},
		"cut off once":                  {once(asAnswer(`{"role":"assistant","content":"As the file has it: "}`, `"length"`)), fine},
		"cut off for ever":              {ever(asAnswer(`{"role":"assistant","content":"and on "}`, `"length"`)), ending{agent.Incomplete, agent.ByIterations, "", "and on", 0}},
		"filtered":                      {ever(asAnswer(`{"role":"assistant","content":""}`, `"content_filter"`)), failing(fault.Denied)},
		"usage in words":                {ever(served{body: strings.Replace(good.body, "900", `"many"`, 1)}), fine},
		"less than nothing used":        {ever(served{body: strings.Replace(good.body, "900", `-5`, 1)}), fine},
		// calls
		"call without an id":       {once(asCalls(`"type":"function","function":{"name":"read","arguments":"{}"}`)), ending{agent.Completed, "", "", "42", 1}},
		"ids twice":                {once(asCalls(call, call)), ending{agent.Completed, "", "", "42", 2}},
		"arguments cut":            {once(asCalls(`"id":"a","type":"function","function":{"name":"read","arguments":"{\"pa"}`)), ending{agent.Completed, "", "", "42", 1}},
		"arguments as an object":   {once(asCalls(`"id":"a","type":"function","function":{"name":"read","arguments":{"path":"a"}}`)), ending{agent.Completed, "", "", "42", 1}},
		"no arguments":             {once(asCalls(`"id":"a","type":"function","function":{"name":"read","arguments":""}`)), ending{agent.Completed, "", "", "42", 1}},
		"no type":                  {once(asCalls(`"id":"a","function":{"name":"read","arguments":"{}"}`)), ending{agent.Completed, "", "", "42", 1}},
		"no name":                  {once(asCalls(`"id":"a","type":"function","function":{"arguments":"{}"}`)), ending{agent.Completed, "", "", "42", 1}},
		"unknown tool":             {once(asCalls(`"id":"a","type":"function","function":{"name":"launch","arguments":"{}"}`)), ending{agent.Completed, "", "", "42", 1}},
		"calls that end with stop": {once(served{body: strings.Replace(asCalls(call).body, `"tool_calls"}`, `"stop"}`, 1)}), ending{agent.Completed, "", "", "42", 1}},
		"the same call for ever":   {ever(asCalls(call)), ending{agent.Incomplete, agent.ByIterations, "", "", 3}},
		"call as text":             {once(asText(`<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>`)), ending{agent.Completed, "", "", "42", 1}},
		"unreadable call as text":  {ever(asText(`<tool_call>{"name":"launch","arguments":{}}</tool_call>`)), ending{agent.Incomplete, agent.ByModel, "", "", 0}},
		"call in a report":         {ever(asText("It says 42. I had used <tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call> for it.")), fine},
	}
}

// Whatever a server does, a job ends, in time and honestly: what failed has failed with words
// for the person, and nothing is called completed that is not.
func TestFaultyServers(t *testing.T) {
	all := faultyServers()
	if len(all) < 61 {
		t.Fatalf("%d servers", len(all))
	}
	for name, tt := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n := int(requests.Add(1))
				_, _ = io.Copy(io.Discard, r.Body) // else nobody learns that the client has gone
				tt.send[min(n, len(tt.send))-1].write(w, r)
			}))
			defer s.Close()
			guarded := web.New(web.Options{})
			client, err := model.New(model.Options{
				Web: func() (*web.Client, error) { return guarded, nil }, BaseURL: s.URL, Key: "k", Model: "m", Format: model.Chat, Now: time.Now,
				Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
			})
			if err != nil {
				t.Fatal(err)
			}
			d, err := dialect.Find(string(dialect.OpenAI))
			if err != nil {
				t.Fatal(err)
			}
			limits := agent.Limits{Iterations: 4, Timeout: 60}
			if tt.want.reason == agent.ByTimeout {
				limits.Timeout = 1
			}
			g := &tongs{t: t, dialect: d, format: model.Chat}
			end := Run(t.Context(), Options{Model: client, Tools: g, System: "be good", Task: "Say what the file says.", Limits: limits, Now: time.Now, Record: func(Event) error { return nil }})
			got := ending{end.Status, end.Reason, "", end.Result, len(g.made)}
			if end.Err != nil {
				e := fault.As(end.Err)
				if got.code = e.Code; e.Hint.IsZero() || strings.Contains(e.Message.String()+e.Hint.String(), "%!") {
					t.Errorf("%v (%v)", e, e.Hint)
				}
			}
			if strings.Contains(got.result, tt.want.result) {
				got.result = tt.want.result
			}
			if got != tt.want {
				t.Errorf("%+v, want %+v: %v", got, tt.want, end.Err)
			}
			if n := requests.Load(); n > 20 {
				t.Errorf("%d requests", n)
			}
		})
	}
}
