package model

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/testing/modeltest"
	"github.com/helve-dev/helve/pkg/web"
)

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
