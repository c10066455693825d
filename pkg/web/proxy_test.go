package web

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// proxy connects every request to one server and records the requests. It listens
// on an address that is closed to pages.
type proxy struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []string // METHOD target authorization
	to     string
	status atomic.Int32 // of refusals; 0 serves
}

func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	p := &proxy{to: to}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked = append(p.asked, strings.TrimSpace(r.Method+" "+r.RequestURI+" "+r.Header.Get("Proxy-Authorization")))
		p.mu.Unlock()
		if status := p.status.Load(); status != 0 {
			w.WriteHeader(int(status))
			return
		}
		server, err := net.Dial("tcp", p.to)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = server.Close() }()
		if r.Method != http.MethodConnect {
			r.Header.Del("Proxy-Authorization")
			if err := r.Write(server); err != nil {
				t.Error(err)
			}
			w.Header().Set("X-Via", "proxy")
			_, _ = io.WriteString(w, "by proxy")
			return
		}
		w.WriteHeader(http.StatusOK)
		conn, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = conn.Close() }()
		var copying sync.WaitGroup
		copying.Go(func() { _, _ = io.Copy(server, buffered); _ = server.Close() })
		_, _ = io.Copy(conn, server)
		_ = conn.Close()
		copying.Wait()
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *proxy) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := p.asked
	p.asked = nil
	return asked
}

// through returns a client behind a proxy, with a user name and a password.
func through(t *testing.T, p *proxy, change func(*Options)) *Client {
	t.Helper()
	at, err := url.Parse(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	at.User = url.UserPassword("me", "sesame")
	return client(t, func(o *Options) {
		o.Allow = nil
		o.Proxy = func(*url.URL) (*url.URL, error) { return at, nil }
		o.Resolver = names(t, func(name string) []string {
			switch name {
			case "inside.example.org":
				return []string{"10.0.0.1"}
			case "public.example.org":
				return []string{"93.184.215.14"}
			}
			return nil
		})
		if change != nil {
			change(o)
		}
	})
}

func TestProxy(t *testing.T) {
	var got []*http.Request
	root := authority(t, "helve test", time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	pool := x509.NewCertPool()
	pool.AddCert(root.Leaf)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r)
		_, _ = io.WriteString(w, "by tunnel")
	}))
	s.Config.ErrorLog = quiet()
	s.TLS = &tls.Config{Certificates: []tls.Certificate{root.sign(t, time.Now().Add(-time.Hour), time.Now().Add(time.Hour))}}
	s.StartTLS()
	defer s.Close()
	p := newProxy(t, s.Listener.Addr().String())
	c := through(t, p, func(o *Options) { o.Roots = pool })
	word := "Basic " + base64.StdEncoding.EncodeToString([]byte("me:sesame"))

	// Encrypted pages go through a tunnel, and only the proxy sees its password. The
	// certificate is that of the page. The proxy may know names that this machine
	// does not.
	r := get(t, c, Request{URL: At("https://good.example.org/page")})
	if string(r.Body) != "by tunnel" || !r.Proxied || len(got) != 1 || got[0].Header.Get("Proxy-Authorization") != "" {
		t.Errorf("%+v", r)
	}
	if asked := p.requests(); len(asked) != 1 || asked[0] != "CONNECT good.example.org:443 "+word {
		t.Errorf("%q", asked)
	}
	if e := refusal(t, c, Request{URL: At("https://other.example.org/page")}, fault.Unavailable); !strings.Contains(e.Error(), "for another host") {
		t.Error(e)
	}

	// Plain requests have the whole address.
	p.to = serveQuietly(t)
	r = get(t, c, Request{URL: At("http://public.example.org/page?q")})
	if string(r.Body) != "by proxy" || r.Header.Get("X-Via") != "proxy" {
		t.Errorf("%+v", r)
	}
	if asked := p.requests(); len(asked) != 2 || asked[1] != "GET http://public.example.org/page?q "+word {
		t.Errorf("%q", asked)
	}

	// Private addresses are refused before the proxy is asked.
	for _, tt := range hostile {
		u := strings.ReplaceAll(tt.url, "PORT", "80")
		refused(t, c, Request{URL: At(u)}, tt.want)
		refused(t, c, Request{URL: At(strings.Replace(u, "http:", "https:", 1))}, tt.want)
	}
	refused(t, c, Request{URL: At("http://inside.example.org/")}, fault.BlockedAddress)
	refused(t, c, Request{URL: At("https://inside.example.org/")}, fault.BlockedAddress)
	if asked := p.requests(); len(asked) != 0 {
		t.Errorf("%q", asked)
	}
}

// serveQuietly starts a server that accepts anything, and returns its address.
func serveQuietly(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// A refusal of the proxy is not taken for one of the page, and the fault does not
// contain the password.
func TestProxyRefuses(t *testing.T) {
	p := newProxy(t, serveQuietly(t))
	c := through(t, p, nil)
	for _, tt := range []struct {
		status int32
		url    string
		want   fault.Code
		says   string
	}{
		{407, "https://public.example.org/", fault.NotConfigured, "requires a user name and a password"},
		{407, "http://public.example.org/", fault.NotConfigured, "requires a user name and a password"},
		{403, "https://public.example.org/", fault.Unavailable, "refuses to connect to this host (HTTP 403)"},
		{502, "https://public.example.org/", fault.Unavailable, "refuses to connect to this host (HTTP 502)"},
	} {
		p.status.Store(tt.status)
		e := refusal(t, c, Request{URL: At(tt.url)}, tt.want)
		if !strings.Contains(e.Error(), tt.says) || strings.Contains(e.Error()+e.Hint.String(), "sesame") {
			t.Errorf("%d: %v", tt.status, e)
		}
	}
	p.Close()
	for _, scheme := range []string{"http", "https"} {
		e := refusal(t, c, Request{URL: At(scheme + "://public.example.org/")}, fault.Unavailable)
		if !strings.Contains(e.Error(), "the proxy 127.0.0.1:") || !strings.Contains(e.Error(), "refuses connections") || strings.Contains(e.Error(), "sesame") {
			t.Error(e)
		}
	}
	broken := client(t, func(o *Options) {
		o.Proxy = func(*url.URL) (*url.URL, error) { return nil, io.ErrUnexpectedEOF }
	})
	refused(t, broken, Request{URL: At("http://public.example.org/")}, fault.NotConfigured)
}
