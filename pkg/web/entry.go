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
)

// entry is a stored response. It is stored as a line with the version, a line of
// JSON, and the body.
type entry struct {
	URL     string      `json:"url"`
	Status  int         `json:"status"`
	Header  http.Header `json:"header"`
	Vary    http.Header `json:"vary,omitempty"` // of the request, as far as the response depends on it
	Peer    netip.Addr  `json:"peer,omitzero"`  // the server; none behind a proxy
	Checked time.Time   `json:"checked"`        // when it was received or confirmed
	SHA     string      `json:"sha"`            // SHA-256 of the body

	body []byte
}

const entryVersion = "helve web 1\n"

// newEntry returns the entry for a response, nil if it may not be stored.
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

// encode returns the entry as it is stored.
func (e *entry) encode() ([]byte, error) {
	sum := sha256.Sum256(e.body)
	e.SHA = hex.EncodeToString(sum[:])
	meta, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(entryVersion), meta, []byte("\n"), e.body), nil
}

// decodeEntry reads an entry for this address and these request headers. It
// returns nil for anything else and for a damaged one: the page can always be
// fetched again.
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

// fresh reports whether the entry may be used without asking the server.
func (e *entry) fresh(now time.Time) bool {
	return !e.Checked.After(now) && age(e.Header, e.Checked)+now.Sub(e.Checked) < lifetime(e.Header, e.Checked)
}

// outlasts reports whether the entry may be used although the server fails (RFC
// 5861, stale-if-error).
func (e *entry) outlasts(now time.Time) bool {
	d := directivesOf(e.Header)
	grace, ok := d.seconds("stale-if-error")
	return ok && !d.has("no-cache") && !d.has("must-revalidate") && !e.Checked.After(now) &&
		age(e.Header, e.Checked)+now.Sub(e.Checked) < lifetime(e.Header, e.Checked)+grace
}

// condition sets the headers that ask for the body only if it has changed.
func (e *entry) condition(h http.Header) {
	if tag := e.Header.Get("Etag"); tag != "" {
		h.Set("If-None-Match", tag)
	}
	if modified := e.Header.Get("Last-Modified"); modified != "" {
		h.Set("If-Modified-Since", modified)
	}
}

// renew updates the entry by the header of a confirmation (RFC 9111, section 3.2).
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
