package host

import (
	"cmp"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"

	"golang.org/x/net/http/httpproxy"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/document/open"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
	"github.com/helve-dev/helve/pkg/web/browser"
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
			Host:    s.Policy.Reach,
			Headers: headersOf(s.Config.Web),
			Servers: job.Servers{Open: env.State, Session: env.Session},
			Now:     env.Now,
		}), nil
	})
}

// browser returns the function that returns the browser that the settings allow. It starts
// with the first page.
func (s *Settings) browser(env *tool.Env) func() (*browser.Browser, error) {
	return func() (*browser.Browser, error) {
		root, err := env.Root()
		if err != nil {
			return nil, err
		}
		key, err := json.Marshal([]any{root.Dir(), s.Config.Web, s.Config.Rules})
		if err != nil {
			return nil, fault.As(err)
		}
		client, err := tool.Service[*web.Client](env)
		if err != nil {
			return nil, err
		}
		h := s.host
		return h.browsers.For(string(key), func() browser.Options {
			return browser.Options{
				Program: s.Config.Web.Browser, Client: client, Environ: os.Environ(), Now: env.Now,
				Hidden: append(h.reserved(), h.Dirs.pages(), h.Dirs.texts()),
				State:  func() (*state.Dir, error) { return state.Open(h.Dirs.profiles(), root.Dir(), state.Options{}) },
				Support: sync.OnceValue(func() sandbox.Support {
					dir, err := env.State()
					if err != nil {
						return native.Probe(sandbox.Cache{})
					}
					return native.Probe(sandbox.Cache{
						Load:  func() ([]byte, error) { return dir.ReadFile("sandbox") },
						Store: func(data []byte) error { return dir.WriteFile("sandbox", data) },
					})
				}),
			}
		}), nil
	}
}

// headersOf returns the headers that the person has set for a host; nil without any.
func headersOf(w config.Web) func(string) http.Header {
	if len(w.Headers) == 0 {
		return nil
	}
	return func(host string) http.Header {
		h := http.Header{}
		for name, value := range w.Header(host) {
			h.Set(name, value)
		}
		return h
	}
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
		return &open.Texts{Cache: dir.Cache("documents", open.TextsSize), Version: s.host.Release()}, nil
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
