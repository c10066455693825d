package web

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// heard is what servers were sent.
type heard struct {
	mu  sync.Mutex
	all []string // path and key of each request
}

func (h *heard) note(r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, r.URL.Path+" "+r.Header.Get("X-Key"))
}

func (h *heard) take() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	said := strings.Join(h.all, ", ")
	h.all = nil
	return said
}

// keys are the headers of a host.
func keys(host string) func(string) http.Header {
	return func(asked string) http.Header {
		if asked != host {
			return nil
		}
		return http.Header{"X-Key": {"Bearer open-sesame"}}
	}
}

// The person's headers go to their host and to no other, whatever redirects there are.
func TestPersonalHeaders(t *testing.T) {
	var h heard
	var here, there *httptest.Server
	handler := func(w http.ResponseWriter, r *http.Request) {
		h.note(r)
		switch r.URL.Path {
		case "/on":
			http.Redirect(w, r, "/end", http.StatusFound)
		case "/away":
			http.Redirect(w, r, there.URL+"/end", http.StatusFound)
		case "/back":
			http.Redirect(w, r, there.URL+"/home", http.StatusFound)
		case "/home":
			http.Redirect(w, r, here.URL+"/end", http.StatusFound)
		case "/name":
			http.Redirect(w, r, strings.Replace(here.URL, open, "other.example.org", 1)+"/end", http.StatusFound)
		}
	}
	here, there = serve(t, handler), serve(t, handler)
	c := client(t, func(o *Options) {
		o.Headers = keys(open)
		o.Resolver = names(t, func(string) []string { return []string{open} })
	})
	const key = " Bearer open-sesame"
	for _, tt := range []struct{ url, want, warns string }{
		{here.URL + "/end", "/end" + key, ""},
		{here.URL + "/on", "/on" + key + ", /end" + key, ""},
		{here.URL + "/away", "/away" + key + ", /end ", "were not sent there"},
		{here.URL + "/back", "/back" + key + ", /home , /end ", "were not sent there"},
		{here.URL + "/name", "/name" + key + ", /end ", "were not sent there"},
		{strings.Replace(here.URL, open, "other.example.org", 1) + "/end", "/end ", ""},
		{strings.Replace(here.URL, open, "other.example.org", 1) + "/home", "/home , /end ", ""},
	} {
		r := get(t, c, Request{URL: At(tt.url)})
		if got := h.take(); got != tt.want || !strings.Contains(r.all(), tt.warns) || tt.warns == "" && len(r.Warnings) > 0 || strings.Contains(r.all(), "sesame") {
			t.Errorf("%s: %q, want %q; %s", tt.url, got, tt.want, r.all())
		}
	}
	// Requests with credentials of their own, and those of the person's services, carry none.
	for name, q := range map[string]Request{"a key": {Secret: map[string]string{"X-Other": "y"}}, "a body": {Body: []byte("x")}, "a service": {Base: true}} {
		q.URL = At(here.URL + "/end")
		get(t, c, q)
		if got := h.take(); got != "/end " {
			t.Errorf("%s: %q", name, got)
		}
	}
	// Neither does what a proxy could read.
	p, err := url.Parse(there.URL)
	if err != nil {
		t.Fatal(err)
	}
	c = client(t, func(o *Options) {
		o.Headers, o.AllowPrivate = keys(open), true
		o.Proxy = func(*url.URL) (*url.URL, error) { return p, nil }
	})
	get(t, c, Request{URL: At(here.URL + "/end")})
	if got := h.take(); got != "/end " {
		t.Errorf("through a proxy: %q", got)
	}
}

// Beyond this machine they are sent over TLS only.
func TestPersonalHeadersInTheClear(t *testing.T) {
	var h heard
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.note(r)
		_, _ = w.Write([]byte("ok"))
	})
	plain := serve(t, handler.ServeHTTP)
	secure := httptest.NewUnstartedServer(handler)
	_ = secure.Listener.Close()
	secure.Listener, secure.Config.ErrorLog, secure.TLS = listen(t, open), quiet(), &tls.Config{MinVersion: tls.VersionTLS12}
	secure.StartTLS()
	t.Cleanup(secure.Close)
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	c := client(t, func(o *Options) {
		o.Headers, o.Roots = keys("example.com"), roots
		o.Resolver = names(t, func(string) []string { return []string{open} })
	})
	for address, want := range map[string]string{
		strings.Replace(plain.URL, open, "example.com", 1) + "/plain":    "/plain ",
		strings.Replace(secure.URL, open, "example.com", 1) + "/secure":  "/secure Bearer open-sesame",
		strings.Replace(secure.URL, open, "EXAMPLE.com.", 1) + "/secure": "/secure Bearer open-sesame",
	} {
		get(t, c, Request{URL: At(address)})
		if got := h.take(); got != want {
			t.Errorf("%s: %q", address, got)
		}
	}
}

// A response to the person's headers is neither stored nor taken from the cache, and does
// not repeat them.
func TestPersonalHeadersAndCache(t *testing.T) {
	var h heard
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		h.note(r)
		w.Header().Set("Cache-Control", "max-age=1000")
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write([]byte("you sent " + r.Header.Get("X-Key") + ", that is open-sesame"))
	})
	plain, _, _ := caching(t)
	c := client(t, func(o *Options) {
		*o = plain.opt
		o.Headers = keys(open)
	})
	for range 2 {
		r := get(t, c, Request{URL: At(s.URL)})
		if r.Cached || string(r.Body) != "you sent [secret], that is [secret]" {
			t.Errorf("cached %t, %q", r.Cached, r.Body)
		}
	}
	if got := h.take(); strings.Count(got, "sesame") != 2 {
		t.Errorf("%q", got)
	}
	get(t, plain, Request{URL: At(s.URL)})
	if r := get(t, plain, Request{URL: At(s.URL)}); !r.Cached || h.take() != "/ " {
		t.Error("without headers the response is not stored")
	}
	if r := get(t, c, Request{URL: At(s.URL), Reuse: 1 << 40}); r.Cached {
		t.Error("what was stored without headers is used with them")
	}
	gone := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if e := refusal(t, c, Request{URL: At(gone.URL)}, fault.Unavailable); strings.Contains(e.Error(), "sesame") {
		t.Error(e)
	}
}
