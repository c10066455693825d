package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// confidential starts a server that must not receive any request. It listens where a
// request that passes the guard arrives.
func confidential(t *testing.T) (port string, heard *atomic.Int32) {
	t.Helper()
	heard = new(atomic.Int32)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		heard.Add(1)
		_, _ = w.Write([]byte("secret"))
	}))
	_ = s.Listener.Close()
	s.Listener = listen(t, "127.0.0.1")
	s.Start()
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(s.Listener.Addr().String())
	return port, heard
}

// hostile lists addresses that must be refused. PORT is that of a server on
// 127.0.0.1.
var hostile = []struct {
	url  string
	want fault.Code
}{
	{"http://127.0.0.1:PORT/", fault.BlockedAddress},
	{"http://127.0.0.1.:PORT/", fault.BlockedAddress},
	{"http://127.0.0.2:PORT/", fault.BlockedAddress},
	{"http://127.1:PORT/", fault.BlockedAddress},
	{"http://127.0.1:PORT/", fault.BlockedAddress},
	{"http://2130706433:PORT/", fault.BlockedAddress},
	{"http://0x7f000001:PORT/", fault.BlockedAddress},
	{"http://0X7F.0.0.1:PORT/", fault.BlockedAddress},
	{"http://0x7f.0x0.0x0.0x1:PORT/", fault.BlockedAddress},
	{"http://0177.0.0.1:PORT/", fault.BlockedAddress},
	{"http://0177.0.0.01:PORT/", fault.BlockedAddress},
	{"http://017700000001:PORT/", fault.BlockedAddress},
	{"http://0000000177.0.0.1:PORT/", fault.BlockedAddress},
	{"http://0x7f.1:PORT/", fault.BlockedAddress},
	{"http://１２７.０.０.１:PORT/", fault.BlockedAddress},
	{"http://127。0。0。1:PORT/", fault.BlockedAddress},
	{"http://①②⑦.0.0.1:PORT/", fault.BlockedAddress},
	{"http://127.0.0.1:PORT/?x=https://example.org/", fault.BlockedAddress},
	{"http://127.0.0.1:PORT#@example.org/", fault.BlockedAddress},
	{"http://0:PORT/", fault.BlockedAddress},
	{"http://0.0.0.0:PORT/", fault.BlockedAddress},
	{"http://0.0.0.1:PORT/", fault.BlockedAddress},
	{"http://localhost:PORT/", fault.BlockedAddress},
	{"http://LOCALHOST:PORT/", fault.BlockedAddress},
	{"http://localhost.:PORT/", fault.BlockedAddress},
	{"http://ｌｏｃａｌｈｏｓｔ:PORT/", fault.BlockedAddress},
	{"http://a.localhost:PORT/", fault.BlockedAddress},
	{"http://localhost.localdomain:PORT/", fault.BlockedAddress},
	{"http://ip6-localhost:PORT/", fault.BlockedAddress},
	{"http://printer.local:PORT/", fault.BlockedAddress},
	{"http://router.home.arpa:PORT/", fault.BlockedAddress},
	{"http://metadata.google.internal/computeMetadata/v1/", fault.BlockedAddress},
	{"http://METADATA.google.internal./", fault.BlockedAddress},
	{"http://169.254.169.254/latest/meta-data/", fault.BlockedAddress},
	{"http://169.254.43518/latest/", fault.BlockedAddress},
	{"http://2852039166/latest/meta-data/", fault.BlockedAddress},
	{"http://0xA9FEA9FE/", fault.BlockedAddress},
	{"http://0251.0376.0251.0376/", fault.BlockedAddress},
	{"http://[::ffff:169.254.169.254]/", fault.BlockedAddress},
	{"http://[fd00:ec2::254]/latest/", fault.BlockedAddress},
	{"http://100.100.100.200/latest/meta-data/", fault.BlockedAddress},
	{"http://168.63.129.16/metadata", fault.BlockedAddress},
	{"http://10.0.0.1/", fault.BlockedAddress},
	{"http://172.16.0.1/", fault.BlockedAddress},
	{"http://192.168.1.1/", fault.BlockedAddress},
	{"http://100.64.0.1/", fault.BlockedAddress},
	{"http://169.254.1.1/", fault.BlockedAddress},
	{"http://198.18.0.1/", fault.BlockedAddress},
	{"http://192.0.2.1/", fault.BlockedAddress},
	{"http://224.0.0.1/", fault.BlockedAddress},
	{"http://240.0.0.1/", fault.BlockedAddress},
	{"http://255.255.255.255/", fault.BlockedAddress},
	{"http://[::]:PORT/", fault.BlockedAddress},
	{"http://[::1]:PORT/", fault.BlockedAddress},
	{"http://[0:0:0:0:0:0:0:1]:PORT/", fault.BlockedAddress},
	{"http://[::127.0.0.1]:PORT/", fault.BlockedAddress},
	{"http://[::ffff:127.0.0.1]:PORT/", fault.BlockedAddress},
	{"http://[::ffff:7f00:1]:PORT/", fault.BlockedAddress},
	{"http://[::ffff:0:127.0.0.1]:PORT/", fault.BlockedAddress},
	{"http://[64:ff9b::127.0.0.1]:PORT/", fault.BlockedAddress},
	{"http://[64:ff9b:1::10.0.0.1]/", fault.BlockedAddress},
	{"http://[2002:7f00:1::]:PORT/", fault.BlockedAddress},
	{"http://[2001:0:1:2:3:4:80ff:fffe]:PORT/", fault.BlockedAddress},
	{"http://[fe80::1]/", fault.BlockedAddress},
	{"http://[fc00::1]/", fault.BlockedAddress},
	{"http://[fec0::1]/", fault.BlockedAddress},
	{"http://[ff02::1]/", fault.BlockedAddress},
	{"http://[2001:db8::1]/", fault.BlockedAddress},
	{"http://[5f00::1]/", fault.BlockedAddress},
	{"file:///etc/passwd", fault.UnsupportedScheme},
	{"FILE:///etc/passwd", fault.UnsupportedScheme},
	{"ftp://127.0.0.1/", fault.UnsupportedScheme},
	{"gopher://127.0.0.1:PORT/_GET", fault.UnsupportedScheme},
	{"dict://127.0.0.1:PORT/", fault.UnsupportedScheme},
	{"ldap://127.0.0.1:PORT/", fault.UnsupportedScheme},
	{"ws://127.0.0.1:PORT/", fault.UnsupportedScheme},
	{"unix:///var/run/docker.sock", fault.UnsupportedScheme},
	{"data:text/html,hello", fault.UnsupportedScheme},
	{"javascript:alert(1)", fault.UnsupportedScheme},
	{"view-source:http://127.0.0.1:PORT/", fault.UnsupportedScheme},
	{"jar:http://127.0.0.1:PORT!/", fault.UnsupportedScheme},
}

// None is fetched directly.
func TestHostileAddresses(t *testing.T) {
	port, heard := confidential(t)
	c := New(Options{})
	if len(hostile) < 60 {
		t.Errorf("only %d addresses", len(hostile))
	}
	for _, tt := range hostile {
		refused(t, c, Request{URL: At(strings.ReplaceAll(tt.url, "PORT", port))}, tt.want)
	}
	if heard.Load() > 0 {
		t.Errorf("%d requests got through", heard.Load())
	}
}

// None is fetched after one or several redirects of any kind from an allowed
// address.
func TestHostileRedirects(t *testing.T) {
	port, heard := confidential(t)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hops := r.PathValue("hops")
		target := r.URL.Query().Get("to")
		if n := len(hops); n > 1 {
			target = "/" + hops[1:] + "?to=" + url.QueryEscape(target)
		}
		w.Header()["Location"] = []string{target}
		w.WriteHeader([]int{301, 302, 303, 307, 308}[int(r.URL.Path[1])%5])
	})
	base := s.URL
	mux := http.NewServeMux()
	mux.Handle("/{hops}", s.Config.Handler)
	s.Config.Handler = mux
	// If some private addresses are allowed, private names are judged by their
	// addresses, which are these.
	resolver := names(t, func(name string) []string {
		if strings.HasPrefix(name, "metadata.") {
			return []string{"169.254.169.254"}
		}
		return []string{"127.0.0.1", "::1"}
	})
	c := client(t, func(o *Options) { o.Resolver = resolver })
	for i, tt := range hostile {
		target := strings.ReplaceAll(tt.url, "PORT", port)
		hops := strings.Repeat(string(rune('a'+i%5)), 1+i%4)
		refused(t, c, Request{URL: At(base + "/" + hops + "?to=" + url.QueryEscape(target))}, tt.want)
	}
	// Relative addresses stay with the host, even if they look absolute, and what is no
	// address of a page is not followed.
	for _, target := range []string{"//127.0.0.1:" + port + "/", `\\127.0.0.1:` + port + `/`, "https:127.0.0.1",
		"http://[::1%25lo]:" + port + "/", "http://[fe80::1%25lo]:" + port + "/", "http://[2606:4700::1%25eth0]/"} {
		_, err := c.Get(t.Context(), Request{URL: At(base + "/a?to=" + url.QueryEscape(target))})
		if err == nil {
			t.Errorf("%s was followed to an answer", target)
		}
	}
	if heard.Load() > 0 {
		t.Errorf("%d requests got through", heard.Load())
	}
}

// A public name that resolves to this machine is refused, whatever else it resolves
// to.
func TestNamesThatLeadInside(t *testing.T) {
	port, heard := confidential(t)
	resolver := names(t, func(name string) []string {
		switch name {
		case "inside.example.org":
			return []string{"127.0.0.1"}
		case "inside6.example.org":
			return []string{"::1"}
		case "mapped.example.org":
			return []string{"::ffff:127.0.0.1"}
		case "both.example.org":
			return []string{"127.0.0.1", "::1", "10.0.0.1", "64:ff9b::7f00:1"}
		case "lan":
			return []string{"192.168.1.1"}
		}
		return nil
	})
	c := New(Options{Resolver: resolver})
	for _, host := range []string{"inside.example.org", "inside6.example.org", "mapped.example.org", "both.example.org", "lan", "INSIDE.example.org."} {
		e := refusal(t, c, Request{URL: At("http://" + host + ":" + port + "/")}, fault.BlockedAddress)
		if b, ok := e.Details.(Blocked); !ok || b.Host != strings.ToLower(strings.TrimSuffix(host, ".")) || b.Address == "" {
			t.Errorf("%s: %+v", host, e.Details)
		}
	}
	refused(t, c, Request{URL: At("http://nowhere.example.org/")}, fault.Unavailable)
	if heard.Load() > 0 {
		t.Errorf("%d requests got through", heard.Load())
	}
}

// A name that resolves to a public address first and to a private one later gains
// nothing: the address that is dialled is checked.
func TestRebinding(t *testing.T) {
	port, heard := confidential(t)
	var lookups atomic.Int32
	resolver := names(t, func(string) []string {
		if lookups.Add(1) <= 2 { // the A and AAAA of the first look-up
			return []string{open}
		}
		return []string{"127.0.0.1"}
	})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		http.Redirect(w, r, "http://moving.example.org:"+port+"/", http.StatusFound)
	})
	_, openPort, _ := net.SplitHostPort(s.Listener.Addr().String())
	c := client(t, func(o *Options) { o.Resolver = resolver })
	refused(t, c, Request{URL: At("http://moving.example.org:" + openPort + "/")}, fault.BlockedAddress)
	if lookups.Load() < 4 {
		t.Errorf("only %d look-ups", lookups.Load())
	}

	// A name that alternates is fetched from its public address only.
	lookups.Store(0)
	resolver = names(t, func(string) []string {
		if lookups.Add(1)%3 == 0 {
			return []string{open}
		}
		return []string{"127.0.0.1"}
	})
	c = client(t, func(o *Options) { o.Resolver = resolver })
	for range 50 {
		_, err := c.Get(t.Context(), Request{URL: At("http://moving.example.org:" + port + "/")})
		if err == nil {
			t.Fatal("it was fetched")
		}
	}
	if heard.Load() > 0 {
		t.Errorf("%d requests got through", heard.Load())
	}
}

// An address that a configured service may reach is closed to pages, even over an
// idle connection of the service.
func TestServicesOfThePerson(t *testing.T) {
	port, heard := confidential(t)
	c := New(Options{Resolver: names(t, func(string) []string { return []string{"127.0.0.1"} })})
	for range 3 {
		if r := get(t, c, Request{URL: At("http://engine.example.org:" + port + "/"), Base: true}); string(r.Body) != "secret" {
			t.Errorf("%q", r.Body)
		}
		refused(t, c, Request{URL: At("http://engine.example.org:" + port + "/")}, fault.BlockedAddress)
	}
	if heard.Load() != 3 {
		t.Errorf("%d requests got through", heard.Load())
	}
}

// Private addresses can be allowed.
func TestAllowPrivate(t *testing.T) {
	port, heard := confidential(t)
	c := New(Options{AllowPrivate: true})
	for _, host := range []string{"127.0.0.1", "localhost", "0x7f.1", "[::ffff:127.0.0.1]"} {
		if r := get(t, c, Request{URL: At("http://" + host + ":" + port + "/")}); string(r.Body) != "secret" {
			t.Errorf("%s: %q", host, r.Body)
		}
	}
	if heard.Load() != 4 {
		t.Errorf("%d requests", heard.Load())
	}
	// The policy about hosts still holds.
	c = New(Options{AllowPrivate: true, Host: func(host string, first bool) error {
		if host == "127.0.0.1" && first {
			return fault.New(fault.Denied, fault.T("no")).WithHint(fault.T("go elsewhere"))
		}
		return nil
	}})
	refused(t, c, Request{URL: At("http://127.0.0.1:" + port + "/")}, fault.Denied)
}

// Credentials in an address are not sent, those of a service do not follow a
// redirect, and cookies do not go to another host.
func TestNothingLeaks(t *testing.T) {
	var seen []*http.Request
	var s *httptest.Server
	s = serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r)
		switch r.URL.Path {
		case "/user":
			http.Redirect(w, r, strings.Replace(s.URL, "http://", "http://me:sesame@", 1)+"/end", http.StatusFound)
		case "/cookie":
			http.SetCookie(w, &http.Cookie{Name: "id", Value: "sesame"})
			http.Redirect(w, r, "/same", http.StatusFound)
		case "/same":
			http.Redirect(w, r, strings.Replace(s.URL, open, "other.example.org", 1)+"/end", http.StatusFound)
		case "/service":
			http.Redirect(w, r, "/end", http.StatusFound)
		}
	})
	c := client(t, func(o *Options) { o.Resolver = names(t, func(string) []string { return []string{open} }) })
	get(t, c, Request{URL: At(s.URL + "/user")})
	get(t, c, Request{URL: At(s.URL + "/cookie")})
	r := get(t, c, Request{URL: At(s.URL + "/service"), Secret: map[string]string{"X-Key": "sesame"}})
	if r.Status != http.StatusFound {
		t.Errorf("a request with a key was redirected: %+v", r)
	}
	for _, r := range seen {
		cookie := r.URL.Path == "/same"
		if got := r.Header.Get("Cookie") != ""; got != cookie {
			t.Errorf("%s: Cookie %q", r.URL, r.Header.Get("Cookie"))
		}
		if r.Header.Get("Authorization") != "" || r.Header.Get("Referer") != "" || r.URL.Path != "/service" && r.Header.Get("X-Key") != "" {
			t.Errorf("%s: %v", r.URL, r.Header)
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d requests", len(seen))
	}
}
