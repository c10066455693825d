package host

import (
	"path/filepath"

	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
)

// at returns a host of another workspace, for which nobody at a terminal speaks. Close it.
func (h *Host) at(root string) *Host {
	o := h.Options
	o.Root, o.Project = root, ""
	o.Approval, o.ApprovalFD, o.Wait, o.NoInput, o.Terminal, o.Stream, o.Progress = "", 0, 0, true, nil, nil, nil
	other := New(o)
	other.Dirs = h.Dirs
	return other
}

// Others returns a host for each further workspace of this machine that has a store of its
// own, by its path. Those that share the store of this host are served by its scheduler,
// with [Options.Everywhere]. Troubled is called with what keeps one from being served.
// Close them.
func (h *Host) Others(troubled func(error)) (map[string]*Host, error) {
	here, err := h.Settings()
	if err != nil {
		return nil, err
	}
	root, err := here.home.Root()
	if err != nil {
		return nil, err
	}
	known, err := state.Workspaces(h.Dirs.State, bolt.Folder)
	if err != nil {
		return nil, err
	}
	others := map[string]*Host{}
	for _, one := range known {
		if filepath.Clean(one.Root) == root.Dir() {
			continue
		}
		other := h.at(one.Root)
		s, err := other.Settings()
		switch {
		case err != nil:
			troubled(err)
		case s.Config.Store.URL == "" && one.Has, s.Config.Store.URL != "" && s.Config.Store != here.Config.Store:
			others[one.Root] = other
			continue
		}
		other.Close()
	}
	return others, nil
}
