package imported

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/mcp/client/login"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/confine"
	"github.com/helve-dev/helve/pkg/web"
)

// Connections are the connections to other servers that a run has made. What a server may
// do follows from the settings when it starts: other settings start another one.
type Connections struct {
	mu     sync.Mutex
	opened []openedPool
	done   []func() // what is removed once all have ended
}

// openedPool is a pool and the settings that it was made by, as JSON.
type openedPool struct {
	pool     *client.Pool
	settings string
}

// World is an environment, with what else servers are started and reached with in it.
type World struct {
	Env      *tool.Env
	Settings any                        // those that decide what a server may do
	Version  string                     // of helve
	Start    time.Duration              // that a server may take to start, unless its record says another
	Variable func(name string) string   // reads a variable of the environment
	Tokens   func() (*state.Dir, error) // opens the directory with the tokens of servers
}

// Caller returns what calls tools of servers.
func (c *Connections) Caller(w World) (Caller, error) {
	_, err := c.pool(w, w.Env.ReadOnly)
	return masking{pools{c, w}, w.Variable}, err
}

// pools calls tools through the connections of a world.
type pools struct {
	connections *Connections
	world       World
}

// Call calls a tool. One that only reads runs in a process of the server that can only
// read, beside that of its other tools: what a server says of itself is no proof.
func (p pools) Call(ctx context.Context, s *upstream.Server, t *upstream.Tool, arguments json.RawMessage, progress client.Progress) (*client.Answer, error) {
	reads := len(s.Command) > 0 && Risk(s, t) == policy.Read
	pool, err := p.connections.pool(p.world, reads || p.world.Env.ReadOnly)
	if err != nil {
		return nil, err
	}
	return pool.Call(ctx, s, t.Name, arguments, progress)
}

// Read reads a resource of a server, in the process of it that can only read.
func (p pools) Read(ctx context.Context, s *upstream.Server, uri string) (*client.Answer, error) {
	pool, err := p.connections.pool(p.world, len(s.Command) > 0 || p.world.Env.ReadOnly)
	if err != nil {
		return nil, err
	}
	return pool.Read(ctx, s, uri)
}

// Fetch asks a server what tools it has: it is started, or reached, and ended by Close.
func (c *Connections) Fetch(ctx context.Context, w World, server *upstream.Server) (*client.Offer, error) {
	pool, err := c.pool(w, w.Env.ReadOnly)
	if err != nil {
		return nil, err
	}
	return pool.Fetch(ctx, server)
}

// pool returns the connections that the settings lead to, to servers that may only read
// or may change the workspace.
func (c *Connections) pool(w World, reads bool) (*client.Pool, error) {
	root, err := w.Env.Root()
	if err != nil {
		return nil, err
	}
	key, err := json.Marshal([]any{root.Dir(), reads, w.Start, w.Settings})
	if err != nil {
		return nil, fault.As(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.opened {
		if one.settings == string(key) {
			return one.pool, nil
		}
	}
	pool := client.New(client.Options{
		Version: w.Version, Start: w.Start,
		Command: func(_ context.Context, server *upstream.Server) (run.Command, error) {
			return c.command(w.Env, server, reads)
		},
		Transport: func(_ context.Context, server *upstream.Server) (http.RoundTripper, error) {
			return w.transport(server)
		},
		Authorization: func(_ context.Context, server *upstream.Server) (auth.OAuthHandler, error) {
			return w.authorization(server, nil)
		},
	})
	c.opened = append(c.opened, openedPool{pool, string(key)})
	return pool, nil
}

// Close ends the servers.
func (c *Connections) Close() {
	c.mu.Lock()
	opened := c.opened
	c.opened = nil
	c.mu.Unlock()
	for _, one := range opened { // one that still starts a server calls atEnd
		one.pool.Close()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, done := range c.done {
		done()
	}
	c.done = nil
}

// command returns the command that starts a server. It is confined like the program of a
// custom tool that may change the workspace, or that only reads; the network is open.
func (c *Connections) command(env *tool.Env, server *upstream.Server, reads bool) (started run.Command, err error) {
	call := tool.NewCall(env, &tool.Tool{Spec: tool.Spec{Name: server.Name, Risk: policy.Destructive}}, nil)
	if env.Hides != nil {
		call.Hidden = env.Hides(call.Project(), call.Tool)
	}
	place, err := confine.Find(call)
	if err != nil {
		return started, err
	}
	vars := run.Environment{
		Parent: place.Machine.Environ, Pass: server.Pass, Set: env.Variables(), Workspace: place.Root.Dir(), Dir: place.Root.Dir(), ReadOnly: reads,
	}
	started = run.Command{Argv: server.Command, Dir: place.Root.Dir(), Budget: place.Budget("")}
	if server.Unconfined {
		started.Env, _ = vars.Build()
		return started, nil
	}
	temp, done, err := place.Temporary()
	if err != nil {
		return started, err
	}
	c.atEnd(done)
	started.Budget = place.Budget(temp)
	risk := policy.Write
	if reads {
		risk = policy.Read
	}
	vars.Set, vars.Temp, vars.Sandboxed = slices.Concat(place.Caches(), vars.Set), place.TempInside(temp), place.Kind.Confines()
	started.Env, _ = vars.Build()
	profile, err := place.Profile(call, confine.Grant{Risk: risk, Network: sandbox.Full, Temp: temp, Caches: true, Named: server.Command})
	if err != nil {
		return started, err
	}
	started.Sandbox, err = native.New(profile, place.Support, place.Kind)
	return started, err
}

// atEnd has something done once all servers have ended. The caller may be one that starts
// a server while others end.
func (c *Connections) atEnd(done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = append(c.done, done)
}

// transport returns what carries requests to a server: under the rules about hosts, with
// the headers of its record. They go to the server alone.
func (w World) transport(server *upstream.Server) (http.RoundTripper, error) {
	reach, err := tool.Service[*web.Client](w.Env)
	if err != nil {
		return nil, err
	}
	at, err := url.Parse(server.URL)
	if err != nil {
		return nil, fault.New(fault.BadDocument, fault.T("the address of the server %s cannot be read", server.Name)).
			WithHint(fault.T("import it again")).Because(err)
	}
	t := &headed{to: reach.Transport(server.URL), server: at, headers: http.Header{}}
	for _, header := range server.Headers {
		name, variable, _ := upstream.SplitHeader(header)
		value := w.Variable(variable)
		if value == "" {
			return nil, fault.New(fault.NotConfigured, fault.T("the server %s wants the header %s, and the variable %s is not set", server.Name, name, variable)).
				WithHint(fault.T("the person must set %s to the value of the header", variable))
		}
		t.headers.Add(name, strings.TrimSpace(value))
	}
	return t, nil
}

// authorization returns what has the tokens for a server. show has the person open an
// address; nil where no person is there.
func (w World) authorization(server *upstream.Server, show func(address string) error) (*login.Handler, error) {
	reach, err := tool.Service[*web.Client](w.Env)
	if err != nil {
		return nil, err
	}
	o := login.Options{Name: server.Name, URL: server.URL, State: w.Tokens, HTTP: reach.HTTP(server.URL), Show: show, ClientID: server.ClientID}
	if server.ClientSecret != "" && show != nil { // what was granted is kept with it
		if o.ClientSecret = strings.TrimSpace(w.Variable(server.ClientSecret)); o.ClientSecret == "" {
			return nil, fault.New(fault.NotConfigured, fault.T("the login to %s wants the secret of the client, and the variable %s is not set", server.Name, server.ClientSecret)).
				WithHint(fault.T("the person must set %s to the secret", server.ClientSecret))
		}
	}
	return login.New(o), nil
}

// Login has the person log in to a server, by the address that show gets, and asks it for
// its tools.
func (w World) Login(ctx context.Context, server *upstream.Server, show func(address string) error) (*client.Offer, error) {
	pool := client.New(client.Options{
		Version:   w.Version,
		Start:     w.Start,
		Transport: func(context.Context, *upstream.Server) (http.RoundTripper, error) { return w.transport(server) },
		Authorization: func(context.Context, *upstream.Server) (auth.OAuthHandler, error) {
			return w.authorization(server, show)
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
