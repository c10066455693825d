package server

import (
	"net/http"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web/gate"
)

// How long a session lives without a connection. A client that lost its connection can
// come back for the result of its call; one that does not come back soon needs none.
const (
	aloneTime = time.Minute
	idleTime  = 30 * time.Minute
)

// sessions bounds the number of sessions that clients open, and ends those that are left.
// Sessions are of revisions before 2026-07-28.
type sessions struct {
	next   http.Handler
	lang   fault.Lang
	cancel func(id string)          // ends the calls of a session
	live   func() map[string]func() // what closes the sessions that there are
	most   int

	mu      sync.Mutex
	open    map[string]*session
	opening int // requests that may open one
}

// session is the state of one session.
type session struct {
	requests int // that are answered now, streams among them
	since    time.Time
	alone    *time.Timer // ends its calls; nil while requests are answered
	idle     *time.Timer // ends it
}

// sessionHeader is the header that names a session.
const sessionHeader = "Mcp-Session-Id"

func (s *sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(sessionHeader)
	if id == "" {
		if !s.room() {
			gate.Busy(w, s.lang, fault.T("%d sessions are in use", s.most))
			return
		}
		defer s.opened()
		s.next.ServeHTTP(w, r)
		if id = w.Header().Get(sessionHeader); id != "" { // it was opened
			s.enter(id)
			s.leave(id)
		}
		return
	}
	s.enter(id)
	defer s.leave(id)
	if r.Method == http.MethodDelete { // which waits for its calls
		s.cancel(id)
	}
	s.next.ServeHTTP(w, r)
}

// room makes room for a session that is about to be opened, if need be by closing the one
// that was idle for longest. It reports whether there is any. The room is the
// request's until opened.
func (s *sessions) room() bool {
	s.mu.Lock()
	live, oldest := s.live(), ""
	if len(live)+s.opening >= s.most {
		for id := range live {
			one := s.open[id]
			if one != nil && one.requests == 0 && (oldest == "" || one.since.Before(s.open[oldest].since)) {
				oldest = id
			}
		}
		if oldest == "" {
			s.mu.Unlock()
			return false
		}
		s.forget(oldest) // so that nobody else counts on it
	}
	s.opening++
	s.mu.Unlock()
	if oldest != "" {
		s.shut(oldest)
	}
	return true
}

// opened notes that a request that could open a session has been answered.
func (s *sessions) opened() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opening--
}

// enter notes that a request of a session is answered.
func (s *sessions) enter(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.open[id]
	if one == nil {
		one = &session{}
		s.open[id] = one
	}
	one.requests++
	one.stop()
}

// leave notes that it was answered, or its connection was lost.
func (s *sessions) leave(id string) {
	_, exists := s.live()[id]
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.open[id]
	if one == nil {
		return
	}
	if one.requests--; one.requests > 0 {
		return
	}
	if !exists { // it was closed, or never opened
		delete(s.open, id)
		return
	}
	one.stop()
	one.since = time.Now()
	one.alone = time.AfterFunc(aloneTime, func() { s.cancel(id) })
	one.idle = time.AfterFunc(idleTime, func() { s.end(id) })
}

// end closes a session, unless a request of it is answered.
func (s *sessions) end(id string) {
	s.mu.Lock()
	one := s.open[id]
	if one == nil || one.requests > 0 {
		s.mu.Unlock()
		return
	}
	s.forget(id)
	s.mu.Unlock()
	s.shut(id)
}

// forget stops counting a session. s.mu is held.
func (s *sessions) forget(id string) {
	s.open[id].stop()
	delete(s.open, id)
}

// shut closes a session, and ends its calls.
func (s *sessions) shut(id string) {
	s.cancel(id)
	if shut := s.live()[id]; shut != nil {
		shut()
	}
}

// stop keeps the timers from ending anything.
func (s *session) stop() {
	if s.alone != nil {
		s.alone.Stop()
		s.idle.Stop()
	}
}
