package server

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// kept stands in for the library: it opens a session for each request without one, and
// answers the others at once, or when it is told.
type kept struct {
	mu        sync.Mutex // timers call at the same time
	opened    int
	there     map[string]bool
	cancelled []string
	hold      chan struct{} // not nil: requests of sessions wait for it
	opening   chan struct{} // not nil: requests without a session do
}

func (k *kept) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	id := r.Header.Get(sessionHeader)
	switch {
	case id == "":
		if hold := k.opening; hold != nil {
			k.mu.Unlock()
			<-hold
			k.mu.Lock()
		}
		k.opened++
		id = fmt.Sprintf("session%d", k.opened)
		k.there[id] = true
		w.Header().Set(sessionHeader, id)
	case !k.there[id]:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete:
		delete(k.there, id)
	case k.hold != nil:
		hold := k.hold
		k.mu.Unlock()
		<-hold
		k.mu.Lock()
	}
}

func (k *kept) sessions(most int) *sessions {
	k.there = map[string]bool{}
	return &sessions{
		next: k, lang: fault.English, most: most, open: map[string]*session{},
		cancel: func(id string) {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.cancelled = append(k.cancelled, id)
		},
		live: func() map[string]func() {
			k.mu.Lock()
			defer k.mu.Unlock()
			all := map[string]func(){}
			for id := range k.there {
				all[id] = func() { k.close(id) }
			}
			return all
		},
	}
}

func (k *kept) close(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.there, id)
}

// send sends a request of a session, and returns the status of its answer.
func send(s *sessions, method, id string) int {
	r := httptest.NewRequest(method, Path, nil)
	if id != "" {
		r.Header.Set(sessionHeader, id)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code
}

// state is what is there at some time.
type state struct{ open, known, cancelled []string }

// now returns what is there, and forgets what was cancelled.
func (k *kept) now(s *sessions) (is state) {
	synctest.Wait() // timers may be at work
	s.mu.Lock()
	is.known = slices.Sorted(maps.Keys(s.open))
	s.mu.Unlock()
	k.mu.Lock()
	defer k.mu.Unlock()
	is.open, is.cancelled = slices.Sorted(maps.Keys(k.there)), k.cancelled
	k.cancelled = nil
	return is
}

// holding has requests of sessions wait until the function that it returns is called.
func (k *kept) holding() (release func()) {
	hold := make(chan struct{})
	set := func(to chan struct{}) {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.hold = to
	}
	set(hold)
	return func() {
		set(nil)
		close(hold)
		synctest.Wait()
	}
}

// TestSessionsEnd has sessions end after a time without a request, and only then.
func TestSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &kept{}
		s := k.sessions(10)
		one := []string{"session1"}
		send(s, "POST", "")
		<-time.After(idleTime - time.Second)
		if send(s, "POST", "session1") != http.StatusOK {
			t.Error("the session ended early")
		}
		release := k.holding()
		go send(s, "GET", "session1") // a stream keeps it
		<-time.After(3 * idleTime)
		if is := k.now(s); !slices.Equal(is.open, one) {
			t.Errorf("the session of an open stream ended: %+v", is)
		}
		release()
		<-time.After(aloneTime - time.Second)
		if is := k.now(s); len(is.cancelled) > 0 {
			t.Errorf("calls ended although their client may come back: %+v", is)
		}
		<-time.After(2 * time.Second)
		if is := k.now(s); !slices.Equal(is.cancelled, one) || !slices.Equal(is.open, one) {
			t.Errorf("%+v", is)
		}
		<-time.After(idleTime)
		if is := k.now(s); len(is.open) > 0 || len(is.known) > 0 {
			t.Errorf("%+v", is)
		}
		if status := send(s, "POST", "session1"); status != http.StatusNotFound {
			t.Error(status)
		}
	})
}

// TestSessionsAreBounded opens more sessions than there may be.
func TestSessionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &kept{}
		s := k.sessions(2)
		for range 2 {
			send(s, "POST", "")
			<-time.After(time.Second)
		}
		send(s, "POST", "session1") // session2 is now idle for longest
		<-time.After(time.Second)
		if status, is := send(s, "POST", ""), k.now(s); status != http.StatusOK || !slices.Equal(is.open, []string{"session1", "session3"}) {
			t.Errorf("%d: %+v", status, is)
		}
		release := k.holding()
		for _, id := range []string{"session1", "session3"} {
			go send(s, "GET", id)
		}
		synctest.Wait()
		if status, is := send(s, "POST", ""), k.now(s); status != http.StatusServiceUnavailable || len(is.open) != 2 {
			t.Errorf("%d: %+v", status, is)
		}
		release()
		for i := range 100 { // ids that nobody opened leave nothing behind
			send(s, "POST", fmt.Sprint("foreign", i))
		}
		send(s, "DELETE", "session1")
		if is := k.now(s); !slices.Equal(is.cancelled, []string{"session1"}) || !slices.Equal(is.known, []string{"session3"}) {
			t.Errorf("%+v", is)
		}
		<-time.After(2 * idleTime)
	})
}

// TestSessionsAreBoundedTogether opens sessions at the same time.
func TestSessionsAreBoundedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &kept{opening: make(chan struct{})}
		s := k.sessions(2)
		codes := make(chan int, 9)
		for range cap(codes) {
			go func() { codes <- send(s, "POST", "") }()
		}
		synctest.Wait()
		close(k.opening)
		got := map[int]int{}
		for range cap(codes) {
			got[<-codes]++
		}
		if is := k.now(s); len(is.open) != 2 || got[http.StatusOK] != 2 || got[http.StatusServiceUnavailable] != 7 {
			t.Errorf("%v: %+v", got, is)
		}
		<-time.After(2 * idleTime)
	})
}
