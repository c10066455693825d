package host

import (
	"sync"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
	"github.com/helve-dev/helve/pkg/state/store/nats"
	"github.com/helve-dev/helve/pkg/tool"
)

// stores are the stores that a run has opened. A store is opened once, however often the
// settings that name it are loaded.
type stores struct {
	mu     sync.Mutex
	opened []openedStore
}

// openedStore is an open store, and what it was opened by.
type openedStore struct {
	store    store.Store
	settings config.Store
	dir      string // the state directory; "" for a store on a server
}

// Store returns the store that messages and schedules are kept in, as the settings choose
// it. It belongs to the workspace of the run, whichever project calls work in, or to
// whoever shares the server.
func (h *Host) Store() (store.Store, error) {
	env, _, err := h.Governed()
	if err != nil {
		return nil, err
	}
	return tool.Service[store.Store](env)
}

// store returns the function that opens the store that the settings choose.
func (s *Settings) store() func() (store.Store, error) {
	return func() (store.Store, error) { return s.host.stores.open(s.home, s.Config.Store) }
}

// open returns the store of settings, for a workspace.
func (o *stores) open(home *tool.Env, settings config.Store) (store.Store, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	path := ""
	var dir *state.Dir
	if settings.URL == "" {
		var err error
		if dir, err = home.State(); err != nil {
			return nil, err
		}
		if path, err = dir.Path(); err != nil {
			return nil, err
		}
	}
	for _, one := range o.opened {
		if one.dir == path && one.settings == settings {
			return one.store, nil
		}
	}
	var s store.Store
	if settings.URL == "" {
		s = bolt.Open(dir)
	} else {
		var err error
		if s, err = nats.Open(nats.Options(settings)); err != nil {
			return nil, err
		}
	}
	o.opened = append(o.opened, openedStore{s, settings, path})
	return s, nil
}

// close closes the stores.
func (o *stores) close() {
	for _, one := range o.opened {
		_ = one.store.Close() // what was committed stays
	}
}
