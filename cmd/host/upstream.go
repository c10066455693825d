package host

import (
	"context"
	"os"
	"time"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/mcp/imported"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
)

// servers adds the tools of other servers to those of manifests.
func (s *Settings) servers() []tools.Custom {
	var all []tools.Custom
	var servers []*upstream.Server
	deferred := s.Config.Tools.Imported != "offered"
	for _, f := range s.host.Records().List() {
		if f.Err != nil {
			all = append(all, tools.Custom{Name: f.Name, Why: fault.T("what was imported of the server cannot be used: %s", fault.As(f.Err).Message)})
			continue
		}
		servers = append(servers, f.Server)
		for i := range f.Server.Tools {
			t := &f.Server.Tools[i]
			all = append(all, tools.Custom{Name: t.As, Tool: imported.New(f.Server, t), Server: f.Name, Deferred: deferred})
		}
	}
	if reader := imported.Reader(servers); reader != nil {
		all = append(all, tools.Custom{Name: imported.ReaderName, Tool: reader, Deferred: deferred})
	}
	return all
}

// calling returns the function that opens what calls tools of other servers.
func (s *Settings) calling(env *tool.Env) func() (imported.Caller, error) {
	return func() (imported.Caller, error) { return s.host.servers.Caller(s.reaching(env)) }
}

// reaching returns what servers are started and reached with, for an environment.
func (s *Settings) reaching(env *tool.Env) imported.World {
	return imported.World{
		Env: env, Settings: []any{s.Config.Exec, s.Config.Web, s.Config.Rules}, Version: s.host.Release(),
		Start: time.Duration(s.Config.Tools.StartTimeout) * time.Second, Variable: os.Getenv, Tokens: s.host.tokens,
	}
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
	return s.reaching(env).Login(ctx, server, show)
}

// Fetch asks a server what tools it has: it is started, or reached, and ended at the end of
// the run.
func (h *Host) Fetch(ctx context.Context, server *upstream.Server) (*client.Offer, error) {
	env, s, err := h.Governed()
	if err != nil {
		return nil, err
	}
	return h.servers.Fetch(ctx, s.reaching(env), server)
}

// offers reports whether a call of a tool can succeed.
func offers(env *tool.Env, t *tool.Tool) bool { return guard.Withheld(env, t) == nil }
