package host

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/mcp/client/login"
	"github.com/helve-dev/helve/pkg/mcp/imported"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/confine"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/web"
)

// pools are the connections to other servers that a run has made. What a server may do
// follows from the settings when it starts: other settings start another one.
type pools struct {
	mu     sync.Mutex
	opened []openedPool
	done   []func() // what is removed once all have ended
}

// openedPool is a pool and the settings that it was made by, as JSON.
type openedPool struct {
	pool     *client.Pool
	settings string
}

// Servers lists the servers whose tools the person took in.
func (h *Host) Servers() []upstream.Found {
	return upstream.Find(h.Dirs.UserServers(), h.seen.note)
}

// servers adds the tools of other servers to those of manifests.
func (s *Settings) servers() []tools.Custom {
	var all []tools.Custom
	for _, f := range s.host.Servers() {
		if f.Err != nil {
			all = append(all, tools.Custom{Name: f.Name, Why: fault.T("what was imported of the server cannot be used: %s", fault.As(f.Err).Message)})
			continue
		}
		for i := range f.Server.Tools {
			t := &f.Server.Tools[i]
			all = append(all, tools.Custom{Name: t.As, Tool: imported.New(f.Server, t), Server: f.Name, Deferred: s.Config.Tools.Imported != "offered"})
		}
	}
	return all
}

// calling returns the function that opens what calls tools of other servers.
func (s *Settings) calling(env *tool.Env) func() (imported.Caller, error) {
	return func() (imported.Caller, error) {
		pool, err := s.pool(env)
		return masking{pool}, err
	}
}

// pool returns the connections that the settings lead to, for an environment.
func (s *Settings) pool(env *tool.Env) (*client.Pool, error) {
	root, err := env.Root()
	if err != nil {
		return nil, err
	}
	key, err := json.Marshal([]any{root.Dir(), env.ReadOnly, s.Config.Exec, s.Config.Web, s.Config.Rules})
	if err != nil {
		return nil, fault.As(err)
	}
	p := s.host.pools
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.opened {
		if one.settings == string(key) {
			return one.pool, nil
		}
	}
	pool := client.New(client.Options{
		Version: s.host.Release(),
		Command: func(ctx context.Context, server *upstream.Server) (run.Command, error) {
			return s.command(ctx, env, server)
		},
		Transport: func(_ context.Context, server *upstream.Server) (http.RoundTripper, error) {
			return s.transport(env, server)
		},
		Authorization: func(_ context.Context, server *upstream.Server) (auth.OAuthHandler, error) {
			return s.authorization(env, server, nil)
		},
	})
	p.opened = append(p.opened, openedPool{pool, string(key)})
	return pool, nil
}

// close ends the servers.
func (p *pools) close() {
	p.mu.Lock()
	opened := p.opened
	p.opened = nil
	p.mu.Unlock()
	for _, one := range opened { // one that still starts a server calls atEnd
		one.pool.Close()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, done := range p.done {
		done()
	}
	p.done = nil
}

// command returns the command that starts a server. It is confined like the program of a
// custom tool that may change the workspace, or may only read where nothing else is
// allowed; the network is open.
func (s *Settings) command(_ context.Context, env *tool.Env, server *upstream.Server) (c run.Command, err error) {
	call := tool.NewCall(env, &tool.Tool{Name: server.Name, Risk: policy.Destructive}, nil)
	if env.Hides != nil {
		call.Hidden = env.Hides(call.Project(), call.Tool)
	}
	place, err := confine.Find(call)
	if err != nil {
		return c, err
	}
	vars := run.Environment{
		Parent: place.Machine.Environ, Pass: server.Pass, Set: env.Variables(), Workspace: place.Root.Dir(), Dir: place.Root.Dir(), ReadOnly: env.ReadOnly,
	}
	c = run.Command{Argv: server.Command, Dir: place.Root.Dir()}
	if server.Unconfined {
		c.Env, _ = vars.Build()
		return c, nil
	}
	temp, done, err := place.Temporary()
	if err != nil {
		return c, err
	}
	s.host.pools.atEnd(done)
	risk := policy.Write
	if env.ReadOnly {
		risk = policy.Read
	}
	vars.Set, vars.Temp, vars.Sandboxed = slices.Concat(place.Caches(), vars.Set), place.TempInside(temp), place.Kind.Confines()
	c.Env, _ = vars.Build()
	profile, err := place.Profile(call, confine.Grant{Risk: risk, Network: sandbox.Full, Temp: temp, Caches: true})
	if err != nil {
		return c, err
	}
	c.Sandbox, err = native.New(profile, place.Support, place.Kind)
	return c, err
}

// atEnd has something done once all servers have ended. The caller may be one that starts
// a server while others end.
func (p *pools) atEnd(done func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = append(p.done, done)
}

// transport returns what carries requests to a server: under the rules about hosts, with
// the headers of its record. They go to the server alone.
func (s *Settings) transport(env *tool.Env, server *upstream.Server) (http.RoundTripper, error) {
	w, err := tool.Service[*web.Client](env)
	if err != nil {
		return nil, err
	}
	at, err := url.Parse(server.URL)
	if err != nil {
		return nil, fault.New(fault.BadDocument, fault.T("the address of the server %s cannot be read", server.Name)).
			WithHint(fault.T("import it again")).Because(err)
	}
	t := &headed{to: w.Transport(server.URL), server: at, headers: http.Header{}}
	for _, header := range server.Headers {
		name, variable, _ := upstream.SplitHeader(header)
		value, ok := os.LookupEnv(variable)
		if !ok || value == "" {
			return nil, fault.New(fault.NotConfigured, fault.T("the server %s wants the header %s, and the variable %s is not set", server.Name, name, variable)).
				WithHint(fault.T("the person must set %s to the value of the header", variable))
		}
		t.headers.Add(name, strings.TrimSpace(value))
	}
	return t, nil
}

// authorization returns what has the tokens for a server. show has the person open an
// address; nil where no person is there.
func (s *Settings) authorization(env *tool.Env, server *upstream.Server, show func(address string) error) (*login.Handler, error) {
	w, err := tool.Service[*web.Client](env)
	if err != nil {
		return nil, err
	}
	o := login.Options{Name: server.Name, URL: server.URL, State: s.host.tokens, HTTP: w.HTTP(server.URL), Show: show, ClientID: server.ClientID}
	if server.ClientSecret != "" && show != nil { // what was granted is kept with it
		if o.ClientSecret = strings.TrimSpace(os.Getenv(server.ClientSecret)); o.ClientSecret == "" {
			return nil, fault.New(fault.NotConfigured, fault.T("the login to %s wants the secret of the client, and the variable %s is not set", server.Name, server.ClientSecret)).
				WithHint(fault.T("the person must set %s to the secret", server.ClientSecret))
		}
	}
	return login.New(o), nil
}

// tokens opens the directory with the tokens of servers: they are the person's, in every
// workspace.
func (h *Host) tokens() (*state.Dir, error) {
	if err := os.MkdirAll(h.Dirs.UserServers(), 0o700); err != nil { // it is named by a directory that is there
		return nil, fault.System(err, h.Dirs.UserServers())
	}
	return state.Open(h.Dirs.State, h.Dirs.UserServers(), state.Options{})
}

// Login has the person log in to a server, by the address that show gets, and asks it for
// its tools.
func (h *Host) Login(ctx context.Context, server *upstream.Server, show func(address string) error) (*client.Offer, error) {
	env, s, err := h.Governed()
	if err != nil {
		return nil, err
	}
	pool := client.New(client.Options{
		Version:   s.host.Release(),
		Transport: func(context.Context, *upstream.Server) (http.RoundTripper, error) { return s.transport(env, server) },
		Authorization: func(context.Context, *upstream.Server) (auth.OAuthHandler, error) {
			return s.authorization(env, server, show)
		},
	})
	defer pool.Close()
	return pool.Fetch(ctx, server)
}

// headed adds headers to the requests to one server: to its scheme, host and port, as
// they may be secrets.
type headed struct {
	to      http.RoundTripper
	server  *url.URL
	headers http.Header
}

// RoundTrip sends one request.
func (h *headed) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.EqualFold(r.URL.Scheme, h.server.Scheme) && strings.EqualFold(r.URL.Host, h.server.Host) && len(h.headers) > 0 {
		r = r.Clone(r.Context())
		maps.Copy(r.Header, h.headers)
	}
	return h.to.RoundTrip(r)
}

// Fetch asks a server what tools it has: it is started, or reached, and ended at the end of
// the run.
func (h *Host) Fetch(ctx context.Context, server *upstream.Server) (*client.Offer, error) {
	env, s, err := h.Governed()
	if err != nil {
		return nil, err
	}
	pool, err := s.pool(env)
	if err != nil {
		return nil, err
	}
	return pool.Fetch(ctx, server)
}

// offers reports whether a call of a tool can succeed.
func offers(env *tool.Env, t *tool.Tool) bool { return guard.Withheld(env, t) == nil }
