package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/oauth2"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
)

// counter is the library's server: it counts calls, and asks a person for the next number.
func counter() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "counter", Version: "1"}, nil)
	type none struct{}
	n := 0
	mcp.AddTool(s, &mcp.Tool{Name: "count"}, func(ctx context.Context, r *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		if token := r.Params.GetProgressToken(); token != nil {
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1, Message: "counting"})
		}
		n++
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(n)}}, StructuredContent: json.RawMessage(`{"z":12345678901234567890,"a":1}`)}, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		answer, ok := r.Params.InputResponses["next"].(*mcp.ElicitResult)
		if !ok {
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"next": &mcp.ElicitParams{
				Message: "which?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","default":5}}}`),
			}}}, nil, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(answer.Action, answer.Content["n"])}}}, nil, nil
	})
	return s
}

// reaching returns a pool and the record of a server behind a handler.
func reaching(t *testing.T, h http.Handler) (*Pool, *upstream.Server) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	p := New(Options{Version: "test", Transport: func(context.Context, *upstream.Server) (http.RoundTripper, error) {
		return s.Client().Transport, nil
	}})
	t.Cleanup(p.Close)
	return p, &upstream.Server{Name: "far", URL: s.URL + "/mcp"}
}

func text(a *Answer) string {
	if a == nil || len(a.Content) == 0 {
		return ""
	}
	return string(a.Content[0])
}

func TestRemote(t *testing.T) {
	for name, o := range map[string]*mcp.StreamableHTTPOptions{"stateless": {Stateless: true}, "sessions": {}, "json": {Stateless: true, JSONResponse: true}} {
		t.Run(name, func(t *testing.T) {
			s := counter()
			p, far := reaching(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, o))
			offer, err := p.Fetch(t.Context(), far)
			if err != nil || len(offer.Tools) != 2 {
				t.Fatalf("%+v %v", offer, err)
			}
			a, err := p.Call(t.Context(), far, "count", nil, func(float64, float64, string) {})
			if err != nil || !strings.Contains(text(a), `"1"`) || string(a.Structured) != `{"z":12345678901234567890,"a":1}` {
				t.Fatalf("%+v %v", a, err)
			}
			if _, err := p.Call(t.Context(), far, "nothing", nil, nil); !fault.Is(err, fault.InvalidArguments) {
				t.Errorf("an unknown tool: %v", err)
			}
			a, err = p.Call(t.Context(), far, "count", nil, nil)
			if err != nil || !strings.Contains(text(a), `"2"`) {
				t.Errorf("after a refusal: %s %v", text(a), err)
			}
		})
	}
}

func TestAsk(t *testing.T) {
	for name, o := range map[string]*mcp.StreamableHTTPOptions{"2026-07-28": {Stateless: true}, "2025-11-25": {}} {
		t.Run(name, func(t *testing.T) {
			s := counter()
			p, far := reaching(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, o))
			if _, err := p.Call(t.Context(), far, "ask", nil, nil); err == nil {
				t.Error("nobody was asked")
			}
			p.Close()
			p = New(Options{Transport: p.Transport, Ask: func(_ context.Context, _ *upstream.Server, q *Question) (*Reply, error) {
				if q.Message != "which?" || !strings.Contains(string(q.Schema), `"default":5`) {
					t.Errorf("%+v", q)
				}
				return &Reply{Action: "accept"}, nil
			}})
			defer p.Close()
			a, err := p.Call(t.Context(), far, "ask", nil, nil)
			if err != nil || !strings.Contains(text(a), "accept5") {
				t.Errorf("%s %v", text(a), err)
			}
		})
	}
}

// TestForgottenSession has the server start anew between two calls.
func TestForgottenSession(t *testing.T) {
	var mu sync.Mutex
	var now http.Handler
	restart := func() {
		s := counter()
		mu.Lock()
		defer mu.Unlock()
		now = older(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	}
	restart()
	p, far := reaching(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		h := now
		mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	for range 2 {
		a, err := p.Call(t.Context(), far, "count", nil, nil)
		if err != nil || !strings.Contains(text(a), `"1"`) {
			t.Fatalf("%s %v", text(a), err)
		}
		restart()
	}
}

// older refuses what only clients of 2026-07-28 ask.
func older(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || strings.Contains(string(body), "server/discover") {
			http.Error(w, "what?", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		h.ServeHTTP(w, r)
	})
}

func TestServerOf2024(t *testing.T) {
	s := counter()
	old := mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s }, nil)
	p, far := reaching(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.RawQuery == "" {
			http.Error(w, "only GET", http.StatusMethodNotAllowed)
			return
		}
		old.ServeHTTP(w, r)
	}))
	a, err := p.Call(t.Context(), far, "count", nil, nil)
	if err != nil || !strings.Contains(text(a), `"1"`) {
		t.Fatalf("%s %v", text(a), err)
	}
}

func TestRemoteFaults(t *testing.T) {
	answers := func(status int, header, value, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(header, value)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	elsewhere := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	defer other.Close()
	for name, c := range map[string]struct {
		h    http.HandlerFunc
		code fault.Code
		says string
	}{
		"login":   {answers(401, "X", "x", "who?"), fault.PermissionDenied, "helve tools login far"},
		"moved":   {answers(307, "Location", other.URL, ""), fault.HTTPStatus, other.URL},
		"gone":    {answers(410, "X", "x", ""), fault.HTTPStatus, "410"},
		"failing": {answers(503, "X", "x", ""), fault.Unavailable, "503"},
		"page":    {answers(200, "Content-Type", "text/html", "<p>hello"), fault.UnsupportedContent, "documentation"},
		"huge":    {answers(200, "Content-Type", "application/json", `{"jsonrpc":"2.0","id":1,"result":"`+strings.Repeat("x", maxMessage)+`"}`), fault.TooLarge, "16777216"},
		"no json": {answers(200, "Content-Type", "application/json", `}`), fault.UnsupportedContent, "protocol"},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			answers(200, "Content-Type", "text/event-stream", "event: endpoint\ndata: "+other.URL+"\n\n")(w, r)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done() // as the stream of a server stays open
		}, fault.BlockedAddress, "another host"},
	} {
		t.Run(name, func(t *testing.T) {
			p, far := reaching(t, c.h)
			p.Start = time.Minute // a message that is too long takes long
			_, err := p.Call(t.Context(), far, "any", nil, nil)
			if !fault.Is(err, c.code) || !strings.Contains(err.Error()+fault.As(err).Hint.In(fault.English), c.says) {
				t.Errorf("%v (%v)", err, fault.As(err).Hint)
			}
		})
	}
	if elsewhere > 0 {
		t.Error("another host was asked")
	}
}

// reluctant is a person who does not log in.
type reluctant struct{ asked int }

func (*reluctant) TokenSource(context.Context) (oauth2.TokenSource, error) { return nil, nil }

func (r *reluctant) Authorize(context.Context, *http.Request, *http.Response) error {
	r.asked++
	return fault.New(fault.Rejected, fault.T("no"))
}

// A person who did not log in is not asked again for the handshake of older servers.
func TestAskedOnceToLogIn(t *testing.T) {
	p, far := reaching(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	r := &reluctant{}
	p.Authorization = func(context.Context, *upstream.Server) (auth.OAuthHandler, error) { return r, nil }
	if _, err := p.Fetch(t.Context(), far); !fault.Is(err, fault.Rejected) || r.asked != 1 {
		t.Errorf("asked %d times: %v", r.asked, err)
	}
}

func TestRemoteHangs(t *testing.T) {
	over := make(chan struct{})
	p, far := reaching(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		select {
		case <-r.Context().Done():
		case <-over:
		}
	}))
	t.Cleanup(func() { close(over) })
	p.Start = time.Millisecond
	if _, err := p.Call(t.Context(), far, "any", nil, nil); !fault.Is(err, fault.Timeout) {
		t.Fatal(err)
	}
}
