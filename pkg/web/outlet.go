package web

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxStreams limits the concurrent connections of a command through a gateway.
const maxStreams = 512

// Outlet says what a command may reach through a [Gateway].
type Outlet struct {
	// Allow returns a fault for a host, in ASCII and lower case, and a port that the command
	// may not connect to: denied. It may wait for a person.
	Allow func(ctx context.Context, host string, port uint16) error
	// Named reports whether an address is allowed by itself, and not by a name that leads
	// to it. Others that are not public need [Options.Allow].
	Named func(netip.Addr) bool
	Lang  fault.Lang // of what the command reads of a refusal
}

// outlet is an [Outlet] with what carries the requests of its command.
type outlet struct {
	Outlet
	guard     *guard
	transport *http.Transport
}

// Outlet starts a gateway for a command. Beside HTTP it speaks SOCKS 5, and any number of
// bytes may pass. In a tunnel that begins with a handshake of TLS the server that it names
// must be the host of the tunnel.
func (c *Client) Outlet(o Outlet, l net.Listener) *Gateway {
	g := &Gateway{client: c, listener: l, slots: make(chan struct{}, maxStreams)}
	g.outlet = &outlet{Outlet: o, guard: &guard{allow: c.opt.Allow, literal: o.Named}}
	g.outlet.transport = c.guarded(g.outlet.guard)
	g.start(&mixed{Listener: l, gateway: g, web: make(chan accepted)})
	return g
}

// check refuses a host that the command may not reach. Its address is checked as for the
// client's own requests.
func (o *outlet) check(ctx context.Context, x *exchange) error {
	host := x.at.Hostname()
	if err := o.Allow(ctx, host, portOf(x.at)); err != nil {
		return err
	}
	if err := o.guard.checkName(host); err != nil {
		return err
	}
	proxy, err := x.proxy()
	if err != nil || proxy == nil {
		return err
	}
	return x.client.lookup(ctx, o.guard, host)
}

// explain returns what a command reads of a connection that failed.
func (o *outlet) explain(host string, err error) string {
	var f *fault.Error
	if !errors.As(err, &f) {
		f = networkFault(host, err)
	}
	text := "helve: " + f.Message.In(o.Lang)
	if !f.Hint.IsZero() {
		text += " (" + f.Hint.In(o.Lang) + ")"
	}
	return text
}

// handshakeBytes limits the first message of a handshake.
const handshakeBytes = 64 << 10

var errRead = errors.New("the handshake is read")

// sameServer passes the first message of a handshake of TLS on to a host if it names no other
// server. The fault is denied for another one, and for a handshake that cannot be read. Other
// protocols pass.
func sameServer(ctx context.Context, host string, far io.Writer, in *bufio.Reader) error {
	if first, _ := in.Peek(1); len(first) == 0 || first[0] != 0x16 { // a record of the handshake; RFC 8446, section 5.1
		return nil
	}
	var seen bytes.Buffer
	name, read := "", false
	conn := tls.Server(silent{Reader: io.TeeReader(io.LimitReader(in, handshakeBytes), &seen)}, &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
			name, read = h.ServerName, true
			return nil, errRead
		},
	})
	if err := conn.HandshakeContext(ctx); !read {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) {
			return err // it ended first, or what follows would pass unread
		}
		return fault.New(fault.Denied, fault.T("the TLS handshake with %s cannot be read", host)).
			WithHint(fault.T("use a usual client of TLS")).Because(err)
	}
	if name != "" && !strings.EqualFold(strings.TrimSuffix(name, "."), host) {
		return fault.New(fault.Denied, fault.T("the command connected to %s and asked for the server %s there", host, name)).
			WithHint(fault.T("connect to the server by its own name"))
	}
	_, err := far.Write(seen.Bytes())
	return err
}

// silent is a connection from which a handshake is read; nothing is answered.
type silent struct {
	net.Conn
	io.Reader
}

func (s silent) Read(p []byte) (int, error)  { return s.Reader.Read(p) }
func (s silent) Write(p []byte) (int, error) { return len(p), nil }
func (s silent) Close() error                { return nil }
