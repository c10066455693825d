package server

import (
	"context"
	"time"
)

// glance is how often a server looks whether its tools are others.
const glance = time.Second

// watch tells clients when the list of tools becomes another, by whatever process, until
// ctx ends.
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
