package web

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// program returns a program that reaches the web through a gateway of a client.
func program(t *testing.T, c *Client, page string) (*http.Client, *Gateway) {
	t.Helper()
	l, err := Loopback()
	if err != nil {
		t.Fatal(err)
	}
	g := c.Gateway(At(page), l)
	t.Cleanup(func() { _ = g.Close() })
	at := &url.URL{Scheme: "http", Host: g.Addr()}
	transport := &http.Transport{Proxy: http.ProxyURL(at), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // what it connects to is the test's
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}, g
}

// answerOf returns the status and the body of a response.
func answerOf(t *testing.T, c *http.Client, address string) (int, string) {
	t.Helper()
	r, err := c.Get(address)
	if err != nil {
		return 0, err.Error()
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

func TestGateway(t *testing.T) {
	says := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Forwarded-For")+r.Header.Get("Via")+r.Header.Get("Proxy-Connection") != "" {
			t.Errorf("%v", r.Header)
		}
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, r.Method+" "+r.Host+r.RequestURI+" "+r.Header.Get("User-Agent")+" "+string(b))
	}
	plain := serve(t, says)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(says))
	_ = secure.Listener.Close()
	secure.Listener = listen(t, open)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	c, g := program(t, client(t, nil), plain.URL)
	for _, s := range []*httptest.Server{plain, secure} {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPut, s.URL+"/a%2Fb?c=d;e", strings.NewReader("sent"))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("User-Agent", "own")
		r, err := c.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r.Body)
		if want := "PUT " + s.Listener.Addr().String() + "/a%2Fb?c=d;e own sent"; err != nil || string(b) != want {
			t.Errorf("%q, want %q, %v", b, want, err)
		}
		_ = r.Body.Close()
	}
	if refused := g.Refused(); len(refused) > 0 {
		t.Errorf("%v", refused)
	}
}

// Whatever way an address is written, nothing private is reached, with TLS or without.
func TestGatewayRefuses(t *testing.T) {
	port, heard := confidential(t)
	_, g := program(t, client(t, nil), "http://"+open+"/")
	for _, h := range hostile {
		u, err := url.Parse(strings.ReplaceAll(h.url, "PORT", port))
		if err != nil || u.Hostname() == "" || strings.ContainsFunc(u.Host, func(r rune) bool { return r > 126 }) {
			continue // no program sends such a host
		}
		if u.Port() == "" {
			u.Host += ":80"
		}
		for _, request := range []string{
			"CONNECT " + u.Host + " HTTP/1.1\r\nHost: " + u.Host + "\r\n\r\n",
			"GET http://" + u.Host + "/ HTTP/1.1\r\nHost: " + u.Host + "\r\nConnection: close\r\n\r\n",
			"GET http://" + u.Host + "/ HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n",
		} {
			if status := raw(t, g, request); status == http.StatusOK {
				t.Errorf("%q: %d", request, status)
			}
		}
	}
	for _, request := range []string{
		"GET / HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n\r\n", "GET ftp://" + open + "/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		"CONNECT " + open + " HTTP/1.1\r\nHost: " + open + "\r\n\r\n", "CONNECT :80 HTTP/1.1\r\nHost: :80\r\n\r\n", "\x00\xff\r\n\r\n",
	} {
		if status := raw(t, g, request); status == http.StatusOK {
			t.Errorf("%q: %d", request, status)
		}
	}
	if n := heard.Load(); n > 0 {
		t.Errorf("a private server was asked %d times", n)
	}
	if refused := g.Refused(); len(refused) != maxRefusals || !fault.Is(refused[0].Err, fault.BlockedAddress) {
		t.Errorf("%d hosts are remembered: %v", len(refused), refused)
	}
}

// raw sends a request as it is and returns the status of the response, 0 for none.
func raw(t *testing.T, g *Gateway, request string) int {
	t.Helper()
	c, err := net.Dial("tcp", g.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, request); err != nil {
		return 0
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	_ = r.Body.Close()
	return r.StatusCode
}

// A name that is public at first, and private in the next look-up, gains nothing.
func TestGatewayRebinding(t *testing.T) {
	port, heard := confidential(t)
	own := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "public") })
	_, ownPort, _ := net.SplitHostPort(own.Listener.Addr().String())
	var moved atomic.Bool
	web := client(t, func(o *Options) {
		o.Resolver = names(t, func(string) []string {
			if moved.Load() {
				return []string{"127.0.0.1"}
			}
			return []string{open}
		})
	})
	c, g := program(t, web, "http://rebind.example/")
	if status, text := answerOf(t, c, "http://rebind.example:"+ownPort+"/"); status != 200 || text != "public" {
		t.Fatal(status, text)
	}
	moved.Store(true)
	for _, scheme := range []string{"http", "https"} {
		if status, text := answerOf(t, c, scheme+"://rebind.example:"+port+"/"); status == 200 || strings.Contains(text, "secret") {
			t.Errorf("%s: %d %s", scheme, status, text)
		}
	}
	if heard.Load() > 0 || len(g.Refused()) != 1 {
		t.Errorf("%d requests, %v", heard.Load(), g.Refused())
	}
}

// Rules about hosts hold for everything that a page loads; what a rule asks about is only
// reached as the page that was asked for.
func TestGatewayPolicy(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "reached") })
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	web := client(t, func(o *Options) {
		o.Resolver = names(t, func(string) []string { return []string{open} })
		o.Host = func(host string, asked bool) error {
			if host == "denied.example" || host == "ask.example" && !asked {
				return fault.New(fault.Denied, fault.T("no"))
			}
			return nil
		}
	})
	for page, want := range map[string]map[string]bool{
		"free.example": {"free.example": true, "denied.example": false, "ask.example": false},
		"ask.example":  {"free.example": true, "denied.example": false, "ask.example": true},
	} {
		c, _ := program(t, web, "http://"+page+"/")
		for host, ok := range want {
			if status, _ := answerOf(t, c, "http://"+host+":"+port+"/"); (status == 200) != ok {
				t.Errorf("%s on the page of %s: %d", host, page, status)
			}
		}
	}
}

// Behind the person's proxy every connection goes through it, with its password.
func TestGatewayBehindProxy(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "far") }))
	t.Cleanup(s.Close)
	p := newProxy(t, s.Listener.Addr().String())
	c, _ := program(t, through(t, p, nil), "https://public.example.org/")
	if status, text := answerOf(t, c, "https://public.example.org/"); status != 200 || text != "far" {
		t.Error(status, text)
	}
	if status, text := answerOf(t, c, "http://public.example.org/x"); status != 200 || text != "by proxy" {
		t.Error(status, text)
	}
	if status, _ := answerOf(t, c, "https://inside.example.org/"); status == 200 {
		t.Error("a private address was reached through the proxy")
	}
	for _, asked := range p.requests() {
		if !strings.HasSuffix(asked, " Basic bWU6c2VzYW1l") {
			t.Errorf("%q", asked)
		}
	}
	p.status.Store(http.StatusForbidden)
	if status, _ := answerOf(t, c, "https://other.public.example.org/"); status == 200 {
		t.Error("the refusal of the proxy is lost")
	}
}

// The end of the gateway ends what goes through it, however long a server would wait.
func TestGatewayEnds(t *testing.T) {
	arrived := make(chan struct{}, 2)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	c, g := program(t, client(t, nil), s.URL)
	tunnel, err := net.Dial("tcp", g.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tunnel.Close() }()
	if _, err := io.WriteString(tunnel, "CONNECT "+s.Listener.Addr().String()+" HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 2)
	go func() { _, err := io.Copy(io.Discard, tunnel); ended <- err }()
	go func() {
		r, err := c.Get(s.URL)
		if err == nil {
			_, err = io.Copy(io.Discard, r.Body)
			_ = r.Body.Close()
		}
		ended <- err
	}()
	<-arrived
	<-arrived
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	<-ended
	<-ended
	if status, _ := answerOf(t, c, s.URL); status != 0 {
		t.Error("the gateway still answers")
	}
}

// What passes is bounded.
func TestGatewayBounds(t *testing.T) {
	g := &Gateway{passed: maxPassed - 4}
	if n, err := (counting{io.Discard, g}).Write([]byte("1234")); n != 4 || err != nil {
		t.Error(n, err)
	}
	if n, err := (counting{io.Discard, g}).Write([]byte("5")); n != 0 || !errors.Is(err, errPassed) {
		t.Error(n, err)
	}
	c, g := program(t, client(t, nil), "http://"+open+"/")
	for range maxTunnels {
		g.slots <- struct{}{}
	}
	if status, _ := answerOf(t, c, "http://"+open+":1/"); status != http.StatusServiceUnavailable {
		t.Error(status)
	}
}

// A gateway answers at a listener of the caller's, and ends it with itself.
func TestGatewayCloses(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "reached") })
	l, err := Loopback()
	if err != nil {
		t.Fatal(err)
	}
	g := client(t, nil).Gateway(At(s.URL), l)
	transport := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: l.Addr().String()})}
	t.Cleanup(transport.CloseIdleConnections)
	if status, text := answerOf(t, &http.Client{Transport: transport}, s.URL); status != 200 || text != "reached" {
		t.Error(status, text)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the listener is open: %v", err)
	}
}
