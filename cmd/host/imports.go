package host

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/mcp/imported"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/foreign"
)

// Records returns the records of the servers whose tools the person took in.
func (h *Host) Records() imported.Records {
	return imported.Records{Dir: h.Dirs.UserServers(), Note: h.seen.note, State: h.tokens}
}

// Import is [imported.Records.Import] by the settings.
func (s *Settings) Import(server *upstream.Server, offer *client.Offer, only []string) (file string, numbered []string, wrong upstream.Problems, err error) {
	return s.host.Records().Import(server, offer, only, s.taken)
}

// Refresh is [imported.Records.Refresh] by the settings.
func (s *Settings) Refresh(ctx context.Context, server *upstream.Server, accept bool) (fresh *upstream.Server, changes upstream.Changes, wrong upstream.Problems, err error) {
	return s.host.Records().Refresh(ctx, server, accept, imported.Refreshing{Fetch: s.host.Fetch, Taken: s.taken, Now: s.home.Now})
}

// taken returns the names that a tool of a server cannot have: of commands, of other tools
// and of what other systems call these.
func (s *Settings) taken(server string) []string {
	o := s.ManifestOptions()
	names := slices.Concat(o.Builtin, o.Taken, []string{tools.SearchName, tools.CallName, imported.ReaderName})
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
	for _, f := range s.host.Records().List() {
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
	err := s.checkServer(name)
	if free := name + "_server"; err != nil && fault.Is(err, fault.AlreadyExists) && s.checkServer(free) == nil {
		fault.As(err).WithHint(fault.T("choose another name, such as %s", free))
	}
	return err
}

func (s *Settings) checkServer(name string) error {
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
