package web

import (
	"net/http"

	"github.com/helve-dev/helve/pkg/fault"
)

// CacheSize limits the bytes of the stored responses of a workspace.
const CacheSize = 256 << 20

// slot is the place of a request's response in the cache.
type slot struct {
	x     *exchange
	key   string      // "" if the response may not be stored
	asked http.Header // of the request
}

func (x *exchange) slot() *slot {
	s := &slot{x: x, asked: x.header()}
	personal := x.cookies != nil && len(x.cookies.Cookies(x.at)) > 0 // a response to cookies is for this exchange alone
	personal = personal || len(x.personal()) > 0
	if x.client.opt.Cache == nil || x.request.NoStore || x.request.Base || personal {
		return s
	}
	s.key = x.page() + "\n" + s.asked.Get("Accept") + "\n" + s.asked.Get("Accept-Language")
	return s
}

// load returns the stored response, nil for none. It passes over one that is
// damaged, and one that came from an address which the guard refuses now.
func (s *slot) load() *entry {
	if s.key == "" {
		return nil
	}
	cache, err := s.x.client.opt.Cache()
	if err != nil {
		s.disable(err)
		return nil
	}
	data, err := cache.Get(s.key)
	if err != nil {
		s.disable(err)
		return nil
	}
	e := decodeEntry(data, s.x.page(), s.asked)
	if e == nil || e.Peer.IsValid() && s.x.client.guard.checkAddress(s.x.at.Hostname(), e.Peer) != nil {
		return nil
	}
	return e
}

func (s *slot) save(e *entry) {
	if s.key == "" {
		return
	}
	cache, err := s.x.client.opt.Cache()
	if err == nil {
		var data []byte
		if data, err = e.encode(); err == nil {
			err = cache.Put(s.key, data)
		}
	}
	s.disable(err)
}

func (s *slot) drop() {
	if s.key == "" {
		return
	}
	cache, err := s.x.client.opt.Cache()
	if err == nil {
		err = cache.Remove(s.key)
	}
	s.disable(err)
}

// disable turns the cache off for this request after an error, with a warning.
func (s *slot) disable(err error) {
	if err == nil {
		return
	}
	s.key = ""
	s.x.warnings = append(s.x.warnings, fault.T("responses cannot be cached: %s", fault.As(err).Message))
}
