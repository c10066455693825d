package imported

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/state"
)

// Records are the records of the servers whose tools the person took in.
type Records struct {
	Dir   string                     // with the records
	Note  func(path string)          // is called before something is read
	State func() (*state.Dir, error) // opens the directory with the locks
}

// Taken returns the names that a tool of a server cannot have.
type Taken func(server string) []string

// Refreshing holds the dependencies of [Records.Refresh]; the host provides them.
type Refreshing struct {
	Fetch func(context.Context, *upstream.Server) (*client.Offer, error)
	Taken Taken
	Now   func() time.Time
}

// List lists the servers.
func (r Records) List() []upstream.Found { return upstream.Find(r.Dir, r.Note) }

// Get returns the record of a server. The fault is not_found.
func (r Records) Get(name string) (*upstream.Server, error) {
	var names []string
	for _, f := range r.List() {
		if f.Name == name {
			return f.Server, f.Err
		}
		names = append(names, f.Name)
	}
	return nil, fault.New(fault.NotFound, fault.T("no server %q was imported", name)).
		WithHint(fault.T("the servers are: %s", cmp.Or(strings.Join(names, ", "), "-")))
}

// New checks that no server of a name was imported. The fault is already_exists.
func (r Records) New(name string) error {
	if _, err := r.Get(name); fault.Is(err, fault.NotFound) {
		return nil
	}
	return fault.New(fault.AlreadyExists, fault.T("a server %q was imported before", name)).
		WithHint(fault.T("helve tools refresh %[1]s asks it for its tools again; helve tools remove %[1]s removes it", name))
}

// Import stores the record of a server, with the tools that it offers. Those that cannot
// be used are in the problems.
func (r Records) Import(server *upstream.Server, offer *client.Offer, only []string, taken Taken) (file string, numbered []string, wrong upstream.Problems, err error) {
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
	unlock, err := r.lock(context.Background(), server.Name) // another process may take in one of the same name
	if err != nil {
		return "", nil, wrong, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := r.New(server.Name); err != nil {
		return "", nil, wrong, err
	}
	server.Version, server.Tools, server.Only, server.Resources = offer.Version, offered, only, offer.Resources
	numbered = server.Assign(taken(server.Name), nil)
	file, err = upstream.Store(r.Dir, server)
	return file, numbered, wrong, err
}

// Refresh fetches what a server offers now, and stores what becomes of the record; see
// [upstream.Server.Refreshed]. The record is the one that is there once the server has
// answered: another process may have refreshed it, or removed it, in the meantime.
func (r Records) Refresh(ctx context.Context, server *upstream.Server, accept bool, with Refreshing) (fresh *upstream.Server, changes upstream.Changes, wrong upstream.Problems, err error) {
	offer, err := with.Fetch(ctx, server)
	if err != nil {
		return nil, upstream.Changes{}, nil, err
	}
	unlock, err := r.lock(ctx, server.Name)
	if err != nil {
		return nil, upstream.Changes{}, nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	asked := server
	if server, err = r.Get(asked.Name); err != nil {
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
	fresh, changes = server.Refreshed(offered, with.Taken(server.Name), accept)
	fresh.Version, fresh.Fetched, fresh.Resources = offer.Version, with.Now().UTC(), offer.Resources
	_, err = upstream.Store(r.Dir, fresh)
	return fresh, changes, problems, err
}

// Forget removes the record of a server.
func (r Records) Forget(name string) (file string, err error) {
	unlock, err := r.lock(context.Background(), name)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	for _, f := range r.List() {
		if f.Name == name {
			return f.File, upstream.Remove(f.File)
		}
	}
	_, err = r.Get(name)
	return "", err
}

// lock locks the record of a server against other processes.
func (r Records) lock(ctx context.Context, name string) (unlock func() error, err error) {
	dir, err := r.State()
	if err != nil {
		return nil, err
	}
	return dir.Lock(ctx, "servers/"+name)
}

// accepted returns the tools of an offer that can be used, and what is wrong with others.
func accepted(offer *client.Offer) ([]upstream.Tool, upstream.Problems) {
	tools, wrong := upstream.Accept(offer.Tools)
	for _, w := range offer.Warnings {
		wrong = append(wrong, upstream.Problem{Message: w})
	}
	return tools, wrong
}
