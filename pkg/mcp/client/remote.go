package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
)

// remote is the transport for requests to a server's address. It reaches that one origin
// only, bounds responses, and keeps the reason why the last request failed, which the
// library reports in words alone.
type remote struct {
	name string
	at   *url.URL
	next http.RoundTripper

	mu  sync.Mutex
	why *fault.Error // nil if the last request was answered
	// status is the status code of the last response.
	status int
}

// reach connects to the address of a server. limit bounds the handshake, but for the time
// that a person takes to log in.
func (p *Pool) reach(ctx context.Context, l *link, limit *time.Timer) error {
	at, err := url.Parse(l.server.URL)
	if err != nil {
		return fault.New(fault.InvalidArguments, fault.T("the address of the server %s is not valid", l.server.Name)).
			WithHint(fault.T("import it again")).Because(err)
	}
	transport, err := p.Transport(ctx, l.server)
	if err != nil {
		return err
	}
	var tokens auth.OAuthHandler
	if p.Authorization != nil {
		if tokens, err = p.Authorization(ctx, l.server); err != nil {
			return err
		}
	}
	if tokens != nil {
		tokens = &patient{OAuthHandler: tokens, limit: limit, most: l.start}
	}
	l.remote = &remote{name: l.server.Name, at: at, next: transport}
	c := &http.Client{Transport: l.remote, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	err = l.shake(p.client(l), &mcp.StreamableClientTransport{
		Endpoint: at.String(), HTTPClient: c, OAuthHandler: tokens, MaxEventSize: maxMessage,
		DisableStandaloneSSE: p.Ask == nil, // else servers of 2025-11-25 may ask there during a call
	})
	if err == nil || l.life.Err() != nil || !l.remote.old() {
		return err
	}
	// Servers of 2024-11-05 have a stream and an address for messages, which it names.
	older := l.shake(p.client(l), &mcp.SSEClientTransport{Endpoint: at.String(), HTTPClient: c, MaxEventSize: maxMessage})
	if older != nil && l.life.Err() == nil && l.remote.old() {
		return err
	}
	return older
}

// patient has a person log in without a hurry, and asks them once: the library shakes hands
// as older servers do where a server refused it, also if the person did not log in.
type patient struct {
	auth.OAuthHandler
	limit *time.Timer
	most  time.Duration

	mu      sync.Mutex
	refused error // why nobody logged in during the handshake
}

func (h *patient) Authorize(ctx context.Context, q *http.Request, r *http.Response) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.limit.Stop() { // the handshake is over
		return h.OAuthHandler.Authorize(ctx, q, r)
	}
	defer h.limit.Reset(h.most)
	if h.refused == nil {
		h.refused = h.OAuthHandler.Authorize(ctx, q, r)
		return h.refused
	}
	if r != nil && r.Body != nil {
		_ = r.Body.Close() // of a refusal, which nobody reads
	}
	return h.refused
}

// old reports whether the last response has a status with which servers of 2024-11-05
// refuse a message sent to the address of their stream.
func (r *remote) old() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status == http.StatusNotFound || r.status == http.StatusMethodNotAllowed
}

// failure returns why the last request failed; nil if it did not.
func (r *remote) failure() *fault.Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.why
}

// note keeps how a request was answered. That a server has no stream of its own, which it
// need not have, is no failure.
func (r *remote) note(q *http.Request, status int, why *fault.Error) {
	if q.Method == http.MethodGet && status == http.StatusMethodNotAllowed || q.Method == http.MethodDelete {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status, r.why = status, why
}

// RoundTrip sends a request.
func (r *remote) RoundTrip(q *http.Request) (*http.Response, error) {
	if q.URL.Scheme != r.at.Scheme || q.URL.Host != r.at.Host {
		err := fault.New(fault.BlockedAddress, fault.T("the server %s wants messages to be sent to %s, which is another host", r.name, q.URL.Host)).
			WithHint(fault.T("ask the person to import it from there, if they trust that address"))
		r.note(q, 0, err)
		return nil, err
	}
	a, err := r.next.RoundTrip(q)
	if err != nil {
		var known *fault.Error
		if !errors.As(err, &known) && q.Context().Err() == nil {
			known = fault.New(fault.Unavailable, fault.T("the server %s cannot be reached", r.name)).
				WithHint(fault.T("check its address: helve tools show %s", r.name)).Because(err)
			err = known
		}
		r.note(q, 0, known)
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
	var why *fault.Error
	switch {
	case a.StatusCode >= 200 && a.StatusCode <= 299:
		if kind == "text/html" { // what the library says of it may come after the connection has ended
			why = webPage(r.name, r.at)
		}
	default:
		location := ""
		if to, err := a.Location(); err == nil && a.StatusCode < 400 {
			location = shown(to.Scheme+"://"+to.Host+to.Path, maxLine)
		}
		why = answered(r.name, a.StatusCode, location)
		if a.StatusCode == http.StatusNotFound && q.Header.Get("Mcp-Session-Id") != "" {
			why = why.Because(errForgotten)
		}
	}
	r.note(q, a.StatusCode, why)
	t, _ := q.Context().Value(tapKey{}).(*tap)
	a.Body = &body{ReadCloser: a.Body, remote: r, request: q, tap: t, kind: kind, left: maxMessage}
	return a, nil
}

// close lets go of the connections that are kept for further requests.
func (r *remote) close() {
	if idle, ok := r.next.(interface{ CloseIdleConnections() }); ok {
		idle.CloseIdleConnections()
	}
}

// body is the body of a response. It is bounded, and the tap of the request sees it before
// the library does. The parts of a stream of events are bounded each, by the library.
type body struct {
	io.ReadCloser
	remote  *remote
	request *http.Request
	tap     *tap
	kind    string
	left    int
	whole   bytes.Buffer // of a tapped one that is no stream
	events  lines        // of a tapped stream
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	stream := b.kind == "text/event-stream"
	if !stream {
		if b.left -= n; b.left < 0 {
			why := tooLong(b.remote.name)
			b.remote.note(b.request, http.StatusOK, why)
			return 0, why
		}
	}
	switch {
	case b.tap == nil:
	case stream:
		b.events.most = maxMessage
		b.events.add(p[:n], func(line []byte) {
			if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				b.result(bytes.TrimSpace(data))
			}
		})
	default:
		b.whole.Write(p[:n])
		if errors.Is(err, io.EOF) {
			b.result(b.whole.Bytes())
			b.whole = bytes.Buffer{}
		}
	}
	return n, err
}

// result gives the result in a message to the tap.
func (b *body) result(message []byte) {
	if !strings.HasPrefix(string(message[:min(1, len(message))]), "{") {
		return
	}
	m, err := jsonrpc.DecodeMessage(message)
	if r, ok := m.(*jsonrpc.Response); err == nil && ok && r.Error == nil {
		b.tap.set(r.Result)
	}
}
