package server

import (
	"context"
	"time"
)

// glance is the time between two checks of the list of tools for changes.
const glance = time.Second

// watch tells clients of changes to the list of tools, by whatever process, until ctx
// ends.
func (s *Server) watch(ctx context.Context) {
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	var said string
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		switch err := s.Refresh(); {
		case err == nil:
			said = ""
		case err.Error() != said: // not every second
			said = err.Error()
			s.Log.Warn("the list of tools stays as it was", "err", err)
		}
	}
}
