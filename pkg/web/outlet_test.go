package web

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	socks "golang.org/x/net/proxy"

	"github.com/helve-dev/helve/pkg/fault"
)

// outletTo starts a gateway for a command that may reach one host and port.
func outletTo(t *testing.T, c *Client, to string) *Gateway {
	t.Helper()
	l, err := Loopback()
	if err != nil {
		t.Fatal(err)
	}
	host, port, err := net.SplitHostPort(to)
	if err != nil {
		t.Fatal(err)
	}
	g := c.Outlet(Outlet{
		Named: func(netip.Addr) bool { return false },
		Allow: func(_ context.Context, h string, p uint16) error {
			if h == host && int(p) == atoi(port) {
				return nil
			}
			return fault.New(fault.Denied, fault.T("no"))
		},
	}, l)
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// Clients of HTTP and of SOCKS reach the one host, and no other.
func TestOutlet(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "here "+r.Host) })
	at := s.Listener.Addr().String()
	g := outletTo(t, client(t, nil), at)
	way, err := socks.SOCKS5("tcp", g.Addr(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &url.URL{Scheme: "http", Host: g.Addr()}
	for name, transport := range map[string]*http.Transport{"HTTP": {Proxy: http.ProxyURL(proxy)}, "SOCKS": {DialContext: way.(socks.ContextDialer).DialContext}} {
		t.Cleanup(transport.CloseIdleConnections)
		c := &http.Client{Transport: transport}
		if status, text := answerOf(t, c, s.URL); status != http.StatusOK || text != "here "+at {
			t.Errorf("%s: %d %s", name, status, text)
		}
		if status, text := answerOf(t, c, "http://"+open+":1/"); status == http.StatusOK || name == "HTTP" && text != "helve: no\n" {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	refused := g.Refused()
	if len(refused) != 1 || refused[0].Host != open || refused[0].Port != 1 {
		t.Errorf("%+v", refused)
	}
}

// A private address is reached where it is named itself.
func TestOutletNamed(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") })
	for _, named := range []bool{true, false} {
		l, err := Loopback()
		if err != nil {
			t.Fatal(err)
		}
		c := client(t, func(o *Options) {
			o.Allow = nil
			o.Resolver = names(t, func(string) []string { return []string{open} })
		})
		g := c.Outlet(Outlet{
			Named: func(a netip.Addr) bool { return named && a.String() == open },
			Allow: func(context.Context, string, uint16) error { return nil },
		}, l)
		t.Cleanup(func() { _ = g.Close() })
		transport := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: g.Addr()})}
		t.Cleanup(transport.CloseIdleConnections)
		if status, text := answerOf(t, &http.Client{Transport: transport}, s.URL); (status == http.StatusOK) != named {
			t.Errorf("%v: %d %s", named, status, text)
		}
		_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
		if status, text := answerOf(t, &http.Client{Transport: transport}, "http://name.example:"+port); status != http.StatusForbidden {
			t.Errorf("by a name: %d %s", status, text)
		}
	}
}

// In a tunnel the server must have the name that was connected to, however the handshake comes.
func TestOutletServerName(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	_ = secure.Listener.Close()
	secure.Listener, secure.Config.ErrorLog = listen(t, open), quiet()
	secure.StartTLS()
	t.Cleanup(secure.Close)
	_, port, _ := net.SplitHostPort(secure.Listener.Addr().String())
	to := "example.com:" + port // a name of the certificate
	c := client(t, func(o *Options) { o.Resolver = names(t, func(string) []string { return []string{open} }) })
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	for name, works := range map[string]bool{"example.com": true, "EXAMPLE.com": true, "example.org": false, "www.example.com": false} {
		for _, size := range []int{1, 1 << 20} {
			g := outletTo(t, c, to)
			conn, err := net.Dial("tcp", g.Addr())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(conn, "CONNECT "+to+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			established := make([]byte, len("HTTP/1.1 200 Connection established\r\n\r\n"))
			if _, err := io.ReadFull(conn, established); err != nil || !strings.HasPrefix(string(established), "HTTP/1.1 200") {
				t.Fatalf("%q, %v", established, err)
			}
			err = tls.Client(&slow{conn, size}, &tls.Config{ServerName: name, RootCAs: roots}).Handshake()
			if (err == nil) != works {
				t.Errorf("%s: %v", name, err)
			}
			if refused := g.Refused(); (len(refused) == 0) != works || !works && !strings.Contains(refused[0].Err.Error(), name) {
				t.Errorf("%s: %+v", name, refused)
			}
			_ = conn.Close()
		}
	}
}

// slow writes pieces of a size.
type slow struct {
	net.Conn
	size int
}

func (s *slow) Write(b []byte) (n int, err error) {
	for piece := range slices.Chunk(b, s.size) {
		k, err := s.Conn.Write(piece)
		if n += k; err != nil {
			return n, err
		}
	}
	return n, nil
}

// What is not TLS passes as it is, also where the server speaks first; more than a page may need
// passes, too.
func TestOutletPasses(t *testing.T) {
	far := listen(t, open)
	t.Cleanup(func() { _ = far.Close() })
	const size = maxPassed + 1<<20
	go func() {
		c, err := far.Accept()
		if err != nil {
			return
		}
		defer func() { _ = c.Close() }()
		_, _ = io.WriteString(c, "SSH-2.0-x\r\n")
		_, _ = io.CopyN(io.Discard, c, 5)
		_, _ = io.CopyN(c, zeros{}, size)
	}()
	g := outletTo(t, client(t, nil), far.Addr().String())
	way, err := socks.SOCKS5("tcp", g.Addr(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := way.Dial("tcp", far.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	banner := make([]byte, 11)
	if _, err := io.ReadFull(c, banner); err != nil || string(banner) != "SSH-2.0-x\r\n" {
		t.Fatalf("%q, %v", banner, err)
	}
	if _, err := io.WriteString(c, "hello"); err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, c); n != size || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// FuzzSocks has bytes read as a request. What is dialled is what was judged.
func FuzzSocks(f *testing.F) {
	f.Add([]byte("\x05\x01\x00\x05\x01\x00\x03\x0bexample.org\x01\xbb"))
	f.Add([]byte("\x05\x01\x00\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x50"))
	f.Add([]byte("\x05\x01\x00\x05\x01\x00\x04" + strings.Repeat("\x00", 15) + "\x01\x00\x50"))
	c := New(Options{})
	f.Fuzz(func(t *testing.T, b []byte) {
		in := bufio.NewReader(bytes.NewReader(b))
		if !greet(io.Discard, in) {
			return
		}
		target, code := socksTarget(in)
		if code != socksDone {
			return
		}
		asked, port := "", uint16(0)
		g := &Gateway{client: c, outlet: &outlet{guard: &guard{}, Outlet: Outlet{Allow: func(_ context.Context, host string, p uint16) error {
			asked, port = host, p
			return nil
		}}}}
		x, err := g.check(t.Context(), target)
		if err != nil {
			return
		}
		if asked != x.at.Hostname() || port != portOf(x.at) || strings.ContainsAny(asked, "/@\\?#% \x00") {
			t.Errorf("%q: judged %s, port %d, and dialled %s", b, asked, port, x.at)
		}
	})
}

// FuzzHandshake has bytes read as what comes through a tunnel: all or nothing goes on.
func FuzzHandshake(f *testing.F) {
	var hello bytes.Buffer
	_ = tls.Client(silent{Reader: bytes.NewReader(nil)}.recording(&hello), &tls.Config{ServerName: "example.org"}).Handshake()
	f.Add(hello.Bytes())
	f.Add([]byte("SSH-2.0-x\r\n"))
	long := []byte{1, 0, 0xff, 0xf0} // records of a byte: more than is read
	for _, one := range append(long, make([]byte, 0xfff0)...) {
		long = append(long, 0x16, 3, 1, 0, 1, one)
	}
	f.Add(append(long[4:], hello.Bytes()...))
	f.Fuzz(func(t *testing.T, b []byte) {
		var far bytes.Buffer
		in := bufio.NewReader(bytes.NewReader(b))
		if err := sameServer(t.Context(), "example.org", &far, in); err != nil {
			if far.Len() > 0 {
				t.Errorf("%d bytes of what was refused went on", far.Len())
			}
			return
		}
		if !bytes.HasPrefix(b, far.Bytes()) {
			t.Errorf("%q went on of %q", far.Bytes(), b)
		}
		if len(b) > 5 && b[0] == 0x16 && far.Len() < min(len(b), 5+int(binary.BigEndian.Uint16(b[3:]))) {
			t.Errorf("only %d bytes went on of %q", far.Len(), b)
		}
	})
}

// recording returns a connection that writes to w.
func (s silent) recording(w io.Writer) net.Conn { return recorded{s, w} }

type recorded struct {
	silent
	w io.Writer
}

func (r recorded) Write(b []byte) (int, error) { return r.w.Write(b) }
