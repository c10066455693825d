package host

import (
	"os"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
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
	return func() (store.Store, error) { return s.host.stores.Open(s.shared, nats.Options(s.Config.Store)) }
}

// Shared returns the state directory of the workspace for what other processes must find.
// It is the one of everything else, or an error: there is no other place for it.
func (h *Host) Shared() (*state.Dir, error) {
	root, err := h.Workspace().Root()
	if err != nil {
		return nil, err
	}
	if h.Dirs.Homeless {
		return nil, fault.New(fault.IOError, fault.T("messages and jobs have no place that others find: this user has no home directory")).
			WithHint(fault.T("set HELVE_HOME to a directory that lasts, the same for all who are to find them"))
	}
	return state.Open(h.Dirs.State, root.Dir(), state.Options{Fallback: os.TempDir(), Shared: true})
}
