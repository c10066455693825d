package host

import (
	"os"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// Bus returns the bus of the run, over its store. The files of messages are in the state
// directory of its workspace.
func (h *Host) Bus() (*bus.Bus, error) {
	env, _, err := h.Governed()
	if err != nil {
		return nil, err
	}
	b, err := tool.Service[*bus.Bus](env)
	if err == nil {
		h.tending.Attend(h.Tend) // what is received may be the end of a sub-agent
	}
	return b, err
}

// bus returns the function that opens the bus over the store that the settings choose.
func (s *Settings) bus() func() (*bus.Bus, error) {
	open := s.store()
	return func() (*bus.Bus, error) {
		kept, err := open()
		if err != nil {
			return nil, err
		}
		dir, err := s.shared()
		if err != nil {
			return nil, err
		}
		host := ""
		if s.Config.Store.URL != "" {
			if host, err = os.Hostname(); err != nil {
				return nil, fault.System(err, "hostname")
			}
		}
		return bus.New(kept, time.Now).WithMedia(dir, host), nil
	}
}
