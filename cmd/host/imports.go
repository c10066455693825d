package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/foreign"
)

// Import stores the record of a server, with the tools that it offers. Those that cannot
// be used are in the problems.
func (s *Settings) Import(server *upstream.Server, offer *client.Offer, only []string) (file string, numbered []string, wrong upstream.Problems, err error) {
	offered, wrong := accepted(offer)
	for _, name := range only {
		if !slices.ContainsFunc(offered, func(t upstream.Tool) bool { return t.Name == name }) {
			var names []string
			for _, t := range offered {
				names = append(names, t.Name)
			}
			return "", nil, wrong, fault.New(fault.NotFound, fault.T("%s has no tool %q", server.Name, name)).
				WithHint(fault.T("its tools are: %s", strings.Join(names, ", ")))
		}
	}
	if len(only) > 0 {
		offered = slices.DeleteFunc(offered, func(t upstream.Tool) bool { return !slices.Contains(only, t.Name) })
	}
	dir, err := s.host.tokens()
	if err != nil {
		return "", nil, wrong, err
	}
	unlock, err := lockServer(context.Background(), dir, server.Name) // another process may take in one of the same name
	if err != nil {
		return "", nil, wrong, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := s.host.NewServer(server.Name); err != nil {
		return "", nil, wrong, err
	}
	server.Version, server.Tools, server.Only = offer.Version, offered, only
	numbered = server.Assign(s.taken(server.Name), nil)
	file, err = upstream.Store(s.host.Dirs.UserServers(), server)
	return file, numbered, wrong, err
}

// lockServer locks the record of a server against other processes.
func lockServer(ctx context.Context, dir *state.Dir, name string) (unlock func() error, err error) {
	return dir.Lock(ctx, "servers/"+name)
}

// NewServer checks that no server of a name was imported. The fault is already_exists.
func (h *Host) NewServer(name string) error {
	if _, err := h.Server(name); fault.Is(err, fault.NotFound) {
		return nil
	}
	return fault.New(fault.AlreadyExists, fault.T("a server %q was imported before", name)).
		WithHint(fault.T("helve tools refresh %[1]s asks it for its tools again; helve tools remove %[1]s removes it", name))
}

// accepted returns the tools of an offer that can be used, and what is wrong with others.
func accepted(offer *client.Offer) ([]upstream.Tool, upstream.Problems) {
	tools, wrong := upstream.Accept(offer.Tools)
	for _, w := range offer.Warnings {
		wrong = append(wrong, upstream.Problem{Message: w})
	}
	return tools, wrong
}

// taken returns the names that a tool of a server cannot have: of commands, of other tools
// and of what other systems call these.
func (s *Settings) taken(server string) []string {
	o := s.ManifestOptions()
	names := slices.Concat(o.Builtin, o.Taken, []string{tools.SearchName, tools.CallName})
	for _, n := range foreign.Names() {
		names = append(names, n.Name)
	}
	for _, f := range s.Manifests() {
		names = append(names, f.Name)
	}
	for _, n := range s.Config.Tools.Names {
		var p config.Published
		if json.Unmarshal([]byte(n), &p) == nil {
			names = append(names, p.Name)
		}
	}
	for _, f := range s.host.Servers() {
		if f.Server == nil || f.Name == server {
			continue
		}
		for _, t := range f.Server.Tools {
			names = append(names, t.As)
		}
	}
	return names
}

// CheckServer reports why a server cannot have a name.
func (s *Settings) CheckServer(name string) error {
	sets := tools.BuiltinSets()
	for _, set := range s.Config.Tools.Sets {
		sets = append(sets, tools.Set(set))
	}
	o := s.ManifestOptions()
	switch {
	case !upstream.IsName(name):
		return fault.New(fault.Usage, fault.T("%q is no name for a server: want a lower-case letter, then lower-case letters, digits and _, at most 32", name)).
			WithHint(fault.T("choose a short name: the names of its tools begin with it"))
	case slices.ContainsFunc(sets, func(set tools.Set) bool { return set.Name == name }):
		return fault.New(fault.AlreadyExists, fault.T("%q is the name of a toolset", name)).
			WithHint(fault.T("choose another name"))
	case slices.Contains(slices.Concat(o.Builtin, o.Taken), name):
		return fault.New(fault.AlreadyExists, fault.T("%q is the name of a tool or a command", name)).
			WithHint(fault.T("choose another name"))
	}
	return nil
}

// Server returns the record of a server. The fault is not_found.
func (h *Host) Server(name string) (*upstream.Server, error) {
	var names []string
	for _, f := range h.Servers() {
		if f.Name == name {
			return f.Server, f.Err
		}
		names = append(names, f.Name)
	}
	return nil, fault.New(fault.NotFound, fault.T("no server %q was imported", name)).
		WithHint(fault.T("the servers are: %s", cmp.Or(strings.Join(names, ", "), "-")))
}

// Refresh fetches what a server offers now, and stores what becomes of the record; see
// [upstream.Server.Refreshed]. The record is the one that is there once the server has
// answered: another process may have refreshed it, or removed it, in the meantime.
func (s *Settings) Refresh(ctx context.Context, server *upstream.Server, accept bool) (fresh *upstream.Server, changes upstream.Changes, wrong upstream.Problems, err error) {
	offer, err := s.host.Fetch(ctx, server)
	if err != nil {
		return nil, upstream.Changes{}, nil, err
	}
	dir, err := s.host.tokens()
	if err != nil {
		return nil, upstream.Changes{}, nil, err
	}
	unlock, err := lockServer(ctx, dir, server.Name)
	if err != nil {
		return nil, upstream.Changes{}, nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	asked := server
	if server, err = s.host.Server(asked.Name); err != nil {
		return nil, upstream.Changes{}, nil, err
	}
	if !slices.Equal(server.Command, asked.Command) || server.URL != asked.URL {
		return nil, upstream.Changes{}, nil, fault.New(fault.Conflict, fault.T("another server was imported as %s in the meantime", asked.Name)).
			WithHint(fault.T("refresh it again"))
	}
	offered, problems := accepted(offer)
	if len(server.Only) > 0 {
		offered = slices.DeleteFunc(offered, func(t upstream.Tool) bool { return !slices.Contains(server.Only, t.Name) })
	}
	fresh, changes = server.Refreshed(offered, s.taken(server.Name), accept)
	fresh.Version, fresh.Fetched = offer.Version, s.home.Now().UTC()
	_, err = upstream.Store(s.host.Dirs.UserServers(), fresh)
	return fresh, changes, problems, err
}

// Forget removes the record of a server.
func (h *Host) Forget(name string) (file string, err error) {
	dir, err := h.tokens()
	if err != nil {
		return "", err
	}
	unlock, err := lockServer(context.Background(), dir, name)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	for _, f := range h.Servers() {
		if f.Name == name {
			return f.File, upstream.Remove(f.File)
		}
	}
	_, err = h.Server(name)
	return "", err
}
