package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/web/gate"
)

// Path is the path of a server's endpoint.
const Path = "/mcp"

// HTTP configures the access to a server over HTTP.
type HTTP struct {
	// Token is the bearer token of clients; see [ParseToken]. "" lets in everybody who
	// reaches the port.
	Token string
	// Hosts are names by which clients may call the server, besides those of this machine
	// and the address that they reach it at.
	Hosts []string
	// Origins are those of web pages that may call, besides pages of this machine:
	// "https://example.com".
	Origins []string
}

// What a server keeps for its clients, at most, and how long.
const (
	maxRequests = 512              // that are answered at the same time, streams among them
	maxSessions = 256              // of clients, before 2026-07-28
	headTime    = 10 * time.Second // for the header of a request
	bodyTime    = time.Minute      // for a request as a whole
	quietTime   = 2 * time.Minute  // between requests on one connection
	endTime     = 15 * time.Second // for calls to end, when the server ends
	maxHead     = 64 << 10         // bytes of a header
	maxReplay   = 16 << 20         // bytes of events that clients may fetch again
)

// stateless is the revision of the protocol from which on there are no sessions, and a
// request ends with its connection.
const stateless = "2026-07-28"

// Listen answers clients over HTTP, in all revisions of the protocol, until ctx ends. Then
// it cancels the calls that run, answers them, and closes the listener. A server listens
// once.
//
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
func (s *Server) Listen(ctx context.Context, l net.Listener, o HTTP) error {
	if err := s.Refresh(); err != nil {
		return errors.Join(err, l.Close())
	}
	defer s.endTasks()
	ending, end := context.WithCancelCause(context.Background())
	defer end(nil)
	defer s.works.wait()
	s.works.begin(ending)
	defer s.calls.wait()
	s.calls.begin(ending)
	t := &traffic{ending: ending, running: map[string]map[*running]bool{}}
	s.mcp.AddReceivingMiddleware(t.watch)
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go s.watch(watching)
	web := &http.Server{
		Handler:           s.handler(t, o),
		ReadHeaderTimeout: headTime, ReadTimeout: bodyTime, IdleTimeout: quietTime, MaxHeaderBytes: maxHead,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(l) }()
	var err error
	select {
	case err = <-failed:
		err = fault.New(fault.Unavailable, fault.T("the server cannot accept connections: %v", err)).
			WithHint(fault.T("start it again")).Because(err)
	case <-ctx.Done():
	}
	end(fault.New(fault.Canceled, fault.T("the server is shutting down")).
		WithHint(fault.T("call again once it runs")))
	return errors.Join(err, s.finish(web, t))
}

// finish waits until what ran is answered, and closes all connections.
func (s *Server) finish(web *http.Server, t *traffic) error {
	soon, stop := context.WithTimeout(context.Background(), endTime)
	defer stop()
	if !t.idle(soon) {
		s.Log.Warn("calls were still running")
	}
	for one := range s.mcp.Sessions() { // which ends their streams
		go s.close(one)
	}
	err := web.Shutdown(soon)
	if errors.Is(err, context.DeadlineExceeded) {
		s.Log.Warn("connections were still open")
		err = web.Close()
	}
	return err
}

// handler returns what answers requests: the gate, then the limits, then the library.
func (s *Server) handler(t *traffic, o HTTP) http.Handler {
	server := func(*http.Request) *mcp.Server { return s.mcp }
	events := mcp.NewMemoryEventStore(nil)
	events.SetMaxBytes(maxReplay)
	// The gate checks the names of hosts, and the limits the size of bodies.
	newer := mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		Stateless: true, Logger: s.Log, MaxRequestBodyBytes: -1, DisableLocalhostProtection: true, PropagateRequestCancellation: true,
	})
	older := &sessions{
		next: mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
			Logger: s.Log, MaxRequestBodyBytes: -1, DisableLocalhostProtection: true, EventStore: events,
		}),
		lang: s.Lang, cancel: t.cancel, live: s.live, most: maxSessions, open: map[string]*session{},
	}
	choose := func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			t.enter()
			defer t.leave()
		}
		if r.Header.Get("Mcp-Protocol-Version") >= stateless {
			newer.ServeHTTP(w, r)
			return
		}
		older.ServeHTTP(w, r)
	}
	limited := &gate.Limits{Next: http.HandlerFunc(choose), Lang: s.Lang, Slots: make(chan struct{}, maxRequests), Body: schema.MaxBytes}
	return newDoor(limited, s.Lang, o)
}

// live returns what closes the sessions of clients that there are, by their ids.
func (s *Server) live() map[string]func() {
	all := map[string]func(){}
	for one := range s.mcp.Sessions() {
		if id := one.ID(); id != "" {
			all[id] = func() { s.close(one) }
		}
	}
	return all
}

func (s *Server) close(one *mcp.ServerSession) {
	if err := one.Close(); err != nil {
		s.Log.Warn("closing a session", "err", err)
	}
}
