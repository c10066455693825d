package web

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"time"

	socks "golang.org/x/net/proxy"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// maxTunnels limits the concurrent connections of a program through a gateway.
	maxTunnels = 128
	// maxPassed limits the bytes that pass through a gateway, both ways together.
	maxPassed = 256 << 20
	// maxRefusals limits the refused hosts that a gateway remembers.
	maxRefusals = 20
)

// Gateway is an HTTP proxy at an address of this machine, for one program that reaches
// the web by itself, such as a browser. Every connection that it makes is one that the
// client could make: to a host that the policy allows, at an address that the guard
// allows, and through the person's own proxy. It stores nothing, follows no redirect
// and adds no header.
type Gateway struct {
	client   *Client
	first    string  // the host that a person could be asked about
	outlet   *outlet // of a command; nil for a page
	listener net.Listener
	server   *http.Server
	slots    chan struct{}
	ctx      context.Context // ends with the gateway
	end      context.CancelFunc

	mu      sync.Mutex
	passed  int64
	refused []Refusal
}

// Refusal is a host that a gateway did not connect to.
type Refusal struct {
	Host string
	Port uint16
	Err  error // a fault
}

// Loopback listens at a port of this machine.
func Loopback() (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, unavailable(fault.T("no local port can be opened for the browser")).Because(err)
	}
	return l, nil
}

// Gateway starts a gateway for the page at an address. It answers at a listener: one that
// a sandbox has, or one that outlives it below. [Gateway.Close] ends both. Rules that ask a
// person about a host hold for the host of the page as they do for [Client.Get], and refuse
// any other host.
func (c *Client) Gateway(page Address, l net.Listener) *Gateway {
	g := &Gateway{client: c, first: page.Hostname(), listener: l, slots: make(chan struct{}, maxTunnels)}
	g.start(l)
	return g
}

// start serves HTTP at a listener.
func (g *Gateway) start(l net.Listener) {
	g.ctx, g.end = context.WithCancel(context.Background())
	g.server = &http.Server{
		Handler: http.HandlerFunc(g.serve), ReadHeaderTimeout: connectTimeout, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(io.Discard, "", 0), BaseContext: func(net.Listener) context.Context { return g.ctx },
	}
	go func() { _ = g.server.Serve(l) }() // it ends by Close
}

// Addr returns the address of the gateway: a host and a port.
func (g *Gateway) Addr() string { return g.listener.Addr().String() }

// Close ends the gateway and every connection through it.
func (g *Gateway) Close() error {
	g.end() // the tunnels see it
	if g.outlet != nil {
		g.outlet.transport.CloseIdleConnections()
	}
	return g.server.Close()
}

// Refused returns the first hosts that the program was kept from, each once.
func (g *Gateway) Refused() []Refusal {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.refused)
}

// serve answers one request of the program: CONNECT opens a tunnel, any other is sent on.
func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) {
	select {
	case g.slots <- struct{}{}:
		defer func() { <-g.slots }()
	default:
		http.Error(w, "too many connections", http.StatusServiceUnavailable)
		return
	}
	target := &url.URL{Scheme: "https", Host: r.Host, Path: "/"}
	if r.Method != http.MethodConnect {
		target = r.URL
	}
	x, err := g.check(r.Context(), target)
	if err != nil {
		g.refuse(w, target, err)
		return
	}
	if r.Method == http.MethodConnect {
		g.tunnel(w, r, x)
		return
	}
	forward := &httputil.ReverseProxy{
		Rewrite:      func(p *httputil.ProxyRequest) { p.Out.URL, p.Out.Host = x.at, x.at.Host },
		Transport:    onward{g, x},
		ErrorLog:     g.server.ErrorLog,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) { g.refuse(w, x.at, err) },
	}
	forward.ServeHTTP(metered{w, g}, r)
}

// check returns the exchange with a host that the client may reach. It normalises the
// host as Get does, so that every spelling of an address is judged as that address.
func (g *Gateway) check(ctx context.Context, target *url.URL) (*exchange, error) {
	if target.Scheme != "http" && target.Scheme != "https" || target.Host == "" {
		return nil, badURL(fault.T("is not an address"))
	}
	u, err := Parse(target.String())
	if err != nil {
		return nil, err
	}
	if g.outlet != nil {
		x := &exchange{client: g.client, request: &Request{}, first: u.url, at: u.url}
		return x, g.outlet.check(ctx, x)
	}
	// Of a rule that asks, only the host of the page was judged.
	first := &url.URL{Scheme: "https", Host: g.first}
	x := &exchange{client: g.client, request: &Request{}, first: first, at: u.url, inside: g.client.serves(first)}
	return x, x.check(ctx)
}

// onward sends a request in the clear on, by the transport that the client would use.
type onward struct {
	gateway *Gateway
	x       *exchange
}

func (t onward) RoundTrip(r *http.Request) (*http.Response, error) {
	at, err := t.x.proxy()
	switch {
	case err != nil:
		return nil, err
	case at != nil:
		return t.gateway.client.proxied().RoundTrip(r)
	case t.x.inside:
		return t.gateway.client.own().RoundTrip(r)
	case t.gateway.outlet != nil:
		return t.gateway.outlet.transport.RoundTrip(r)
	}
	return t.gateway.client.direct().RoundTrip(r)
}

// refuse tells the program that the request is not sent, and remembers a host that is
// refused by rule.
func (g *Gateway) refuse(w http.ResponseWriter, target *url.URL, err error) {
	status := http.StatusBadGateway
	if g.remember(target.Hostname(), portOf(target), err) {
		status = http.StatusForbidden
	}
	text := http.StatusText(status)
	if g.outlet != nil {
		text = g.outlet.explain(target.Hostname(), err)
	}
	http.Error(w, text, status)
}

// remember notes a host that is refused by rule; it reports whether an error is such a one.
func (g *Gateway) remember(host string, port uint16, err error) bool {
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.BlockedAddress && f.Code != fault.Denied {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	same := func(r Refusal) bool { return r.Host == host && (r.Port == port || g.outlet == nil) }
	if len(g.refused) < maxRefusals && !slices.ContainsFunc(g.refused, same) {
		g.refused = append(g.refused, Refusal{host, port, f})
	}
	return true
}

// portOf returns the port of an address, by its scheme if it has none.
func portOf(u *url.URL) uint16 {
	if u.Scheme == "http" {
		return uint16(atoi(cmp.Or(u.Port(), "80")))
	}
	return uint16(atoi(cmp.Or(u.Port(), "443")))
}

// tunnel connects the program with a host.
func (g *Gateway) tunnel(w http.ResponseWriter, r *http.Request, x *exchange) {
	far, err := g.dial(r.Context(), x)
	if err != nil {
		g.refuse(w, x.at, err)
		return
	}
	defer func() { _ = far.Close() }()
	near, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	defer func() { _ = near.Close() }()
	if _, err := io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n"); err == nil {
		g.join(x, near, far, buffered.Reader)
	}
}

// join passes on what the ends of a tunnel send, until both have ended. What near sent
// already is in the buffer.
func (g *Gateway) join(x *exchange, near, far net.Conn, buffered *bufio.Reader) {
	near = unpeeked(near)
	stop := context.AfterFunc(g.ctx, func() { _, _ = near.Close(), far.Close() })
	defer stop()
	var both sync.WaitGroup
	both.Go(func() {
		if g.outlet == nil {
			g.pass(far, buffered)
			return
		}
		if err := sameServer(g.ctx, x.at.Hostname(), far, buffered); err != nil {
			g.remember(x.at.Hostname(), portOf(x.at), err)
			_, _ = near.Close(), far.Close()
			return
		}
		if _, err := io.CopyN(far, buffered, int64(buffered.Buffered())); err == nil {
			g.pass(far, near)
		}
	})
	both.Go(func() { g.pass(near, far) })
	both.Wait()
}

// pass copies until the end of either side, and tells the other that nothing follows.
func (g *Gateway) pass(to net.Conn, from io.Reader) {
	var into io.Writer = to
	if g.outlet == nil {
		into = counting{to, g}
	}
	if _, err := io.Copy(into, from); err != nil {
		_ = to.Close() // also ends the other direction
		return
	}
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		return
	}
	_ = to.Close()
}

var errPassed = errors.New("too many bytes through the gateway")

// pay counts bytes. The error is errPassed.
func (g *Gateway) pay(n int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.passed += int64(n); g.outlet == nil && g.passed > maxPassed {
		return errPassed
	}
	return nil
}

// counting counts what is written.
type counting struct {
	w io.Writer
	g *Gateway
}

func (c counting) Write(p []byte) (int, error) {
	if err := c.g.pay(len(p)); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

// metered counts the body of a response.
type metered struct {
	http.ResponseWriter
	g *Gateway
}

func (m metered) Write(p []byte) (int, error) { return counting{m.ResponseWriter, m.g}.Write(p) }

// Unwrap lets the response be flushed and hijacked.
func (m metered) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// dial connects to the host of an exchange: directly, under the guard, or through the
// person's proxy.
func (g *Gateway) dial(ctx context.Context, x *exchange) (net.Conn, error) {
	host, address := x.at.Hostname(), net.JoinHostPort(x.at.Hostname(), cmp.Or(x.at.Port(), "443"))
	at, err := x.proxy()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	d := &net.Dialer{Resolver: g.client.opt.Resolver}
	switch {
	case x.inside:
		return g.client.dialSession(ctx, address)
	case at == nil:
		guard := g.client.guard
		if g.outlet != nil {
			guard = g.outlet.guard
		}
		d.ControlContext = guard.control(host)
		return d.DialContext(ctx, "tcp", address)
	case at.Scheme == "socks5" || at.Scheme == "socks5h":
		way, err := socks.FromURL(at, d)
		if err != nil {
			return nil, badProxy(host, err)
		}
		return way.(socks.ContextDialer).DialContext(ctx, "tcp", address)
	}
	return g.dialProxy(ctx, d, at, address)
}

// dialProxy asks an HTTP proxy for a connection.
func (g *Gateway) dialProxy(ctx context.Context, d *net.Dialer, at *url.URL, address string) (net.Conn, error) {
	port := "80"
	if at.Scheme == "https" {
		port = "443"
	}
	c, err := d.DialContext(ctx, "tcp", net.JoinHostPort(at.Hostname(), cmp.Or(at.Port(), port)))
	if err != nil {
		return nil, err
	}
	if at.Scheme == "https" {
		c = tls.Client(c, &tls.Config{ServerName: at.Hostname(), RootCAs: g.client.opt.Roots, MinVersion: tls.VersionTLS12})
	}
	tunnel, err := connect(ctx, c, at, address)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return tunnel, nil
}

// connect sends CONNECT and reads the answer.
func connect(ctx context.Context, c net.Conn, at *url.URL, address string) (net.Conn, error) {
	if until, ok := ctx.Deadline(); ok {
		if err := c.SetDeadline(until); err != nil {
			return nil, err
		}
	}
	auth := ""
	if at.User != nil {
		password, _ := at.User.Password()
		auth = "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(at.User.Username()+":"+password)) + "\r\n"
	}
	if _, err := fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", address, address, auth); err != nil {
		return nil, err
	}
	in := bufio.NewReader(io.LimitReader(c, maxHeader))
	response, err := http.ReadResponse(in, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, errors.Join(proxyRefused(at, response.StatusCode), response.Body.Close())
	}
	if in.Buffered() > 0 { // no server speaks before its client does with TLS
		return nil, badProxy(at.Hostname(), errors.New("unexpected data"))
	}
	return c, c.SetDeadline(time.Time{})
}
