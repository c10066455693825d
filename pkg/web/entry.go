package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// entry is a stored response. Its bytes are a line with the version, a line of
// JSON, and the body.
type entry struct {
	URL     string      `json:"url"`
	Status  int         `json:"status"`
	Header  http.Header `json:"header"`
	Vary    http.Header `json:"vary,omitempty"` // of the request, as far as the response depends on it
	Peer    netip.Addr  `json:"peer,omitzero"`  // who sent it; none behind a proxy
	Checked time.Time   `json:"checked"`        // when it came, or was confirmed
	SHA     string      `json:"sha"`            // SHA-256 of the body

	body []byte
}

// CacheSize is how many bytes the stored responses of a workspace may take.
const CacheSize = 256 << 20

const entryVersion = "helve web 1\n"

// newEntry is what to keep of a response, nil for nothing.
func newEntry(url string, r *Response, peer netip.Addr, asked http.Header, now time.Time) *entry {
	if r.Status != http.StatusOK && r.Status != http.StatusNonAuthoritativeInfo || r.Truncated || !keepable(r.Header) {
		return nil
	}
	e := &entry{URL: url, Status: r.Status, Peer: peer, Checked: now, body: r.Body}
	e.Header = r.Header.Clone()
	for _, name := range []string{"Set-Cookie", "Content-Encoding", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive"} {
		e.Header.Del(name)
	}
	for _, name := range varying(r.Header) {
		if e.Vary == nil {
			e.Vary = http.Header{}
		}
		e.Vary[name] = slices.Clone(asked[name])
	}
	return e
}

// encode is the entry as it is stored.
func (e *entry) encode() ([]byte, error) {
	sum := sha256.Sum256(e.body)
	e.SHA = hex.EncodeToString(sum[:])
	meta, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(entryVersion), meta, []byte("\n"), e.body), nil
}

// decodeEntry reads an entry that is whole and for this address, as asked for
// with these headers. It is nil for anything else: what is stored can always be
// had again.
func decodeEntry(data []byte, url string, asking http.Header) *entry {
	rest, ok := bytes.CutPrefix(data, []byte(entryVersion))
	if !ok {
		return nil
	}
	meta, body, ok := bytes.Cut(rest, []byte("\n"))
	if !ok {
		return nil
	}
	e := &entry{body: body}
	if json.Unmarshal(meta, e) != nil || e.URL != url || e.Header == nil {
		return nil
	}
	sum := sha256.Sum256(body)
	if e.SHA != hex.EncodeToString(sum[:]) || e.Status != http.StatusOK && e.Status != http.StatusNonAuthoritativeInfo {
		return nil
	}
	for name, values := range e.Vary {
		if !slices.Equal(values, asking[name]) {
			return nil
		}
	}
	return e
}

// fresh reports whether the entry may be used without asking.
func (e *entry) fresh(now time.Time) bool {
	return !e.Checked.After(now) && age(e.Header, e.Checked)+now.Sub(e.Checked) < lifetime(e.Header, e.Checked)
}

// outlasts reports whether the entry may be used while the server fails (RFC
// 5861, stale-if-error).
func (e *entry) outlasts(now time.Time) bool {
	d := directivesOf(e.Header)
	grace, ok := d.seconds("stale-if-error")
	return ok && !d.has("no-cache") && !d.has("must-revalidate") && !e.Checked.After(now) &&
		age(e.Header, e.Checked)+now.Sub(e.Checked) < lifetime(e.Header, e.Checked)+grace
}

// condition asks for the body only if it is another one by now.
func (e *entry) condition(h http.Header) {
	if tag := e.Header.Get("Etag"); tag != "" {
		h.Set("If-None-Match", tag)
	}
	if modified := e.Header.Get("Last-Modified"); modified != "" {
		h.Set("If-Modified-Since", modified)
	}
}

// renew takes over what a confirmation says anew (RFC 9111, section 3.2).
func (e *entry) renew(h http.Header, now time.Time) {
	for _, name := range []string{"Cache-Control", "Date", "Expires", "Etag", "Last-Modified", "Age", "Vary"} {
		if values := h.Values(name); len(values) > 0 {
			e.Header[http.CanonicalHeaderKey(name)] = slices.Clone(values)
		} else if name == "Age" {
			e.Header.Del(name)
		}
	}
	e.Checked = now
}

// shelf is the place of one response in the cache.
type shelf struct {
	x     *exchange
	key   string // "" keeps nothing
	asked http.Header
}

func (x *exchange) shelf() *shelf {
	s := &shelf{x: x, asked: x.header()}
	cookies := x.cookies != nil && len(x.cookies.Cookies(x.at)) > 0 // what they lead to is for this exchange only
	if x.client.opt.Cache == nil || x.request.NoStore || x.request.Base || cookies {
		return s
	}
	s.key = x.page() + "\n" + s.asked.Get("Accept") + "\n" + s.asked.Get("Accept-Language")
	return s
}

// load is what is stored, as far as it is whole and came from where a request
// may go.
func (s *shelf) load() *entry {
	if s.key == "" {
		return nil
	}
	cache, err := s.x.client.opt.Cache()
	if err != nil {
		s.without(err)
		return nil
	}
	data, err := cache.Get(s.key)
	if err != nil {
		s.without(err)
		return nil
	}
	e := decodeEntry(data, s.x.page(), s.asked)
	if e == nil || e.Peer.IsValid() && s.x.client.guard.address(s.x.at.Hostname(), e.Peer) != nil {
		return nil
	}
	return e
}

func (s *shelf) save(e *entry) {
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
	s.without(err)
}

func (s *shelf) drop() {
	if s.key == "" {
		return
	}
	cache, err := s.x.client.opt.Cache()
	if err == nil {
		err = cache.Remove(s.key)
	}
	s.without(err)
}

// without warns once that nothing is kept.
func (s *shelf) without(err error) {
	if err == nil {
		return
	}
	s.key = ""
	s.x.warnings = append(s.x.warnings, fault.T("pages are not kept for later: %s", "网页未能缓存：%s", fault.As(err).Message))
}
