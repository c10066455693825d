package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestTransport sends requests of a library: its base may be private, and nothing else.
func TestTransport(t *testing.T) {
	asked := 0
	private := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/", http.StatusFound)
			return
		}
		body, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, r.UserAgent()+" sent "+string(body)+r.Header.Get("Accept-Encoding"))
	}))
	defer private.Close()
	other := httptest.NewServer(http.NotFoundHandler())
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	defer other.Close()
	var hosts []string
	c := client(t, func(o *Options) {
		o.Host = func(host string, _ bool) error {
			if hosts = append(hosts, host); host == "denied.example" {
				return fault.New(fault.Denied, fault.T("no"))
			}
			return nil
		}
	})
	send := func(base, address string) (int, string, error) {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("this"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Transport(base).RoundTrip(q)
		if err != nil {
			return 0, "", err
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		return r.StatusCode, string(text), err
	}
	if status, text, err := send(private.URL+"/mcp", private.URL); status != http.StatusOK || text != c.opt.Agent+" sent this" || err != nil {
		t.Errorf("%d %q %v", status, text, err)
	}
	if status, _, err := send(private.URL, private.URL+"/moved"); status != http.StatusFound || err != nil {
		t.Errorf("redirect: %d %v", status, err)
	}
	if asked != 2 || len(hosts) != 2 {
		t.Errorf("asked %d times; the policy saw %q", asked, hosts)
	}
	for _, refused := range []struct {
		base, address string
		code          fault.Code
	}{
		{private.URL, other.URL, fault.BlockedAddress},
		{"", private.URL, fault.BlockedAddress},
		{strings.Replace(private.URL, "http:", "https:", 1), private.URL, fault.BlockedAddress},
		{"https://denied.example", "https://denied.example/", fault.Denied},
		{gone.URL, gone.URL, fault.Unavailable},
	} {
		if _, _, err := send(refused.base, refused.address); !fault.Is(err, refused.code) {
			t.Errorf("%+v: %v", refused, err)
		}
	}
	if asked != 2 {
		t.Error("a refused request was sent")
	}
}
