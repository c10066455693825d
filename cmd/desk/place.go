package desk

import (
	"net/http"
	"path/filepath"
	"slices"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/turn/envelope"
)

// place is a workspace that pages look at.
type place struct {
	World
	id, root string
	env      *tool.Env // of the workspace itself
	dir      *state.Dir
	requests *approval.Store
	jobs     *job.Store
	log      *trail

	mu     sync.Mutex
	quiet  string                       // the stamp of jobs of which none ran
	failed map[string]*envelope.Failure // what came of calls that were allowed and not made, by the ids of requests
}

// enter returns the place of a workspace that is not there yet.
func (d *Desk) enter(w World) (*place, error) {
	p := &place{World: w, env: w.Workspace(), failed: map[string]*envelope.Failure{}}
	root, err := p.env.Root()
	if err != nil {
		return nil, err
	}
	if p.dir, err = p.env.State(); err != nil {
		return nil, err
	}
	if p.id, err = p.dir.ID(); err != nil {
		return nil, err
	}
	log, err := p.dir.Log("audit", state.LogBytes)
	if err != nil {
		return nil, err
	}
	p.root, p.requests, p.jobs, p.log = root.Dir(), approval.NewStore(p.dir), job.NewStore(p.dir), newTrail(log)
	d.places[p.id] = p
	return p, nil
}

// all returns the workspaces that there are, the current one first. One that cannot be
// opened is left out.
func (d *Desk) all() ([]*place, error) {
	known, err := d.Known()
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	all := []*place{d.first}
	for _, k := range known {
		p := d.places[k.ID]
		if p == nil {
			if p, err = d.enter(d.Open(k.Root)); err != nil {
				d.Log.Warn("a workspace cannot be opened", "root", k.Root, "err", err)
				continue
			}
		}
		if p != d.first {
			all = append(all, p)
		}
	}
	return all, nil
}

// at returns the workspace that a request names; the current one if it names none.
func (d *Desk) at(r *http.Request) (*place, error) {
	id := r.URL.Query().Get("workspace")
	if id == "" {
		return d.first, nil
	}
	all, err := d.all()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(p *place) bool { return p.id == id })
	if i < 0 {
		return nil, fault.New(fault.NotFound, fault.T("there is no workspace %q", id))
	}
	return all[i], nil
}

// shownPlace is a workspace as the page lists it.
type shownPlace struct {
	ID      string `json:"id"`
	Root    string `json:"root"`
	Name    string `json:"name"`
	Current bool   `json:"current"`
	Pending int    `json:"pending"` // requests that wait
}

func (d *Desk) workspaces(*http.Request) (any, []fault.Text, error) {
	all, err := d.all()
	if err != nil {
		return nil, nil, err
	}
	shown := make([]shownPlace, len(all))
	for i, p := range all {
		shown[i] = shownPlace{ID: p.id, Root: p.root, Name: filepath.Base(p.root), Current: p == d.first}
		requests, err := p.requests.List()
		if err != nil {
			return nil, nil, err
		}
		for _, r := range requests {
			if r.State == approval.Pending {
				shown[i].Pending++
			}
		}
	}
	return struct {
		Workspaces []shownPlace `json:"workspaces"`
		Version    string       `json:"version"`
	}{shown, d.Version}, nil, nil
}
