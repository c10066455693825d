package host

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/config"
)

// Proxies are listed without their passwords, also those whose address is none.
func TestListedProxies(t *testing.T) {
	for _, name := range []string{"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"} {
		t.Setenv(name, "")
	}
	t.Setenv("https_proxy", "https://ann:secret@proxy.example.org:3128/x")
	t.Setenv("ALL_PROXY", "proxy.example.org:1080")
	t.Setenv("HTTP_PROXY", "http://ann:sec ret@[")
	for setting, want := range map[string][]Proxy{
		"":                       {{Name: "HTTP_PROXY", Wrong: true}, {Name: "https_proxy", Address: "https://proxy.example.org:3128"}, {Name: "ALL_PROXY", Address: "http://proxy.example.org:1080"}},
		"direct":                 nil,
		"socks5://ann:s@other:1": {{Name: "web.proxy", Address: "socks5://other:1"}},
	} {
		if diff := cmp.Diff(want, (&Host{}).Proxies(&config.Web{Proxy: setting})); diff != "" {
			t.Errorf("%q: %s", setting, diff)
		}
	}
}

// Keys are listed by name and source, and the variables that are named and not set.
func TestKeys(t *testing.T) {
	h := New(Options{})
	h.Dirs.UserConfig = t.TempDir() + "/config.json"
	t.Setenv("OPENAI_API_KEY", "a value")
	t.Setenv("ANTHROPIC_API_KEY", "")
	t.Setenv("OTHER_KEY", "")
	s, err := config.Load(config.Options{Values: []config.Value{
		{Source: config.Environment, Name: "BRAVE_API_KEY", Key: "web.search.brave.key", Text: "a value"}, {Source: config.Flag, Name: "x", Key: "spawn.key_env", Text: "OTHER_KEY"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Key{{"web.search.brave.key", "BRAVE_API_KEY"}, {"OPENAI_API_KEY", "environment"}, {"OTHER_KEY", ""}}
	if diff := cmp.Diff(want, h.Keys(s)); diff != "" {
		t.Error(diff)
	}
}
