package fetch

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
)

// newSites serves all names over TLS from this machine: a proxy leads each to one server.
func newSites(t *testing.T, handler http.HandlerFunc, names ...string) *world {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: names, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	sites := httptest.NewUnstartedServer(handler)
	sites.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	sites.StartTLS()
	t.Cleanup(sites.Close)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		server, err := net.Dial("tcp", sites.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		w.WriteHeader(http.StatusOK)
		conn, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		var copying sync.WaitGroup
		copying.Go(func() { _, _ = io.Copy(server, buffered); _ = server.Close() })
		_, _ = io.Copy(conn, server)
		_ = conn.Close()
		copying.Wait()
	}))
	t.Cleanup(proxy.Close)
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(certificate)
	w := newWorld(t, handler)
	client := web.New(web.Options{AllowPrivate: true, Roots: roots, Proxy: func(*url.URL) (*url.URL, error) { return at, nil }})
	tool.Provide(w.env, func() (*web.Client, error) { return client, nil })
	return w
}

// An issue is read with its comments where GitHub gives it as data, and as a page where it
// refuses that.
func TestPlainForm(t *testing.T) {
	refused := false
	var mu sync.Mutex
	var asked []string
	w := newSites(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.Host+r.URL.Path)
		mu.Unlock()
		switch {
		case r.Host == "github.com":
			send(200, "text/html", article)(w, r)
		case refused:
			send(403, "application/json", `{"message":"API rate limit exceeded"}`)(w, r)
		case strings.HasSuffix(r.URL.Path, "/comments"):
			send(200, "application/json", `[{"user":{"login":"bob"},"created_at":"2024-02-02T10:00:00Z","body":"Try **boiling** it."}]`)(w, r)
		default:
			send(200, "application/json", `{"title":"Kettle leaks","state":"open","comments":1,"user":{"login":"ann"},"created_at":"2024-02-01T10:00:00Z","body":"It drips."}`)(w, r)
		}
	}, "github.com", "api.github.com")
	issue := func(a *Args) { a.URL = "https://github.com/o/kettle/issues/7" }
	r, err := w.fetch(issue)
	if err != nil || r.Title != "Kettle leaks" || r.Byline != "ann" || r.Extractor != "form" || len(w.warnings) != 1 || !strings.Contains(w.warnings[0], "https://api.github.com/repos/o/kettle/issues/7;") {
		t.Fatalf("%+v, %v, %q", r, err, w.warnings)
	}
	const want = "# Kettle leaks\n\nann · 2024-02-01T10:00:00Z · open\n\n## 1. ann · 2024-02-01T10:00:00Z\n\nIt drips.\n\n## 2. bob · 2024-02-02T10:00:00Z\n\nTry **boiling** it.\n"
	if r.Content != want || !slices.Equal(asked, []string{"api.github.com/repos/o/kettle/issues/7", "api.github.com/repos/o/kettle/issues/7/comments"}) {
		t.Errorf("%q from %q", r.Content, asked)
	}
	if r, err := w.fetch(func(a *Args) { issue(a); a.Find = "boiling" }); err != nil || len(r.Passages) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	refused, asked = true, nil
	if r, err := w.fetch(issue); err != nil || r.Title != "Kettles | Notes" || len(asked) != 2 || len(w.warnings) != 0 {
		t.Errorf("%+v, %v, %q", r, err, asked)
	}
	for name, change := range map[string]func(*Args){
		"main":   func(a *Args) { a.Main = false },
		"format": func(a *Args) { a.Format = "html" },
		"raw":    func(a *Args) { a.Format = "raw" },
	} {
		asked = nil
		if _, err := w.fetch(func(a *Args) { issue(a); change(a) }); err != nil || !slices.Equal(asked, []string{"github.com/o/kettle/issues/7"}) {
			t.Errorf("%s: %q, %v", name, asked, err)
		}
	}
}

// A form that is a page of its own is read as one, and its host is asked about.
func TestPlainPage(t *testing.T) {
	w := newSites(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".patch") {
			send(200, "text/plain", "From 0123 Mon Sep 17\nSubject: [PATCH] close the lid\n")(w, r)
			return
		}
		send(200, "text/html", article)(w, r)
	}, "github.com")
	r, err := w.fetch(func(a *Args) { a.URL = "https://github.com/o/kettle/commit/0123abcd" })
	if err != nil || !strings.Contains(r.Content, "close the lid") || r.FinalURL != "https://github.com/o/kettle/commit/0123abcd.patch" {
		t.Errorf("%+v, %v", r, err)
	}
	args := Args{URL: "https://stackoverflow.com/questions/1/x", URLs: []string{"https://go.dev"}, Main: true, Format: "markdown"}
	if got := hosts(args); !slices.Equal(got, []string{"stackoverflow.com", "api.stackexchange.com", "api.stackexchange.com", "go.dev"}) {
		t.Errorf("%q", got)
	}
	args.Main = false
	if got := hosts(args); !slices.Equal(got, []string{"stackoverflow.com", "go.dev"}) {
		t.Errorf("%q", got)
	}
}
