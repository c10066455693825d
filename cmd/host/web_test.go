package host

import (
	"net/url"
	"testing"
)

func TestProxies(t *testing.T) {
	for _, name := range []string{"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"} {
		t.Setenv(name, "")
	}
	if proxies("") != nil {
		t.Error("without any proxy there is one to choose")
	}
	t.Setenv("ALL_PROXY", "http://all:1")
	t.Setenv("https_proxy", "http://secure:1")
	t.Setenv("NO_PROXY", "near.example")
	for _, c := range []struct{ configured, address, want string }{
		{"", "http://far.example/", "http://all:1"},
		{"", "https://far.example/", "http://secure:1"},
		{"", "https://near.example/", ""},
		{"http://own:1", "https://far.example/", "http://own:1"},
		{"http://own:1", "http://near.example/", ""},
		{"direct", "https://far.example/", ""},
	} {
		choose := proxies(c.configured)
		got := ""
		if choose != nil {
			address, err := url.Parse(c.address)
			if err != nil {
				t.Fatal(err)
			}
			proxy, err := choose(address)
			if err != nil {
				t.Fatal(err)
			}
			if proxy != nil {
				got = proxy.String()
			}
		}
		if got != c.want {
			t.Errorf("configured %q, %s: %q, want %q", c.configured, c.address, got, c.want)
		}
	}
}
