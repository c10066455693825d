package host

import (
	"cmp"
	"io"
	"log"
	"net/url"
	"os"
	"strings"
	"sync"

	"golang.org/x/net/http/httpproxy"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/files/document/open"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
	"github.com/helve-dev/helve/pkg/web/provider"
)

// web returns the function that makes the client the settings ask for, once.
func (s *Settings) web(env *tool.Env) func() (*web.Client, error) {
	return sync.OnceValues(func() (*web.Client, error) {
		log.SetOutput(io.Discard) // net/http complains about servers there; what matters is in the result
		return web.New(web.Options{
			AllowPrivate: s.Config.Web.AllowPrivate,
			Allow:        s.Config.Web.Blocks(),
			Proxy:        proxies(s.Config.Web.Proxy),
			Cache: sync.OnceValues(func() (*state.Cache, error) {
				root, err := env.Root()
				if err != nil {
					return nil, err
				}
				dir, err := state.Open(s.host.Dirs.pages(), root.Dir(), state.Options{})
				if err != nil {
					return nil, err
				}
				return dir.Cache("web", web.CacheSize), nil
			}),
			Host: s.Policy.Reach,
			Now:  env.Now,
		}), nil
	})
}

// documents returns the function that opens the cache of the texts of documents.
func (s *Settings) documents(env *tool.Env) func() (*open.Texts, error) {
	return sync.OnceValues(func() (*open.Texts, error) {
		root, err := env.Root()
		if err != nil {
			return nil, err
		}
		dir, err := state.Open(s.host.Dirs.texts(), root.Dir(), state.Options{})
		if err != nil {
			return nil, err
		}
		return &open.Texts{Cache: dir.Cache("documents", open.TextsSize), Version: s.host.Version}, nil
	})
}

// searching returns the function that makes, once, the client of the search engines
// that the settings and the environment configure.
func (s *Settings) searching(env *tool.Env) func() (*provider.Engine, error) {
	return sync.OnceValues(func() (*provider.Engine, error) {
		all, err := config.Load(s.host.sources(env)) // with the variables that Settings leaves out
		if err != nil {
			return nil, err
		}
		search := all.Config.Web.Search
		return provider.New(provider.Options{
			Client: func() (*web.Client, error) { return tool.Service[*web.Client](env) }, Now: env.Now, Provider: search.Provider,
			Account: func(name string) provider.Account {
				c := search.Service(name)
				return provider.Account{Key: c.Key, URL: c.URL, Engine: c.Engine}
			},
		}), nil
	})
}

// proxies returns the function that chooses the proxy for an address: the configured
// one for all addresses, or what the environment says. It is nil without any proxy.
func proxies(configured string) func(*url.URL) (*url.URL, error) {
	all := cmp.Or(os.Getenv("all_proxy"), os.Getenv("ALL_PROXY"))
	c := httpproxy.Config{
		HTTPProxy:  cmp.Or(os.Getenv("http_proxy"), os.Getenv("HTTP_PROXY"), all),
		HTTPSProxy: cmp.Or(os.Getenv("https_proxy"), os.Getenv("HTTPS_PROXY"), all),
		NoProxy:    cmp.Or(os.Getenv("no_proxy"), os.Getenv("NO_PROXY")),
	}
	switch configured {
	case "":
	case "direct":
		return nil
	default:
		c.HTTPProxy, c.HTTPSProxy = configured, configured
	}
	if c.HTTPProxy == "" && c.HTTPSProxy == "" {
		return nil
	}
	return c.ProxyFunc()
}

// aboutSearch reports whether a setting is about search engines.
func aboutSearch(v config.Value) bool { return strings.HasPrefix(v.Key, "web.search.") }

// searchVariables returns the settings of search engines in the environment: keys,
// under the names that their vendors use, and addresses.
func searchVariables() []config.Value {
	var values []config.Value
	for _, v := range [...]struct{ key, name string }{
		{"brave.key", "BRAVE_API_KEY"},
		{"tavily.key", "TAVILY_API_KEY"},
		{"exa.key", "EXA_API_KEY"},
		{"serper.key", "SERPER_API_KEY"},
		{"google.key", "GOOGLE_CSE_KEY"},
		{"google.engine", "GOOGLE_CSE_ID"},
		{"searxng.url", "SEARXNG_URL"},
		{"provider", "HELVE_SEARCH_PROVIDER"},
		{"brave.url", "HELVE_SEARCH_BRAVE_URL"},
		{"duckduckgo.url", "HELVE_SEARCH_DUCKDUCKGO_URL"},
		{"tavily.url", "HELVE_SEARCH_TAVILY_URL"},
		{"exa.url", "HELVE_SEARCH_EXA_URL"},
		{"serper.url", "HELVE_SEARCH_SERPER_URL"},
		{"google.url", "HELVE_SEARCH_GOOGLE_URL"},
	} {
		if text := os.Getenv(v.name); text != "" {
			values = append(values, config.Value{Source: config.Environment, Name: v.name, Key: "web.search." + v.key, Text: text})
		}
	}
	return values
}
