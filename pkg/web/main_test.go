package web

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/helve-dev/helve/pkg/fault"
)

// open is the only address of this machine that the clients of the tests may
// reach.
const open = "127.83.0.1"

// serve starts a server at the open address.
func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	_ = s.Listener.Close()
	s.Listener = listen(t, open)
	s.Config.ErrorLog = quiet()
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func listen(t testing.TB, host string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Skip("no " + host) // only Linux and Windows have the whole block
	}
	return l
}

// client returns a client that may reach the open address and never waits.
func client(t testing.TB, change func(*Options)) *Client {
	t.Helper()
	o := Options{
		Allow: []netip.Prefix{netip.MustParsePrefix(open + "/32")},
		Wait:  func(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) },
	}
	if change != nil {
		change(&o)
	}
	c := New(o)
	t.Cleanup(func() {
		c.direct().CloseIdleConnections()
		c.proxied().CloseIdleConnections()
	})
	return c
}

func get(t testing.TB, c *Client, r Request) *Response {
	t.Helper()
	response, err := c.Get(t.Context(), r)
	if err != nil {
		t.Fatalf("%s: %v", r.URL, err)
	}
	return response
}

// refused checks that a request fails with a code.
func refused(t testing.TB, c *Client, r Request, want fault.Code) {
	t.Helper()
	_ = refusal(t, c, r, want)
}

// refusal is refused, and returns the fault.
func refusal(t testing.TB, c *Client, r Request, want fault.Code) *fault.Error {
	t.Helper()
	response, err := c.Get(t.Context(), r)
	if err == nil {
		t.Errorf("%.80q: HTTP %d with %d bytes, want %s", r.URL, response.Status, len(response.Body), want)
		return fault.New(want, fault.T("none"))
	}
	e := fault.As(err)
	if e.Code != want {
		t.Errorf("%.80q: %v (%v), want %s", r.URL, e, e.Unwrap(), want)
	}
	if e.Hint.IsZero() {
		t.Errorf("%.80q: no hint in %v", r.URL, e)
	}
	return e
}

// names starts a DNS server. answer returns the addresses of a name, nil for none,
// and is called at every look-up.
func names(t testing.TB, answer func(name string) []string) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	t.Cleanup(func() { _ = server.Close(); serving.Wait() })
	serving.Go(func() {
		query := make([]byte, 1<<12)
		for {
			n, from, err := server.ReadFrom(query)
			if err != nil {
				return
			}
			if reply := resolve(query[:n], answer); reply != nil {
				_, _ = server.WriteTo(reply, from)
			}
		}
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

func resolve(query []byte, answer func(string) []string) []byte {
	var m dnsmessage.Message
	if m.Unpack(query) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	found := answer(strings.TrimSuffix(q.Name.String(), "."))
	if found == nil {
		m.RCode = dnsmessage.RCodeNameError
	}
	for _, text := range found {
		a := netip.MustParseAddr(text)
		header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}
		switch {
		case a.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: a.As4()}})
		case a.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
		}
	}
	reply, err := m.Pack()
	if err != nil {
		return nil
	}
	return reply
}
