package web

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// mixed is a listener for clients of HTTP and of SOCKS 5. It accepts the former; the latter,
// known by their first byte, are served by the gateway.
type mixed struct {
	net.Listener
	gateway *Gateway
	web     chan accepted
	begun   bool
}

type accepted struct {
	conn net.Conn
	err  error
}

// Accept returns a connection of a client of HTTP. Only one goroutine may call it.
func (m *mixed) Accept() (net.Conn, error) {
	if !m.begun {
		m.begun = true
		go m.accept()
	}
	select {
	case a := <-m.web:
		return a.conn, a.err
	case <-m.gateway.ctx.Done():
		return nil, net.ErrClosed
	}
}

func (m *mixed) accept() {
	for {
		c, err := m.Listener.Accept()
		if err != nil {
			m.hand(nil, err)
		} else {
			go m.sort(c)
		}
		if m.gateway.ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
			return
		}
	}
}

// hand has Accept return a connection or an error.
func (m *mixed) hand(c net.Conn, err error) {
	select {
	case m.web <- accepted{c, err}:
	case <-m.gateway.ctx.Done():
		if c != nil {
			_ = c.Close()
		}
	}
}

// sort serves a client of SOCKS 5, and hands over any other.
func (m *mixed) sort(c net.Conn) {
	stop := context.AfterFunc(m.gateway.ctx, func() { _ = c.Close() })
	defer stop()
	p := &peeked{Conn: c, first: make([]byte, 1)}
	if err := c.SetReadDeadline(time.Now().Add(connectTimeout)); err != nil {
		_ = c.Close()
		return
	}
	if _, err := io.ReadFull(c, p.first); err != nil || c.SetReadDeadline(time.Time{}) != nil {
		_ = c.Close()
		return
	}
	if p.first[0] != socksVersion {
		m.hand(p, nil)
		return
	}
	defer func() { _ = c.Close() }()
	m.gateway.socks(c, bufio.NewReader(p))
}

// peeked is a connection of which the first byte is read already.
type peeked struct {
	net.Conn
	first []byte
}

func (p *peeked) Read(b []byte) (int, error) {
	if len(p.first) == 0 || len(b) == 0 {
		return p.Conn.Read(b)
	}
	n := copy(b, p.first)
	p.first = p.first[n:]
	return n, nil
}

// unpeeked returns the connection itself once its first byte is read: the kernel then copies
// by itself.
func unpeeked(c net.Conn) net.Conn {
	if p, ok := c.(*peeked); ok && len(p.first) == 0 {
		return p.Conn
	}
	return c
}

// The protocol of RFC 1928, with addresses and names, and without logins.
const (
	socksVersion = 5

	socksConnect = 1

	socksIPv4, socksName, socksIPv6 = 1, 3, 4

	socksDone, socksDenied, socksNoNetwork, socksNoHost, socksRefused, socksNoCommand, socksNoAddress = 0, 2, 3, 4, 5, 7, 8
)

// socks serves a client of SOCKS 5.
func (g *Gateway) socks(near net.Conn, in *bufio.Reader) {
	select {
	case g.slots <- struct{}{}:
		defer func() { <-g.slots }()
	default:
		return
	}
	if near.SetDeadline(time.Now().Add(connectTimeout)) != nil {
		return
	}
	if !greet(near, in) {
		return
	}
	target, code := socksTarget(in)
	if near.SetDeadline(time.Time{}) != nil { // a person may be asked now
		return
	}
	if code != socksDone {
		_ = socksReply(near, code) // it is closed then
		return
	}
	x, err := g.check(g.ctx, target)
	var far net.Conn
	if err == nil {
		far, err = g.dial(g.ctx, x)
	}
	if err != nil {
		code := socksCode(err)
		if g.remember(target.Hostname(), portOf(target), err) {
			code = socksDenied
		}
		_ = socksReply(near, code)
		return
	}
	defer func() { _ = far.Close() }()
	if socksReply(near, socksDone) == nil {
		g.join(x, near, far, in)
	}
}

// greet reads which logins a client knows, and chooses none.
func greet(near io.Writer, in *bufio.Reader) bool {
	const none, refused = 0, 0xff
	var head [2]byte
	if _, err := io.ReadFull(in, head[:]); err != nil || head[0] != socksVersion {
		return false
	}
	methods := make([]byte, head[1])
	if _, err := io.ReadFull(in, methods); err != nil {
		return false
	}
	chosen := byte(refused)
	if slices.Contains(methods, none) {
		chosen = none
	}
	_, err := near.Write([]byte{socksVersion, chosen})
	return err == nil && chosen == none
}

// socksTarget reads where a client wants to be connected to. The code is socksDone unless that
// is refused.
func socksTarget(in *bufio.Reader) (*url.URL, byte) {
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil || head[0] != socksVersion {
		return nil, socksNoCommand
	}
	var size int
	switch head[3] {
	case socksIPv4:
		size = net.IPv4len
	case socksIPv6:
		size = net.IPv6len
	case socksName:
		n, err := in.ReadByte()
		if err != nil {
			return nil, socksNoAddress
		}
		size = int(n)
	default:
		return nil, socksNoAddress
	}
	rest := make([]byte, size+2)
	if _, err := io.ReadFull(in, rest); err != nil {
		return nil, socksNoAddress
	}
	host, port := string(rest[:size]), strconv.Itoa(int(binary.BigEndian.Uint16(rest[size:])))
	if head[3] != socksName {
		a, _ := netip.AddrFromSlice(rest[:size]) // it has the size of one
		host = a.String()
	}
	if head[1] != socksConnect {
		return nil, socksNoCommand
	}
	return &url.URL{Scheme: "https", Host: net.JoinHostPort(host, port), Path: "/"}, socksDone
}

// socksCode returns the code for an error of dialling.
func socksCode(err error) byte {
	var dns *net.DNSError
	var f *fault.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return socksRefused
	case errors.As(err, &dns), errors.As(err, &f):
		return socksNoHost
	}
	return socksNoNetwork
}

// socksReply answers a client.
func socksReply(near io.Writer, code byte) error {
	_, err := near.Write([]byte{socksVersion, code, 0, socksIPv4, 0, 0, 0, 0, 0, 0})
	return err
}
