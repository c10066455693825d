package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestRedirectsEnd(t *testing.T) {
	var asked atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch r.URL.Path {
		case "/self":
			http.Redirect(w, r, "/self", http.StatusFound)
		case "/ping":
			http.Redirect(w, r, "/pong", http.StatusMovedPermanently)
		case "/pong":
			http.Redirect(w, r, "/ping", http.StatusPermanentRedirect)
		case "/grow":
			http.Redirect(w, r, "/grow?"+r.URL.RawQuery+"x", http.StatusSeeOther)
		case "/5", "/4", "/3", "/2", "/1":
			http.Redirect(w, r, "/"+string(r.URL.Path[1]-1), http.StatusTemporaryRedirect)
		case "/6":
			http.Redirect(w, r, "/5", http.StatusFound)
		default:
			_, _ = w.Write([]byte("there"))
		}
	})
	c := client(t, nil)
	for _, path := range []string{"/self", "/ping", "/pong", "/grow", "/6"} {
		asked.Store(0)
		refused(t, c, Request{URL: At(s.URL + path)}, fault.TooManyRedirects)
		if asked.Load() != 6 {
			t.Errorf("%s: %d requests", path, asked.Load())
		}
	}
	r := get(t, c, Request{URL: At(s.URL + "/5#part")})
	if string(r.Body) != "there" || r.FinalURL.String() != s.URL+"/0#part" || len(r.Redirects) != 5 || r.Redirects[0] != s.URL+"/5#part" || r.URL.String() != s.URL+"/5#part" {
		t.Errorf("%+v", r)
	}
	if r := get(t, c, Request{URL: At(s.URL + "/5"), Secret: map[string]string{"X-Key": "sesame"}}); r.Status != http.StatusTemporaryRedirect || !fault.Is(r.Err(), fault.HTTPStatus) {
		t.Errorf("%+v", r)
	}
}

// A configured service may be private; what it redirects to may not.
func TestBaseLeadsOn(t *testing.T) {
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("secret")) }))
	t.Cleanup(inside.Close)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			http.Redirect(w, r, "/there", http.StatusFound)
		case "/away":
			http.Redirect(w, r, inside.URL, http.StatusFound)
		default:
			_, _ = w.Write([]byte("found"))
		}
	}))
	t.Cleanup(service.Close)
	c := New(Options{})
	if r := get(t, c, Request{URL: At(service.URL), Base: true}); string(r.Body) != "found" {
		t.Errorf("%q", r.Body)
	}
	refused(t, c, Request{URL: At(service.URL + "/away"), Base: true}, fault.BlockedAddress)
}

// A redirect without an address is not followed.
func TestRedirectWithoutAddress(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusFound) })
	e := fault.As(get(t, client(t, nil), Request{URL: At(s.URL)}).Err())
	if e.Code != fault.HTTPStatus || !strings.Contains(e.Hint.In(fault.English), "no address") {
		t.Errorf("%v, %v", e, e.Hint.In(fault.English))
	}
}
