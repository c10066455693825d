package host

import (
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/nats"
	"github.com/helve-dev/helve/pkg/tool"
)

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
	return func() (store.Store, error) { return s.host.stores.Open(s.home.State, nats.Options(s.Config.Store)) }
}
