package login

import (
	"context"
	"crypto/subtle"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/helve-dev/helve/pkg/fault"
)

// callback is the port of this machine to which a browser comes back from an
// authorization server: https://www.rfc-editor.org/rfc/rfc8252#section-7.3
type callback struct {
	listener net.Listener
	server   *http.Server

	mu     sync.Mutex
	state  string // of the login that waits; "" if none does
	answer chan url.Values
}

// patience limits the time that a person may take to log in.
const patience = 5 * time.Minute

// listen opens a port.
func listen() (*callback, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fault.New(fault.Unavailable, fault.T("no port of this machine is free for the login: %v", err)).
			WithHint(fault.T("try again")).Because(err)
	}
	c := &callback{listener: l, answer: make(chan url.Values, 1)}
	c.server = &http.Server{Handler: c, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	go func() { _ = c.server.Serve(l) }() // it ends when the callback is closed
	return c, nil
}

func (c *callback) address() string { return "http://" + c.listener.Addr().String() + "/callback" }

func (c *callback) close() { _ = c.server.Close() } // nothing is left to be answered

// ServeHTTP takes the answer of the login that waits. Another page of the browser, or
// another process, does not know its state, and is not listened to.
func (c *callback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	c.mu.Lock()
	wanted := c.state
	known := r.Method == http.MethodGet && r.URL.Path == "/callback" && wanted != "" && subtle.ConstantTimeCompare([]byte(values.Get("state")), []byte(wanted)) == 1
	if known {
		c.state = ""
	}
	c.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	if !known {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "helve does not wait for this.\n") // the browser may be gone
		return
	}
	_, _ = io.WriteString(w, "You can close this page and go back to helve.\n") // the browser may be gone
	c.answer <- values
}

// fetch has the person open the address of an authorization server, and returns what
// their browser brings back.
func (c *callback) fetch(ctx context.Context, address string, show func(string) error) (*auth.AuthorizationResult, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && !isLoopback(u) { // a program that opens addresses opens files, too
		return nil, fault.New(fault.UnsupportedScheme, fault.T("the server wants a login at an address that is not https")).
			WithHint(fault.T("the server has to be mended"))
	}
	c.mu.Lock()
	c.state = u.Query().Get("state")
	c.mu.Unlock()
	if err := show(escaped(address)); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fault.New(fault.Timeout, fault.T("nobody logged in within %v", patience)).
		WithHint(fault.T("try again, and finish the login in the browser")))
	defer cancel()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case values := <-c.answer:
		if code := values.Get("error"); code != "" {
			return nil, fault.New(fault.Rejected, fault.T("the login was refused: %s", shown(code+" "+values.Get("error_description")))).
				WithHint(fault.T("log in with an account that may use the server"))
		}
		return &auth.AuthorizationResult{Code: values.Get("code"), State: values.Get("state"), Iss: values.Get("iss")}, nil
	}
}

// isLoopback reports whether an address is of this machine.
func isLoopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}
