package server

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web/gate"
)

// door lets requests in: those that were meant for this server, are sent by no foreign web
// page, and show the token.
type door struct {
	next    http.Handler
	lang    fault.Lang
	token   *gate.Token // nil is no token
	hosts   []string
	origins []string
}

func newDoor(next http.Handler, lang fault.Lang, o HTTP) *door {
	d := &door{next: next, lang: lang}
	if o.Token != "" {
		d.token = gate.Sum(o.Token)
	}
	for _, name := range o.Hosts {
		d.hosts = append(d.hosts, gate.Bare(name))
	}
	for _, origin := range o.Origins {
		d.origins = append(d.origins, strings.ToLower(strings.TrimSuffix(origin, "/")))
	}
	return d
}

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A page whose name leads to this machine would else be taken for one of this machine.
	if !d.knows(r) {
		gate.Refuse(w, d.lang, http.StatusForbidden, fault.T("%q is not a name of this server; helve mcp --allow-host adds one", r.Host))
		return
	}
	w.Header().Set("Vary", "Origin")
	if origin, sent := r.Header["Origin"]; sent {
		if len(origin) != 1 || !d.trusts(origin[0]) {
			gate.Refuse(w, d.lang, http.StatusForbidden, fault.T("pages of %q may not call this server; helve mcp --allow-origin allows it", strings.Join(origin, ", ")))
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", origin[0])
		w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate")
	}
	if r.URL.Path != Path {
		gate.Refuse(w, d.lang, http.StatusNotFound, fault.T("the server answers at %s", Path))
		return
	}
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" && r.Header.Get("Origin") != "" {
		preflight(w, r)
		return
	}
	if !d.admits(w, r) {
		return
	}
	r.Header.Del("Authorization") // whatever comes after has no use for it
	d.next.ServeHTTP(w, r)
}

// preflight answers a browser's question about a page's requests, before it sends the token.
// https://fetch.spec.whatwg.org/#cors-preflight-fetch
func preflight(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	if headers := r.Header.Get("Access-Control-Request-Headers"); headers != "" {
		w.Header().Set("Access-Control-Allow-Headers", headers)
	}
	w.Header().Set("Access-Control-Max-Age", "600")
	w.Header().Add("Vary", "Access-Control-Request-Headers")
	w.WriteHeader(http.StatusNoContent)
}

// admits reports whether a request shows the token, and answers it if it does not.
// https://www.rfc-editor.org/rfc/rfc6750#section-3
func (d *door) admits(w http.ResponseWriter, r *http.Request) bool {
	if d.token == nil || d.token.Shown(r) {
		return true
	}
	challenge := `Bearer realm="helve"`
	if len(r.Header["Authorization"]) > 0 {
		challenge += `, error="invalid_token"`
	}
	w.Header().Set("WWW-Authenticate", challenge)
	gate.Refuse(w, d.lang, http.StatusUnauthorized, fault.T("the token is missing or wrong; send that of the server's token file in the header Authorization: Bearer TOKEN"))
	return false
}

// knows reports whether a request calls the server by one of its names. A literal address
// that the client reached it at is one: no other page can have it as its name.
func (d *door) knows(r *http.Request) bool {
	name := gate.Bare(r.Host)
	if gate.Local(name) || slices.Contains(d.hosts, name) {
		return true
	}
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	reached, err := netip.ParseAddrPort(at.String())
	called, err2 := netip.ParseAddr(name)
	return err == nil && err2 == nil && reached.Addr().Unmap() == called.Unmap()
}

// trusts reports whether pages of an origin may call.
func (d *door) trusts(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	return gate.Local(gate.Bare(u.Host)) || slices.Contains(d.origins, strings.ToLower(origin))
}
