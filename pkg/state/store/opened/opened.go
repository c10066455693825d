// Package opened keeps the stores that a run has opened, of either kind.
package opened

import (
	"sync"

	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
	"github.com/helve-dev/helve/pkg/state/store/nats"
)

// Stores are the stores that a run has opened. A store is opened once, however often the
// settings that name it are loaded.
type Stores struct {
	mu  sync.Mutex
	all []opened
}

// opened is an open store, and what it was opened by.
type opened struct {
	store   store.Store
	options nats.Options
	dir     string // the state directory; "" for a store on a server
}

// Open returns the store on a server, or without a URL the one in the state directory of
// home.
func (o *Stores) Open(home func() (*state.Dir, error), options nats.Options) (store.Store, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	path := ""
	var dir *state.Dir
	if options.URL == "" {
		var err error
		if dir, err = home(); err != nil {
			return nil, err
		}
		if path, _, err = dir.Look(); err != nil {
			return nil, err
		}
	}
	for _, one := range o.all {
		if one.dir == path && one.options == options {
			return one.store, nil
		}
	}
	var s store.Store
	if options.URL == "" {
		s = bolt.Open(dir)
	} else {
		var err error
		if s, err = nats.Open(options); err != nil {
			return nil, err
		}
	}
	o.all = append(o.all, opened{s, options, path})
	return s, nil
}

// Close closes the stores.
func (o *Stores) Close() {
	for _, one := range o.all {
		_ = one.store.Close() // what was committed stays
	}
}
