package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// session has a server at port 80 of its loopback, over IPv6 alone: that of an address of
// the tests.
type session struct {
	none  bool // it has no loopback
	at    string
	asked atomic.Int32
}

func (s *session) Any() bool { return !s.none }

func (s *session) Connect(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	s.asked.Add(1)
	if to != netip.MustParseAddrPort("[::1]:80") {
		return nil, syscall.ECONNREFUSED
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", s.at)
}

func (s *session) Listening() fault.Text { return fault.T("job x listens on port 80") }

// outsideAndIn returns a server of the web, called example.org, and a client with a session
// that has another one.
func outsideAndIn(t *testing.T) (c *Client, s *session, outside string) {
	t.Helper()
	public := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/inside" {
			http.Redirect(w, r, "http://localhost/", http.StatusFound)
		}
		_, _ = io.WriteString(w, "outside")
	})
	_, port, err := net.SplitHostPort(public.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	outside = "http://example.org:" + port
	inside := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/outside":
			http.Redirect(w, r, outside, http.StatusFound)
		case "/again":
			http.Redirect(w, r, "http://127.0.0.1:81/", http.StatusFound)
		}
		w.Header().Set("Cache-Control", "max-age=3600")
		_, _ = io.WriteString(w, "inside "+r.Host)
	})
	s = &session{at: inside.Listener.Addr().String()}
	c = client(t, func(o *Options) {
		o.Servers = s
		o.Resolver = names(t, func(string) []string { return []string{open} })
	})
	return c, s, outside
}

// TestSession reaches the servers of the session, as nothing else on a loopback, and keeps
// them and the web apart.
func TestSession(t *testing.T) {
	c, s, outside := outsideAndIn(t)
	for _, address := range []string{"http://localhost/", "localhost", "http://app.localhost/", "http://[::1]/"} {
		if r := get(t, c, Request{URL: At(address)}); !strings.HasPrefix(string(r.Body), "inside ") || r.Cached {
			t.Errorf("%s: %q", address, r.Body)
		}
	}
	if r := get(t, c, Request{URL: At(outside)}); string(r.Body) != "outside" {
		t.Errorf("%q", r.Body)
	}
	for _, address := range []string{"http://127.0.0.1/", "http://localhost:81/", "http://localhost/again"} {
		if e := refusal(t, c, Request{URL: At(address)}, fault.Unavailable); !strings.Contains(e.Hint.In(fault.English), "job x") {
			t.Errorf("%s: %v", address, e.Hint)
		}
	}
	refused(t, c, Request{URL: At("http://localhost/outside")}, fault.BlockedAddress)
	before := s.asked.Load()
	refused(t, c, Request{URL: At(outside + "/inside")}, fault.BlockedAddress)
	for _, address := range []string{"http://10.0.0.1/", "http://169.254.169.254/", "http://0.0.0.0/"} {
		refused(t, c, Request{URL: At(address)}, fault.BlockedAddress)
	}
	if got := s.asked.Load(); got != before {
		t.Errorf("the session was asked %d times from outside", got-before)
	}
	s.none = true
	if e := refusal(t, c, Request{URL: At("http://localhost/")}, fault.BlockedAddress); !strings.Contains(e.Hint.In(fault.English), "background=true") {
		t.Errorf("%v", e.Hint)
	}
}

// TestSessionPage keeps a page of the session with its servers, and one of the web away from
// them, however its program asks.
func TestSessionPage(t *testing.T) {
	c, s, outside := outsideAndIn(t)
	secure := strings.Replace(outside, "http:", "https:", 1)
	for _, is := range []struct {
		page, address string
		want          string // of the body or the error
	}{
		{"http://localhost/", "http://localhost/", "inside localhost"},
		{"http://localhost/", "http://[::1]/x", "inside [::1]"},
		{"http://localhost/", outside, "Forbidden"},
		{"http://localhost/", secure, "Forbidden"},
		{outside, outside, "outside"},
		{outside, "http://localhost/", "Forbidden"},
		{outside, "https://localhost:80/", "Forbidden"},
	} {
		p, _ := program(t, c, is.page)
		if _, got := answerOf(t, p, is.address); !strings.Contains(got, is.want) {
			t.Errorf("%s from %s: %q, want %q", is.address, is.page, got, is.want)
		}
	}
	// A tunnel leads to the session's server, which does not speak TLS here.
	before := s.asked.Load()
	p, _ := program(t, c, "http://localhost/")
	if _, got := answerOf(t, p, "https://localhost:80/"); s.asked.Load() == before || strings.Contains(got, "Forbidden") {
		t.Errorf("%q", got)
	}
}
